// SPDX-License-Identifier: BSD-3-Clause
/// EXEC's part in a branch: a forked copy of a shared process, for one more run of the same job
/// that EXEC does not know of (exec/runtime/branch_server.hpp).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "exec/runtime/branch_request.hpp"
#include "exec/runtime/control.hpp"
#include "exec/runtime/line_cutter.hpp"
#include "generic/system/descriptor.hpp"

namespace earl::boot {

/// Knows healthy runs only. A run in which a rank fails or waits for good, or asks for what EXEC
/// alone can answer, is given up: the process ends with a code that says so.
class Branch {
 public:
  /// `output` gets what the ranks write on standard output. `table` is the memory of this process's
  /// own id table.
  Branch(Descriptor output, MutableBytes table) : output_(std::move(output)), table_(table) {}

  void print(Rank rank, int stream, std::string_view text);
  /// A rank's message to EXEC; gives the answer.
  std::optional<control::Message> answer_to(control::Type type, std::uint32_t ticket,
                                            std::uint32_t operation);
  void departed(Rank rank, int wait_status);
  /// In a fork of this branch: the output so far is there, too, and goes on there.
  void continue_in(Descriptor output);
  [[noreturn]] static void give_up(control::BranchEnd why);

 private:
  void write(Rank rank, std::string_view text);

  Descriptor output_;
  MutableBytes table_;
  std::unordered_map<std::int32_t, LineCutter> lines_{};  ///< by rank
  Rank open_line_ = no_rank;                              ///< of the rank that wrote it
};

}  // namespace earl::boot
