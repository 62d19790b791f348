// SPDX-License-Identifier: BSD-3-Clause
/// Forks a shared process, once for each run that a command asks for: where ranks are loaded and
/// have not begun, so that a run costs a fork and no start of a job, or at a Checkpoint.
#pragma once

#include <sys/types.h>

#include <optional>
#include <vector>

#include "exec/runtime/branch_request.hpp"
#include "exec/runtime/control.hpp"
#include "generic/base/values.hpp"
#include "generic/system/descriptor.hpp"

namespace earl::boot {

/// Names the descriptor of the line to the command, where a shared process is to serve one.
inline constexpr char const* branches_variable = "EARL_BRANCHES";

class BranchServer {
 public:
  /// `line`: a Unix socket of packets, whose messages are control::Type::branch and branched.
  explicit BranchServer(Descriptor line) : line_(std::move(line)) {}

  /// The run that a branch is to make.
  struct Order {
    std::uint32_t ticket = 0;
    control::BranchRequest request{};
    Descriptor output{};
    Descriptor line{};  ///< it is to be a Checkpoint, with this line; none: to its end
  };
  /// Returns in each branch. The server itself ends here, with its branches, when the command
  /// closes the line.
  Order serve();

 private:
  struct Running {
    std::uint32_t ticket = 0;
    pid_t pid = 0;
    Descriptor handle{};
    Deadline limit{};
  };

  void wait();
  std::optional<Order> next();
  bool begin(Order const& order);
  void report_ended();
  [[noreturn]] void end();

  Descriptor line_;
  std::vector<Running> running_{};
  control::Assembler incoming_{};
  std::vector<Descriptor> arrived_{};
  std::vector<std::byte> room_ = std::vector<std::byte>(control::most_packet);
};

}  // namespace earl::boot
