// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/job/interceptors.hpp"

#include <algorithm>

namespace earl::exec {

bool JobInterceptors::may_serve(Rank from, std::uint32_t operation) const {
  return std::ranges::all_of(
      all_, [&](auto const& interceptor) { return interceptor->may_serve(from, operation); });
}

bool JobInterceptors::may_announce_death(Rank rank) const {
  return std::ranges::all_of(
      all_, [&](auto const& interceptor) { return interceptor->may_announce_death(rank); });
}

bool JobInterceptors::may_deliver_output(OutputPiece& piece) const {
  return std::ranges::all_of(
      all_, [&](auto const& interceptor) { return interceptor->may_deliver_output(piece); });
}

void JobInterceptors::served(Rank from, std::uint32_t operation, Bytes request) const {
  for (auto const& interceptor : all_) interceptor->served(from, operation, request);
}

void JobInterceptors::died(Rank rank, int wait_status) const {
  for (auto const& interceptor : all_) interceptor->died(rank, wait_status);
}

void JobInterceptors::output_delivered(OutputPiece const& piece) const {
  for (auto const& interceptor : all_) interceptor->output_delivered(piece);
}

Rank JobInterceptors::choose_rank(Rank rank, Rank next) const {
  for (auto const& interceptor : all_) rank = interceptor->choose_rank(rank, next);
  return rank;
}

std::optional<Rank> JobInterceptors::coming_rank(Rank next) const {
  for (auto const& interceptor : all_)
    if (auto const rank = interceptor->coming_rank(next)) return rank;
  return std::nullopt;
}

bool JobInterceptors::stop_waiting_for(std::span<Rank const> dead) const {
  return std::ranges::any_of(
      all_, [&](auto const& interceptor) { return interceptor->stop_waiting_for(dead); });
}

void JobInterceptors::notified(Rank from, std::string_view debugger, Bytes note) const {
  for (auto const& interceptor : all_) interceptor->notified(from, debugger, note);
}

bool JobInterceptors::may_fail(Rank rank) const {
  return std::ranges::all_of(all_,
                             [&](auto const& interceptor) { return interceptor->may_fail(rank); });
}

void JobInterceptors::failed(Rank rank, std::string_view why) const {
  for (auto const& interceptor : all_) interceptor->failed(rank, why);
}

int JobInterceptors::finished(int exit_code) const {
  for (auto const& interceptor : all_) exit_code = interceptor->finished(exit_code);
  return exit_code;
}

}  // namespace earl::exec
