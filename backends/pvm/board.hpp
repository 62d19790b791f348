// SPDX-License-Identifier: BSD-3-Clause
/// Shared state of a job on PVM, of EXEC or an agent and the processes on its host: the PVM task of
/// each process, counts of frames, and deaths.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "generic/base/keyed.hpp"
#include "generic/system/job_board.hpp"

namespace earl::pvm_backend {

/// A job's processes all stand in one daemon's select(), with some descriptors of its own.
inline constexpr std::uint32_t most_processes = 1000;

struct BoardRow : JobBoardRow {
  std::atomic<std::int32_t> tid = 0;      ///< 0: not enrolled yet, or not known here
  std::atomic<std::uint32_t> frames = 0;  ///< sent to it, or about to be; written by the senders
  /// Number of deaths (JobBoardHead::deaths) up to which this process has drained the packets of
  /// the ended senders; written by it.
  std::atomic<std::uint32_t> drained = 0;
  std::atomic<std::uint32_t> enrolled = 0;  ///< set while the process receives
};

struct BoardHead : JobBoardHead {
  static constexpr std::uint64_t magic_value = 0x32'4d56'504c'5241;  // "ARLPVM2"
  static constexpr char const* name = "earl pvm job";
  static constexpr char const* what = "a job on PVM";

  std::int32_t context = 0;         ///< PVM message context of this job
  std::uint32_t several_hosts = 0;  ///< then rows count no frames: the sender may be elsewhere
  char socket[108] = {};            ///< the daemon's
};

class Board : public JobBoard<BoardHead, BoardRow> {
 public:
  /// EXEC's, or with the secret of a job of several hosts an agent's. Throws Error when the system
  /// has no memory.
  Board(std::uint32_t capacity, std::string const& socket, std::optional<Secret> const& secret);
  /// A process's.
  explicit Board(Descriptor memory) : JobBoard(std::move(memory)) {}

  /// The row is that of `rank` from now on; nothing is known of it yet. Returns whether a process
  /// waits to reach it already.
  bool begin(Rank rank);
  /// The task of that process; 0: not known yet, or the row is another's.
  std::int32_t task(Rank rank);
  /// Whether every enrolled process has drained the first `deaths` ended senders.
  bool all_drained(std::uint32_t deaths);

  /// The address for other hosts; empty: it has not enrolled yet.
  std::string address(Rank rank);
  /// Throws Error when that cannot be: no task, or another's.
  void set_address(Rank rank, std::string_view address);
};

}  // namespace earl::pvm_backend
