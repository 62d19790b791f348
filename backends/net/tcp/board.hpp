// SPDX-License-Identifier: BSD-3-Clause
/// State that EXEC, or its agent on a host, and the processes there share beside the connections:
/// it has the listening addresses and the job's secret, too.
#pragma once

#include <string>
#include <string_view>

#include "backends/net/tcp/connection.hpp"
#include "generic/system/awake.hpp"
#include "generic/system/job_board.hpp"

namespace earl::tcp {

struct BoardRow : JobBoardRow {
  std::atomic<std::uint32_t> known = 0;     ///< its address is there
  std::atomic<std::uint32_t> awake_on = 0;  ///< its row of BoardHead::awake, from 1; 0: it sleeps
  char address[64] = {};
};

struct BoardHead : JobBoardHead {
  static constexpr std::uint64_t magic_value = 0x33'5043'544c'5241;  // "ARLTCP3"
  static constexpr char const* name = "earl tcp job";
  static constexpr char const* what = "a job on TCP";

  std::uint32_t cpus = 1;                               ///< that the processes here may use
  std::atomic<std::uint32_t> processes = 0;             ///< how many here compete for them
  std::atomic<std::uint32_t> rejected_connections = 0;  ///< connections that processes have dropped
  PeerCredentials trust{};
  AwakeTable awake{};
};

class Board : public JobBoard<BoardHead, BoardRow> {
 public:
  /// EXEC's. Throws Error when the system has no memory.
  Board(std::uint32_t capacity, PeerCredentials const& trust) : JobBoard(capacity) {
    head().trust = trust;
  }
  /// A process's.
  explicit Board(Descriptor memory) : JobBoard(std::move(memory)) {}

  /// The row is that of `rank` from now on; nothing is known of it yet. Returns whether a process
  /// waits to reach it already.
  bool begin(Rank rank);
  /// Throws Error when it is too long to be one.
  void set_address(Rank rank, std::string_view address);
  /// Empty: not known yet. If the rank has ended it may be another's.
  std::string address(Rank rank);
};

}  // namespace earl::tcp
