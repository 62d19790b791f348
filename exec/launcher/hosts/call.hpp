// SPDX-License-Identifier: BSD-3-Clause
/// Connection of an agent and EXEC: EXEC listens, the agent that it has had started on a host
/// calls back, and both show that they know the job's secret.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <optional>
#include <string>
#include <vector>

#include "exec/launcher/events/loop.hpp"
#include "exec/launcher/hosts/host_line.hpp"
#include "generic/base/keyed.hpp"

namespace earl::exec {

/// The line that an agent gets on its standard input: never on a command line, which all users of
/// its host can read.
struct ConnectRequest {
  std::uint32_t number = 0;  ///< n-th of the job's hosts
  std::string name;          ///< the user's name for that host
  Secret secret{};
  std::vector<std::string> addresses;  ///< where EXEC may be reached
};

std::string line_of(ConnectRequest const& request);
/// Null: that is none.
std::optional<ConnectRequest> connect_request_from(std::string const& line);

/// Calls EXEC back, at all its addresses at once; the first that proves to be EXEC is it. Throws
/// Error with a sentence for people.
AuthenticatedSocket call_back(ConnectRequest const& request);

/// The sockets on which EXEC listens for agents.
class Switchboard {
 public:
  /// Called for each agent that has proved its identity.
  using Called = std::function<void(std::uint32_t number, AuthenticatedSocket connection)>;

  /// `address`: of this host; empty: it listens at all. Throws Error.
  Switchboard(Loop& loop, Secret const& secret, std::string const& address, Called called);
  ~Switchboard();
  Switchboard(Switchboard const&) = delete;
  Switchboard& operator=(Switchboard const&) = delete;

  /// Where it listens: one, or all of this host's addresses; the loopback's last.
  std::vector<std::string> addresses() const;
  /// Callers that did not know the secret, or spoke without sense.
  std::uint32_t rejected_connections() const { return rejected_connections_; }

 private:
  struct Caller {
    Descriptor socket;
    Challenge challenge{};
    std::vector<std::byte> received{};
  };
  using Callers = std::list<Caller>;

  void admit();
  void read_claim(Callers::iterator caller);
  void judge(Callers::iterator caller);
  void drop(Callers::iterator caller);
  void remove(Callers::iterator caller);

  Loop& loop_;
  Secret secret_;
  Called called_;
  Descriptor listener_;
  Callers callers_;
  std::uint32_t rejected_connections_ = 0;
};

}  // namespace earl::exec
