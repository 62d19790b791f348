// SPDX-License-Identifier: BSD-3-Clause
/// The mapping of processes to hosts, and the hosts that programs see.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "exec/launcher/requested_host.hpp"

namespace earl::exec {

struct Place {
  std::uint32_t host = 0;     ///< IdRow::host
  std::uint32_t visible = 0;  ///< IdRow::visible_host

  bool operator==(Place const&) const = default;
};

class Placement;

/// The places of processes that are spawned together: each host gets its share, one host after the
/// other, as PVM has it.
class Round {
 public:
  /// The place of the next one, which will be the `n`-th of the job.
  Place next(std::uint32_t n);

 private:
  friend class Placement;
  Round(Placement const& placement, std::vector<std::uint32_t> hosts, std::uint32_t count,
        std::uint32_t& turn);

  Placement const& placement_;
  std::vector<std::uint32_t> hosts_;  ///< in order
  std::uint64_t count_;
  std::uint64_t shares_ = 0;  ///< of the current host
  std::uint32_t& turn_;       ///< the host that comes next, if it is one of these
};

class Placement {
 public:
  /// `hosts`: that the job runs on; none: all of it runs here. `recorded`: of the run that is
  /// replayed.
  Placement(std::vector<RequestedHost> hosts, std::optional<std::vector<RequestedHost>> recorded);

  /// The host names that programs see; none: one without a name.
  std::vector<RequestedHost> const& visible_hosts() const {
    return recorded_ ? *recorded_ : hosts_;
  }
  /// Programs see the hosts that there are.
  bool real() const { return !recorded_; }
  /// The place of the job's `n`-th process, which may run anywhere.
  Place of(std::uint32_t n) const;
  /// The places of `count` processes that a process on the host `from` (as visible) spawns, on
  /// `wanted` (all: none is named). Throws Error when one of these is no host.
  Round round(std::uint32_t from, std::uint32_t count, std::vector<std::uint32_t> wanted);

 private:
  friend class Round;
  std::uint32_t real_host(std::uint32_t visible, std::uint32_t n) const;

  std::vector<RequestedHost> hosts_;
  std::optional<std::vector<RequestedHost>> recorded_;
  std::map<std::uint32_t, std::uint32_t> turns_{};  ///< by the host that spawns
};

}  // namespace earl::exec
