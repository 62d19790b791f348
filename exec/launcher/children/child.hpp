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

struct Child {
  Rank rank{};
  std::string path;     ///< of its program
  std::string program;  ///< its name for people
  std::string folder;   ///< it was started in; empty: EXEC's own
  std::string front_end;

  pid_t pid = 0;      ///< EXEC's child: the program, or a wrapper around it; 0: never started
  pid_t speaker = 0;  ///< sender of the last packet, by the kernel
  pid_t registered_pid = 0;        ///< of the program itself, once it has said hello
  Descriptor registered_handle{};  ///< a pidfd, when a wrapper stands between
  Descriptor channel{};
  control::Assembler incoming{};
  std::deque<Buffer> outgoing{};
  std::size_t outgoing_bytes = 0;
  bool waits_to_write = false;

  /// The line that it shares with all others that live there; null: it has a channel.
  RankChannel* rank_channel = nullptr;
  bool elsewhere = false;  ///< on another host: its pids mean nothing here
  bool refused = false;    ///< which could not start it, and its spawner is notified
  pid_t writer = 0;        ///< in Output's words: a process, or a rank on a shared line

  bool guest = false;     ///< not started by EXEC: a bare host, a console of a session server
  bool forked = false;    ///< nor is this one: a process of the job has forked it
  bool farewell = false;  ///< it has announced that it leaves
  Descriptor enclosed{};  ///< came with the last packet that had one
  /// Where a guest's standard output and error go, and those of processes that it loads.
  std::shared_ptr<std::array<Descriptor, 2>> outlets{};
  std::shared_ptr<Catcher> catcher{};  ///< destination of its output, and of its children's
  bool told = false;                   ///< another process subscribes to its output
  bool console = false;                ///< a console, which the job does not count on

  bool alive = false;
  bool left = false;                ///< its program has ended, it may not have
  bool lingers = false;             ///< it has left, and does not answer any more
  bool death_told = false;          ///< the services know that it has ended
  bool condemned = false;           ///< its failure has been said
  bool in_own_group = false;        ///< EXEC's group, because it owns the terminal
  std::uint64_t asked_signals = 0;  ///< bit s: signal s was sent because a process asked for it
  std::optional<control::FailureReport> failure_report{};
  bool distrusted = false;  ///< it wrote garbage; its channel is closed
  int wait_status = 0;

  /// Whether messages can be sent to it.
  bool reachable() const { return rank_channel ? !distrusted : static_cast<bool>(channel); }
};

}  // namespace earl::exec
