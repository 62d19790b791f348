// SPDX-License-Identifier: BSD-3-Clause
/// The user's request: one job.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "exec/launcher/binding.hpp"
#include "exec/launcher/requested_host.hpp"
#include "exec/runtime/control.hpp"
#include "generic/base/error.hpp"

namespace earl {
class UserLauncher;
}

namespace earl::exec {

inline constexpr int exit_usage = 2;

/// The command line makes no sense; a sentence says why.
class UsageError : public Error {
 public:
  using Error::Error;
};

/// One program of the job, the number of its processes, and their environment.
struct App {
  std::uint32_t count = 1;
  std::vector<std::string> command;
  std::string folder{};                    ///< where they run; empty: in EXEC's own
  std::vector<std::string> assignments{};  ///< NAME=VALUE, for their environment
  bool bare_environment = false;           ///< they get nothing else of EXEC's environment
  std::string processors{};                ///< the only ones they may run on ("0-3,6"); empty: any
  bool counted = true;                     ///< the user has said how many
  std::string found{};  ///< where its program was when it was recorded; empty: to be looked for
};

/// A library that --tool names, "PATH" or "PATH:ARGUMENT".
struct ToolFile {
  std::string path;  ///< absolute
  std::string argument{};
};

/// The handling of a job in which no process can continue.
enum class OnDeadlock : std::uint8_t {
  end,  ///< it is ended with a report; where a process polls, which may be a wait for the outside
        ///< world, it is only reported
  report,  ///< it is reported
  off,     ///< not looked for
};

struct Plan {
  std::vector<App> apps;
  std::string back_end = "shm";
  std::vector<RequestedHost> hosts{};  ///< to be spread over; none: all run here
  /// In a replay: the hosts of the recorded run; its programs see these.
  std::optional<std::vector<RequestedHost>> recorded_hosts{};
  /// In a replay: the environment of programs in place of EXEC's.
  std::optional<std::vector<std::string>> environment{};
  std::vector<std::string> kept_settings{};  ///< KEY=VALUE, which a recording keeps
  bool own_input = false;         ///< of a replay: programs read EXEC's standard input all the same
  std::string replaced_folder{};  ///< a recording to be removed before this one; empty: none
  std::string latest{};     ///< the recording that becomes earl-recordings/latest; empty: none
  bool hosts_named = true;  ///< by the user, not by the batch system
  std::string launcher = "ssh %h";  ///< starts a command on the host %h
  std::string listen = "auto";      ///< where agents find EXEC: also "any", or its address
  bool secure = false;              ///< traffic that leaves a host is encrypted
  std::string batch_system{};       ///< that has given the hosts; empty: the user has
  std::vector<control::ToolUse> tools{};
  std::vector<ToolFile> tool_files{};   ///< of --tool, not looked at yet
  std::vector<std::string> wrappers{};  ///< those of them that processes preload, in order
  std::optional<std::chrono::duration<double>> timeout{};
  std::optional<Rank> reader =
      Rank{0};  ///< the rank that reads EXEC's standard input; none: no rank
  Binding binding{};
  bool tag_output = false;      ///< each line says which process wrote it
  std::string output_folder{};  ///< a file per process and stream; empty: EXEC's own output
  std::uint32_t stack = 8192;   ///< KiB for each process, where the back end chooses it
  std::uint32_t seed = 0;       ///< of the order in which processes run, likewise; 0: as they come
  bool virtual_time = false;    ///< passes only while all processes wait, likewise
  std::uint32_t most_processes = 0;  ///< ever, in this job; 0: a multiple of those at first
  /// Bytes of unreceived messages; 0: any number; not given: by the memory of the host.
  std::optional<std::uint64_t> message_memory{};
  OnDeadlock on_deadlock = OnDeadlock::end;
  bool verbose = false;
  std::vector<std::string> late_options{};  ///< arguments of programs that are Earl's options, too
  bool dry_run = false;
  bool console = false;                           ///< `earl console` may join
  std::shared_ptr<UserLauncher> user_launcher{};  ///< that has started this process; null: none
  /// The process that all ranks live in is forked for each run that a command asks for on this
  /// line, and does not run itself; -1: it runs.
  int branches = -1;
  bool gdb = false;  ///< the process that all ranks live in runs under gdb, at the terminal
};

/// The user has not said how many processes there are: as many as the hosts take.
inline bool fills_hosts(Plan const& plan) {
  return !plan.hosts.empty() && plan.hosts_named && plan.apps.size() == 1 &&
         !plan.apps.front().counted;
}

inline std::uint32_t processes_in(Plan const& plan) {
  std::uint32_t count = 0;
  for (auto const& app : plan.apps) count += app.count;
  return count;
}

}  // namespace earl::exec
