// SPDX-License-Identifier: BSD-3-Clause
/// The switches of a job as processes, and the one that keeps them.
#pragma once

#include <string>
#include <vector>

#include "backends/myrinet/memory.hpp"
#include "backends/net/tcp/board.hpp"
#include "generic/system/descriptor.hpp"

namespace earl::myrinet::cables {

/// They end with this object, and with the process that has it.
class Switches {
 public:
  /// Starts all of `memory`, and has `board` say where they listen. `program`: the path of
  /// earl-myrisw. Throws Error.
  Switches(Memory& memory, tcp::Board& board, std::string const& program);
  ~Switches();
  Switches(Switches const&) = delete;
  Switches& operator=(Switches const&) = delete;

  /// Readable when one has ended.
  int ended_fd() const { return ended_.get(); }
  /// The message of the first switch that has ended.
  std::string error_summary() const;

 private:
  void start();

  Memory& memory_;
  tcp::Board& board_;
  std::string const program_;
  std::vector<Descriptor> listeners_;
  Descriptor errors_;
  Descriptor ended_;  ///< the process that keeps them
};

}  // namespace earl::myrinet::cables
