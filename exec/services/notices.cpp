#include "exec/services/notices.hpp"

#include <algorithm>

namespace earl::exec {

void Notices::ask(Owed const& owed, NoticeRequest const& request) {
  Wanted wanted{.by = owed.to, .request = request};
  bool const cancel = std::exchange(wanted.request.cancel, false);
  auto const known = std::ranges::find_if(wanted_, [&](Wanted const& one) {
    return one.by == wanted.by && one.request == wanted.request;
  });
  bool const was_wanted = known != wanted_.end();
  if (cancel && was_wanted) wanted_.erase(known);
  bool const now = cancel ? was_wanted : happened(request);
  if (now) tell(wanted);
  if (!now && !cancel) wanted_.push_back(wanted);
  desk_.answer(owed, NoticeAnswer{.waits = !now && !cancel});
}

bool Notices::happened(NoticeRequest const& request) const {
  return request.what == Happening::process_ended && !presence_.has(Rank{request.subject});
}

void Notices::tell(Wanted const& wanted) {
  auto const& [what, subject, context, tag, encoding, body, cancel] = wanted.request;
  auto const header = header_of(Kind::eager, {.source = exec_rank,
                                              .dest = wanted.by,
                                              .context = context,
                                              .tag = tag,
                                              .length = body.size(),
                                              .mode = Mode::buffered,
                                              .encoding = encoding});
  desk_.tell(wanted.by, header, std::as_bytes(std::span{body}));
}

void Notices::list(Owed const& owed) const {
  ProcessList list;
  desk_.roster().each([&](Rank rank) {
    if (auto const id = presence_.id_of(rank); presence_.has(id)) list.add(id);
  });
  desk_.answer(owed, list);
}

void Notices::died(Rank rank, int) {
  std::erase_if(wanted_, [rank](Wanted const& wanted) { return wanted.by == rank; });
  auto const waited_for = [rank](Wanted const& wanted) {
    return wanted.request.what == Happening::process_ended &&
           wanted.request.subject == number(rank);
  };
  for (auto const& wanted : wanted_)
    if (waited_for(wanted)) tell(wanted);
  std::erase_if(wanted_, waited_for);
}

}  // namespace earl::exec
