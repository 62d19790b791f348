// SPDX-License-Identifier: BSD-3-Clause
/// The jobs of this user that have processes on this host, found through /proc: a process of a job
/// bears the job's mark in its environment.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace earl::exec {

struct LocalProcess {
  pid_t pid = 0;
  std::optional<unsigned> rank{};  ///< null: it holds all ranks of its job
  char state = '?';                ///< as in /proc/PID/stat: R, S, D, T, Z
  std::chrono::seconds cpu{};      ///< that it has used
  std::string program{};
};

struct LocalJob {
  pid_t exec = 0;                  ///< EXEC, or its agent on this host: the parent of the processes
  std::string command{};           ///< of `exec`
  std::chrono::seconds elapsed{};  ///< since its first process here started
  std::vector<LocalProcess> processes{};  ///< by rank
};

/// The place of a process in its job, from its environment.
struct JobPlace {
  std::string mark{};
  std::optional<unsigned> rank{};
};

/// `environment`: NAME=VALUE. Null: the process belongs to no job, or was started by a process of a
/// job.
std::optional<JobPlace> place_in_job(std::vector<std::string> const& environment);

/// Oldest first. Processes that end meanwhile are left out.
std::vector<LocalJob> local_jobs();

}  // namespace earl::exec
