// SPDX-License-Identifier: BSD-3-Clause
#include "generic/system/processors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>

#include "generic/system/cpu_set.hpp"
#include "generic/system/read_file.hpp"

namespace earl {

namespace {

/// CPUs in a quota of so many microseconds each period; 0: no limit.
std::uint32_t cpus_of(std::int64_t quota, std::int64_t period) {
  if (quota <= 0 || period <= 0) return 0;
  return static_cast<std::uint32_t>(std::max<std::int64_t>(quota / period, 1));
}

/// The quota in "max 100000" or "150000 100000"; 0: no limit.
std::uint32_t cpus_in(std::string const& file) {
  std::istringstream in{read_file(file).value_or("")};
  std::int64_t quota = 0;
  std::int64_t period = 0;
  return in >> quota >> period ? cpus_of(quota, period) : 0;
}

std::int64_t number_in(std::string const& file) {
  std::istringstream in{read_file(file).value_or("")};
  std::int64_t value = 0;
  return in >> value ? value : 0;
}

/// The caller's folder in the hierarchy of cgroups that `line` of /proc/self/cgroup is about: "0:"
/// is the unified one; of older ones the names of its controllers stand in the middle.
std::string folder_of(std::string_view controller) {
  std::istringstream in{read_file("/proc/self/cgroup").value_or("")};
  for (std::string line; std::getline(in, line);) {
    auto const first = line.find(':');
    auto const second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    auto const names = fmt::format(",{},", line.substr(first + 1, second - first - 1));
    bool const wanted = controller.empty()
                            ? line.starts_with("0::")
                            : names.find(fmt::format(",{},", controller)) != std::string::npos;
    if (wanted) return line.substr(second + 1);
  }
  return {};
}

/// The least that `limit(folder)` says of the folder and of all above it; 0: no limit.
template <class Limit>
std::uint32_t least_of(std::string folder, Limit const& limit) {
  for (std::uint32_t least = 0;; folder.resize(folder.find_last_of('/'))) {
    if (const std::uint32_t cpus = limit(folder); cpus != 0)
      least = least == 0 ? cpus : std::min(least, cpus);
    if (folder.empty()) return least;
  }
}

/// The number of CPUs that the caller's cgroup has time for; 0: as many as there are.
std::uint32_t cgroup_cpus() {
  auto const unified = least_of(folder_of(""), [](std::string const& folder) {
    return cpus_in("/sys/fs/cgroup" + folder + "/cpu.max");
  });
  if (unified != 0) return unified;
  return least_of(folder_of("cpu"), [](std::string const& folder) {
    auto const here = "/sys/fs/cgroup/cpu" + folder;
    return cpus_of(number_in(here + "/cpu.cfs_quota_us"), number_in(here + "/cpu.cfs_period_us"));
  });
}

}  // namespace

std::uint32_t usable_processors() {
  auto const own = CpuSet::of(0);
  auto const processors = own ? static_cast<std::uint32_t>(own->count())
                              : std::max(1U, std::thread::hardware_concurrency());
  const std::uint32_t quota = cgroup_cpus();
  return quota != 0 ? std::min(processors, quota) : processors;
}

}  // namespace earl
