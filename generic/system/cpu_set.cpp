// SPDX-License-Identifier: BSD-3-Clause
#include "generic/system/cpu_set.hpp"

#include <algorithm>
#include <cerrno>

namespace earl {

namespace {

/// 262,144 CPUs, some thirty times what Linux can be built for.
constexpr std::size_t most_sets = 256;

}  // namespace

/// The system fills no set that is smaller than its own.
std::optional<CpuSet> CpuSet::of(pid_t id) {
  for (std::size_t sets = 1; sets <= most_sets; sets *= 2) {
    CpuSet found(sets);
    if (::sched_getaffinity(id, found.bytes(), found.sets_.data()) == 0) return found;
    if (errno != EINVAL) break;
  }
  return std::nullopt;
}

std::size_t CpuSet::count() const {
  return static_cast<std::size_t>(CPU_COUNT_S(bytes(), sets_.data()));
}

void CpuSet::add(CpuSet const& others) {
  sets_.resize(std::max(sets_.size(), others.sets_.size()));
  for (std::size_t i = 0; i < others.sets_.size(); ++i)
    CPU_OR(&sets_[i], &sets_[i], &others.sets_[i]);
}

bool CpuSet::bind_caller() const { return ::sched_setaffinity(0, bytes(), sets_.data()) == 0; }

}  // namespace earl
