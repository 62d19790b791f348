/// What EXEC and the processes of a job on libfabric tell each other beside it: where each is
/// reached, too.
#pragma once

#include "backends/myrinet/ofi/native.h"
#include "generic/job_board.hpp"

namespace earl::myrinet::ofi {

struct BoardRow : JobBoardRow {
  std::atomic<std::uint32_t> known = 0;  ///< its address is there; written by the process
  char address[earl_ofi_longest_address] = {};
};

struct BoardHead : JobBoardHead {
  static constexpr std::uint64_t word = 0x31'4946'4f4c'5241;  // "ARLOFI1"
  static constexpr char const* name = "earl libfabric job";
  static constexpr char const* what = "a job on libfabric";

  std::uint32_t cpus = 1;                    ///< that the job may use
  std::atomic<std::uint32_t> processes = 0;  ///< how many compete for them
};

class Board : public JobBoard<BoardHead, BoardRow> {
 public:
  /// EXEC's. Throws Error when the system has no memory.
  Board(std::uint32_t capacity, std::uint32_t cpus) : JobBoard(capacity) { head().cpus = cpus; }
  /// A process's.
  explicit Board(Descriptor memory) : JobBoard(std::move(memory)) {}
};

}  // namespace earl::myrinet::ofi
