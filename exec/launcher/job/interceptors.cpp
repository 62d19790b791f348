// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/job/interceptors.hpp"

#include <algorithm>

namespace earl::exec {

bool Interceptors::may_serve(Rank from, std::uint32_t operation) const {
  return std::ranges::all_of(all_,
                             [&](auto const& half) { return half->may_serve(from, operation); });
}

bool Interceptors::may_announce_death(Rank rank) const {
  return std::ranges::all_of(all_,
                             [&](auto const& half) { return half->may_announce_death(rank); });
}

bool Interceptors::may_deliver(OutputPiece& piece) const {
  return std::ranges::all_of(all_,
                             [&](auto const& half) { return half->may_deliver_output(piece); });
}

void Interceptors::served(Rank from, std::uint32_t operation, Bytes request) const {
  for (auto const& half : all_) half->served(from, operation, request);
}

void Interceptors::died(Rank rank, int wait_status) const {
  for (auto const& half : all_) half->died(rank, wait_status);
}

void Interceptors::delivered(OutputPiece const& piece) const {
  for (auto const& half : all_) half->output_delivered(piece);
}

Rank Interceptors::choose(Rank rank, Rank next) const {
  for (auto const& half : all_) rank = half->named(rank, next);
  return rank;
}

bool Interceptors::stop_waiting_for(std::span<Rank const> dead) const {
  return std::ranges::any_of(all_, [&](auto const& half) { return half->stop_waiting_for(dead); });
}

int Interceptors::finished(int exit_code) const {
  for (auto const& half : all_) exit_code = half->finished(exit_code);
  return exit_code;
}

}  // namespace earl::exec
