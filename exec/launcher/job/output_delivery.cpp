// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/job/output_delivery.hpp"

#include <algorithm>
#include <utility>

namespace earl::exec {

namespace {

/// Unread bytes of a subscriber above which it gets nothing more.
constexpr std::size_t most_unread = 4U << 20;

}  // namespace

void OutputDelivery::subscribe(Child const& writer, SubscriptionRequest const& wanted,
                               std::uint32_t host, pid_t output_writer) {
  subscriptions_.push_back(
      std::make_shared<OutputSubscription>(wanted, writer.rank, host, [this] { deliver_soon(); }));
  parts_.output.subscribe(output_writer, subscriptions_.back());
}

OutputSubscription* OutputDelivery::subscription_of(Rank writer) const {
  auto const found = std::ranges::find(subscriptions_, writer,
                                       [](auto const& output) { return output->writer(); });
  return found == subscriptions_.end() ? nullptr : found->get();
}

void OutputDelivery::deliver_soon() {
  if (std::exchange(due_, true)) return;
  parts_.loop.after({}, [this] {
    due_ = false;
    deliver_();
  });
}

void OutputDelivery::notify_start(Rank writer) {
  auto const* const output = subscription_of(writer);
  if (!output || !parts_.services.present(output->wanted().to)) return;
  for (auto const& message : output->first_messages()) send(output->wanted(), message);
}

void OutputDelivery::read_output() {
  for (auto const& output : subscriptions_)
    parts_.output.read_available(parts_.children.at(output->writer()).writer);
}

void OutputDelivery::send(SubscriptionRequest const& wanted, std::string_view message) {
  auto const header = header_of(Kind::eager, {.source = exec_rank,
                                              .dest = wanted.to,
                                              .context = wanted.context,
                                              .tag = wanted.tag,
                                              .length = message.size(),
                                              .mode = Mode::buffered,
                                              .encoding = Encoding::xdr});
  parts_.context.send_message(wanted.to, header, std::as_bytes(std::span{message}));
}

bool OutputDelivery::deliver_next() {
  if (empty()) return false;
  bool const delivered = std::ranges::any_of(subscriptions_, [&](auto const& output) {
    return !output->over() && deliver_piece(*output);
  });
  std::erase_if(subscriptions_, [](auto const& output) { return output->over(); });
  return delivered;
}

bool OutputDelivery::deliver_piece(OutputSubscription& output) {
  auto const to = output.wanted().to;
  if (!parts_.services.present(to)) {
    give_up(output);
    return false;
  }
  if (parts_.children.at(process_of(to)).outgoing_bytes > most_unread) return false;
  for (auto piece : output.pieces()) {
    if (!parts_.interceptors.may_deliver_output(piece)) continue;
    parts_.interceptors.output_delivered(piece);
    bool const was_full = output.full();
    send(output.wanted(), output.message(piece));
    if (was_full && !output.full()) parts_.output.resume();
    return true;
  }
  return false;
}

void OutputDelivery::give_up() {
  for (auto const& output : subscriptions_) give_up(*output);
}

void OutputDelivery::give_up(OutputSubscription& output) {
  bool const was_full = output.full();
  if (auto const rest = output.give_up(); !rest.empty()) parts_.output.print_line(rest);
  if (was_full) parts_.output.resume();
}

}  // namespace earl::exec
