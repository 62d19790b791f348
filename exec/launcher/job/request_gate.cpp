// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/job/request_gate.hpp"

#include <algorithm>
#include <vector>

namespace earl::exec {

void RequestGate::run() {
  if (running_) return;
  running_ = true;
  try {
    while (client_.deliver_output() || announce_next() || serve_next() || abandons_waiting()) {
    }
  } catch (Error const& error) {
    client_.debugger_failed(error);
  }
  running_ = false;
}

/// False: no death may be announced now.
bool RequestGate::announce_next() {
  auto const next = std::ranges::find_if(
      deaths_, [&](auto const& death) { return interceptors_.may_announce_death(death.rank); });
  if (next == deaths_.end()) return false;
  auto const death = *next;
  deaths_.erase(next);
  interceptors_.died(death.rank, death.wait_status);
  client_.announce(death);
  return true;
}

/// False: no request may be served now.
bool RequestGate::serve_next() {
  auto const next = std::ranges::find_if(requests_, [&](auto const& request) {
    return interceptors_.may_serve(request.from, request.message.operation) &&
           !client_.awaits_room(request);
  });
  if (next == requests_.end()) return false;
  auto const request = std::move(*next);
  requests_.erase(next);
  interceptors_.served(request.from, request.message.operation, request.message.body.bytes());
  client_.serve(request);
  return true;
}

/// True: a debugger does not wait for the deaths any more, and is to be asked again.
bool RequestGate::abandons_waiting() const {
  if (deaths_.empty()) return false;
  std::vector<Rank> dead;
  for (auto const& death : deaths_) dead.push_back(death.rank);
  return interceptors_.stop_waiting_for(dead);
}

bool RequestGate::has_request_of(Rank rank) const {
  return std::ranges::any_of(requests_, [&](auto const& request) { return request.from == rank; });
}

}  // namespace earl::exec
