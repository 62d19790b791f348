// SPDX-License-Identifier: BSD-3-Clause
/// A process of the job, as EXEC knows it.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "exec/launcher/output/catcher.hpp"
#include "exec/runtime/control.hpp"

namespace earl::exec {

class RankChannel;

/// The origin of a process of the job.
enum class Origin {
  started,  ///< by EXEC, on its host: a child of it, or a rank of the shared process
  remote,   ///< by an agent, on another host
  forked,   ///< by a process of the job, which has asked EXEC to adopt it
  guest,    ///< not by EXEC, and has connected: a bare host program, a task of a session
  console,  ///< as a guest; the job does not wait for it
};

/// Phases follow each other in this order; a phase may be skipped.
enum class Phase {
  reserved,  ///< it has a rank and no process
  running,
  left,       ///< its program has ended; its back end may keep the process until the others end
  lingering,  ///< it has left, and does not answer inquiries any more
  ended,
};

/// Whether the services and debuggers know that a process has ended.
enum class Announcement { none, queued, made };

struct Child {
  Rank rank{};
  std::string path;     ///< of its program
  std::string program;  ///< its name for people
  std::string folder;   ///< it was started in; empty: EXEC's own
  std::string front_end;
  std::string host;  ///< the name of another host that it runs on; empty: EXEC's own

  pid_t pid = 0;      ///< EXEC's child: the program, or a wrapper around it; 0: never started
  pid_t speaker = 0;  ///< the sender of the last packet, according to the kernel
  pid_t registered_pid = 0;        ///< of the program itself, once it has said hello
  Descriptor registered_handle{};  ///< a pidfd, when a wrapper stands between
  Descriptor channel{};
  control::Assembler incoming{};
  std::deque<Buffer> outgoing{};
  std::size_t outgoing_bytes = 0;
  bool waits_to_write = false;

  /// The line that it shares with other ranks; null: it has a channel of its own.
  RankChannel* rank_channel = nullptr;
  pid_t writer = 0;  ///< Output's name of it: a process, or a rank on a shared line

  Origin origin = Origin::started;
  Phase phase = Phase::reserved;
  Announcement death = Announcement::none;
  bool start_refused = false;  ///< its host could not start it, and its spawner gets the reason
  bool detached = false;       ///< a guest that has said that it leaves the job
  Descriptor enclosed{};       ///< came with the last packet that had one
  /// The standard output and error of a guest, and of the processes that it loads.
  std::shared_ptr<std::array<Descriptor, 2>> outlets{};
  std::shared_ptr<Catcher> catcher{};  ///< gets what it prints, and what its children print
  bool subscribed = false;             ///< another process subscribes to what it prints

  bool failure_reported = false;    ///< to the user
  bool in_own_group = false;        ///< EXEC's group, because it owns the terminal
  std::uint64_t asked_signals = 0;  ///< bit s: signal s was sent because a process asked for it
  std::optional<control::FailureReport> failure_report{};
  bool protocol_failed = false;  ///< it broke the protocol; its channel is closed
  int wait_status = 0;

  bool alive() const { return phase != Phase::reserved && phase != Phase::ended; }
  /// Its program has ended, while its back end keeps the process.
  bool left() const { return phase == Phase::left || phase == Phase::lingering; }
  bool is_guest() const { return origin == Origin::guest || is_console(); }
  bool is_console() const { return origin == Origin::console; }
  bool is_forked() const { return origin == Origin::forked; }
  /// On another host: its pids mean nothing here.
  bool is_remote() const { return origin == Origin::remote; }
  /// Whether messages can be sent to it.
  bool reachable() const { return rank_channel ? !protocol_failed : static_cast<bool>(channel); }
};

}  // namespace earl::exec
