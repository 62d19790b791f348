// SPDX-License-Identifier: BSD-3-Clause
/// Listens to what EXEC says to a process.
#pragma once

#include <unordered_set>

#include "debug/contents/file.hpp"
#include "generic/seams/interceptor.hpp"

namespace earl::contents {

class Capture final : public Interceptor {
 public:
  /// Notes the program of this process. Throws Error when the file cannot be made.
  explicit Capture(std::string const& path);

  bool constrains_matching() const override { return false; }
  void exec_answered(std::uint32_t operation, Bytes request, Buffer& answer) override;
  void matched(ReceiveOp const& op, Envelope const& envelope, MessageId const& id) override;
  void answered(ReceiveOp const& op, Envelope const* found, MessageId const& id) override;

 private:
  void take(ReceiveOp const& op, Envelope const& envelope, MessageId const& id);

  ContentsWriter file_;
  std::unordered_set<std::uint64_t> seen_{};  ///< messages of EXEC
};

}  // namespace earl::contents
