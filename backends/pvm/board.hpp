/// What EXEC and the processes of a job on PVM tell each other beside PVM: who is which task, too.
#pragma once

#include <string>

#include "generic/job_board.hpp"

namespace earl::pvm_machine {

/// A job's processes all stand in one daemon's select(), with some descriptors of its own.
inline constexpr std::uint32_t most_processes = 1000;

struct BoardRow : JobBoardRow {
  std::atomic<std::int32_t> tid = 0;      ///< 0: not enrolled yet; written by the process
  std::atomic<std::uint32_t> frames = 0;  ///< sent to it, or about to be; written by the senders
};

struct BoardHead : JobBoardHead {
  static constexpr std::uint64_t word = 0x31'4d56'504c'5241;  // "ARLPVM1"
  static constexpr char const* name = "earl pvm job";
  static constexpr char const* what = "a job on PVM";

  std::int32_t context = 0;  ///< PVM's, so that nobody else's messages come here
  char socket[108] = {};     ///< the daemon's
};

class Board : public JobBoard<BoardHead, BoardRow> {
 public:
  /// EXEC's. Throws Error when the system has no memory.
  Board(std::uint32_t capacity, std::string const& socket);
  /// A process's.
  explicit Board(Descriptor memory) : JobBoard(std::move(memory)) {}
};

}  // namespace earl::pvm_machine
