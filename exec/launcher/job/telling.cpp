// SPDX-License-Identifier: BSD-3-Clause
/// Delivery of processes' output to subscribers.
#include <algorithm>
#include <utility>

#include "exec/launcher/job/job.hpp"

namespace earl::exec {

namespace {

/// Unread bytes of a subscriber above which it gets nothing more.
constexpr std::size_t most_unread = 4U << 20;

}  // namespace

/// Before any of it is read.
void Job::tell_of(Child const& child, Batch const& batch, pid_t writer) {
  if (!batch.tell) return;
  auto const host = roster_->at(child.rank).told_host;
  told_.push_back(
      std::make_shared<OutputSubscription>(*batch.tell, child.rank, host, [this] { tell_soon(); }));
  output_.tell(writer, told_.back());
}

/// Not at once: pipes are being looked through.
void Job::tell_soon() {
  if (std::exchange(telling_due_, true)) return;
  loop_.after({}, [this] {
    telling_due_ = false;
    serve_waiting();
  });
}

void Job::tell_of_start(Child const& child) {
  auto const found = std::ranges::find_if(
      told_, [&](auto const& output) { return output->writer() == child.rank; });
  if (found == told_.end() || !named_services_.present((*found)->wanted().to)) return;
  for (auto const& message : (*found)->first_messages()) tell_output((*found)->wanted(), message);
}

/// Takes in the output printed by now: processes that wait for that can go on.
void Job::tell_all() {
  for (auto const& output : told_) output_.look(child_at(output->writer()).writer);
  serve_waiting();
}

void Job::tell_output(TellRequest const& wanted, std::string_view message) {
  auto const header = header_of(Kind::eager, {.source = exec_rank,
                                              .dest = wanted.to,
                                              .context = wanted.context,
                                              .tag = wanted.tag,
                                              .length = message.size(),
                                              .mode = Mode::buffered,
                                              .encoding = Encoding::xdr});
  tell(wanted.to, header, std::as_bytes(std::span{message}));
}

/// False: no output may be delivered now.
bool Job::tell_next_output() {
  if (told_.empty()) return false;
  bool const told = std::ranges::any_of(
      told_, [&](auto const& output) { return !output->over() && tell_piece(*output); });
  std::erase_if(told_, [](auto const& output) { return output->over(); });
  return told;
}

bool Job::tell_piece(OutputSubscription& output) {
  auto const to = output.wanted().to;
  if (!named_services_.present(to)) {
    give_up_telling(output);
    return false;
  }
  if (child_at(process_of(to)).outgoing_bytes > most_unread) return false;
  for (auto piece : output.pieces()) {
    if (!std::ranges::all_of(interceptors_,
                             [&](auto const& half) { return half->may_tell_output(piece); }))
      continue;
    for (auto const& half : interceptors_) half->output_subscription(piece);
    bool const was_full = output.full();
    tell_output(output.wanted(), output.message(piece));
    if (was_full && !output.full()) output_.resume();
    return true;
  }
  return false;
}

/// From now on it goes to the user.
void Job::give_up_telling(OutputSubscription& output) {
  bool const was_full = output.full();
  if (auto const rest = output.give_up(); !rest.empty()) output_.say(rest);
  if (was_full) output_.resume();
}

}  // namespace earl::exec
