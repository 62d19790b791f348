// SPDX-License-Identifier: BSD-3-Clause
/// CPUs that a process may run on, on machines of any size: one cpu_set_t has room for 1024.
#pragma once

#include <sched.h>
#include <sys/types.h>

#include <optional>
#include <vector>

namespace earl {

class CpuSet {
 public:
  /// The CPUs of a process or thread, 0: of the caller. Null: it has ended, or may not be asked
  /// about; errno says which.
  static std::optional<CpuSet> of(pid_t id);

  std::size_t count() const;
  void add(CpuSet const& others);
  /// The CPUs below CPU_SETSIZE.
  cpu_set_t const& first() const { return sets_.front(); }
  /// From now on the caller runs on these. False: it cannot; errno says why.
  [[nodiscard]] bool bind_caller() const;

 private:
  explicit CpuSet(std::size_t sets) : sets_(sets) {}

  std::size_t bytes() const { return sets_.size() * sizeof(cpu_set_t); }

  std::vector<cpu_set_t> sets_;  ///< one after the other, never none
};

}  // namespace earl
