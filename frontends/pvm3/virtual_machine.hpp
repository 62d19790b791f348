// SPDX-License-Identifier: BSD-3-Clause
/// The hosts of the job, as PVM describes them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontends/pvm3/include/pvm3.h"
#include "generic/services/notices.hpp"

namespace earl::pvm {

inline constexpr std::string_view architecture = "LINUX64";  ///< of all hosts

class VirtualMachine {
 public:
  /// `own`: the host of the task that asks, from 0.
  VirtualMachine(HostList hosts, std::uint32_t own);
  VirtualMachine(VirtualMachine const&) = delete;
  VirtualMachine& operator=(VirtualMachine const&) = delete;

  std::uint32_t count() const { return static_cast<std::uint32_t>(infos_.size()); }
  /// By its name, or "." for the own one.
  std::optional<std::uint32_t> find(std::string_view name) const;
  /// One that is part of a tid. Null: there is none.
  std::optional<std::uint32_t> find(int tid) const;
  std::int64_t clock_origin(std::uint32_t host) const {
    return static_cast<std::int64_t>(hosts_[host].clock_origin);
  }
  /// For programs, which may write into it.
  std::vector<pvmhostinfo>& infos() { return infos_; }

 private:
  std::vector<HostFacts> hosts_;
  std::string architecture_{architecture};
  std::uint32_t own_;
  std::vector<pvmhostinfo> infos_{};
};

}  // namespace earl::pvm
