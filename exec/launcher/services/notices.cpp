// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/services/notices.hpp"

#include <algorithm>

namespace earl::exec {

void Notices::ask(PendingReply const& reply, NoticeRequest const& request) {
  Wanted wanted{.by = reply.to, .request = request};
  bool const cancel = std::exchange(wanted.request.cancel, false);
  auto const known = std::ranges::find_if(wanted_, [&](Wanted const& one) {
    return one.by == wanted.by && one.request == wanted.request;
  });
  bool const was_wanted = known != wanted_.end();
  if (cancel && was_wanted) wanted_.erase(known);
  bool const now = cancel ? was_wanted : happened(request);
  if (now) notify(wanted);
  if (!now && !cancel) wanted_.push_back(wanted);
  context_.answer(reply, NoticeAnswer{.waits = !now && !cancel});
}

bool Notices::happened(NoticeRequest const& request) const {
  return request.what == NoticeEvent::process_ended && !presence_.has(Rank{request.subject});
}

void Notices::notify(Wanted const& wanted) {
  auto const& [what, subject, context, tag, encoding, body, cancel] = wanted.request;
  auto const header = header_of(Kind::eager, {.source = exec_rank,
                                              .dest = wanted.by,
                                              .context = context,
                                              .tag = tag,
                                              .length = body.size(),
                                              .mode = Mode::buffered,
                                              .encoding = encoding});
  context_.send_message(wanted.by, header, std::as_bytes(std::span{body}));
}

void Notices::list(PendingReply const& reply) const {
  ProcessList list;
  context_.roster().each([&](Rank rank) {
    if (auto const id = presence_.id_of(rank); presence_.has(id)) list.add(id);
  });
  context_.answer(reply, list);
}

void Notices::died(Rank rank, int) {
  std::erase_if(wanted_, [rank](Wanted const& wanted) { return wanted.by == rank; });
  auto const waited_for = [rank](Wanted const& wanted) {
    return wanted.request.what == NoticeEvent::process_ended &&
           wanted.request.subject == number(rank);
  };
  for (auto const& wanted : wanted_)
    if (waited_for(wanted)) notify(wanted);
  std::erase_if(wanted_, waited_for);
}

}  // namespace earl::exec
