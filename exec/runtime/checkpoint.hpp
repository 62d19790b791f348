// SPDX-License-Identifier: BSD-3-Clause
/// A branch that stops in its middle, and is forked there for runs that have the same beginning.
#pragma once

#include <chrono>
#include <ctime>
#include <string>
#include <vector>

#include "exec/runtime/branch_server.hpp"
#include "generic/system/descriptor.hpp"

namespace earl::boot {

class Checkpoint {
 public:
  /// Before a rank is made. `line`: to the command, which gets control::Type::checkpointed on it
  /// and sends orders then. The process is killed when it has not come there in `limit`.
  Checkpoint(Descriptor line, std::chrono::milliseconds limit);

  using Descriptors = std::vector<bool>;  ///< by number: whether it is open
  static Descriptors open_descriptors();
  /// Descriptors that have been opened since `before` are not the program's: forks close them or
  /// replace them.
  void add_own(Descriptors const& before);
  /// The process is there. Why it cannot be forked so that forks share nothing; empty: it can.
  std::string arrive();
  /// Returns in each fork, as BranchServer::serve() does.
  BranchServer::Order serve();

 private:
  Descriptor line_;
  Descriptors own_;
  std::size_t shared_mappings_ = 0;
  timer_t limit_{};
};

}  // namespace earl::boot
