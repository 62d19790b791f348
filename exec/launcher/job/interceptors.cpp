// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/job/interceptors.hpp"

#include <algorithm>

namespace earl::exec {

bool Interceptors::may_serve(Rank from, std::uint32_t operation) const {
  return std::ranges::all_of(
      all_, [&](auto const& interceptor) { return interceptor->may_serve(from, operation); });
}

bool Interceptors::may_announce_death(Rank rank) const {
  return std::ranges::all_of(
      all_, [&](auto const& interceptor) { return interceptor->may_announce_death(rank); });
}

bool Interceptors::may_deliver_output(OutputPiece& piece) const {
  return std::ranges::all_of(
      all_, [&](auto const& interceptor) { return interceptor->may_deliver_output(piece); });
}

void Interceptors::served(Rank from, std::uint32_t operation, Bytes request) const {
  for (auto const& interceptor : all_) interceptor->served(from, operation, request);
}

void Interceptors::died(Rank rank, int wait_status) const {
  for (auto const& interceptor : all_) interceptor->died(rank, wait_status);
}

void Interceptors::output_delivered(OutputPiece const& piece) const {
  for (auto const& interceptor : all_) interceptor->output_delivered(piece);
}

Rank Interceptors::choose_rank(Rank rank, Rank next) const {
  for (auto const& interceptor : all_) rank = interceptor->choose_rank(rank, next);
  return rank;
}

bool Interceptors::stop_waiting_for(std::span<Rank const> dead) const {
  return std::ranges::any_of(
      all_, [&](auto const& interceptor) { return interceptor->stop_waiting_for(dead); });
}

int Interceptors::finished(int exit_code) const {
  for (auto const& interceptor : all_) exit_code = interceptor->finished(exit_code);
  return exit_code;
}

}  // namespace earl::exec
