// SPDX-License-Identifier: BSD-3-Clause
/// The resources of this host for a job, as `earl doctor` judges them.
#pragma once

#include <sched.h>

#include <cstdint>
#include <optional>
#include <string>

namespace earl::exec {

struct HostResources {
  long processors_online = 0;
  cpu_set_t processors{};      ///< those this process may use
  double processor_quota = 0;  ///< of the control group, in CPUs; 0: none

  int remote_read_error = 0;    ///< of one process reading another's memory (errno); 0: it may
  int ptrace_scope = -1;        ///< of Yama; -1: this kernel has none
  int shared_memory_error = 0;  ///< of a sealed memfd (errno); 0: there are such
  bool proc = false;            ///< /proc has processes and their descriptors
  bool proc_children = false;   ///< and of a process's children

  std::uint64_t files = 0;                         ///< ulimit -Hn
  std::uint64_t processes = 0;                     ///< ulimit -u
  std::optional<std::uint64_t> group_processes{};  ///< of the control group
  std::optional<std::uint64_t> group_memory{};     ///< in bytes
  std::uint64_t memory = 0;                        ///< of the host, in bytes
  std::string huge_pages{};  ///< the setting for shared memory ("never"); empty: not known
};

/// Reads the facts; starts two short-lived processes to try those that cannot be read.
HostResources read_host_resources();

}  // namespace earl::exec
