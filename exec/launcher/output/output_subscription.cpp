// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/output/output_subscription.hpp"

#include <algorithm>
#include <sstream>
#include <utility>

namespace earl::exec {

namespace {

constexpr std::int32_t was_asked_for = -2;
constexpr std::int32_t has_started = -1;

std::string in_xdr(std::initializer_list<std::int32_t> values) {
  std::string bytes;
  for (auto const value : values)
    for (int shift = 24; shift >= 0; shift -= 8) bytes.push_back(static_cast<char>(value >> shift));
  return bytes;
}

}  // namespace

std::optional<SubscriptionRequest> subscription_request_in(std::string_view assignment) {
  if (!assignment.starts_with(subscription_variable)) return std::nullopt;
  assignment.remove_prefix(subscription_variable.size());
  if (!assignment.starts_with('=')) return std::nullopt;
  std::istringstream fields{std::string{assignment.substr(1)}};
  std::int32_t to = 0;
  std::int32_t tag = 0;
  std::uint64_t context = 0;
  SubscriptionRequest request;
  fields >> to >> context >> tag >> request.first >> request.per_host >> request.parent;
  if (!fields || to < 0) return std::nullopt;
  request.to = Rank{to};
  request.context = Context{context};
  request.tag = Tag{tag};
  return request;
}

std::string OutputSubscription::Waiting::take(std::size_t bytes) {
  auto taken = text_.substr(given_, bytes);
  given_ += taken.size();
  if (given_ > text_.size() / 2) text_.erase(0, std::exchange(given_, 0));
  return taken;
}

bool OutputSubscription::take(std::uint32_t stream, std::string_view bytes) {
  if (over_) return false;
  waiting_.at(stream).add(bytes);
  output_ready_();
  return true;
}

void OutputSubscription::end() {
  if (--open_ == 0 && !over_) output_ready_();
}

std::vector<OutputPiece> OutputSubscription::pieces() const {
  std::vector<OutputPiece> pieces;
  for (std::uint32_t stream = 0; stream < waiting_.size(); ++stream)
    if (auto const bytes = waiting_[stream].size(); bytes != 0)
      pieces.push_back({.writer = writer_,
                        .stream = stream,
                        .bytes = std::min(bytes, most_piece),
                        .last = open_ == 0});
  if (pieces.empty() && open_ == 0 && !over_) pieces.push_back({.writer = writer_, .last = true});
  return pieces;
}

std::string OutputSubscription::message(OutputPiece const& piece) {
  auto message = in_xdr({called_, static_cast<std::int32_t>(piece.bytes)});
  if (piece.bytes == 0) over_ = true;
  message += waiting_.at(piece.stream).take(piece.bytes);
  message.resize((message.size() + 3) / 4 * 4);
  return message;
}

std::array<std::string, 2> OutputSubscription::first_messages() const {
  return {in_xdr({called_, was_asked_for, wanted_.parent}),
          in_xdr({called_, has_started, wanted_.parent})};
}

std::string OutputSubscription::give_up() {
  over_ = true;
  return waiting_[0].take(waiting_[0].size()) + waiting_[1].take(waiting_[1].size());
}

}  // namespace earl::exec
