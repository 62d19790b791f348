// SPDX-License-Identifier: BSD-3-Clause
/// The place in a replay where runs that differ from there on are forked.
#pragma once

#include "debug/replay/argument.hpp"
#include "debug/replay/deviations.hpp"
#include "generic/seams/interceptor.hpp"

namespace earl::replay {

/// Notifies EXEC there, and returns in each fork, where Interceptor::continue_as() has been called.
class Checkpoint {
 public:
  explicit Checkpoint(DebuggedProcess& process) : process_(process) {}

  /// The place is before the first receive, question or call of these; empty: there is none.
  void set_places(Deviations places) { places_ = std::move(places); }
  void before_call(std::uint64_t event) {
    while (places_.frees(event)) [[unlikely]] process_.notify_exec(checkpoint_note, {});
  }
  void before_receive(std::uint64_t post) {
    while (places_.receive(post) != nullptr) [[unlikely]] process_.notify_exec(checkpoint_note, {});
  }
  void before_question(std::uint64_t question) {
    while (places_.question(question) != nullptr)
      [[unlikely]] process_.notify_exec(checkpoint_note, {});
  }

 private:
  DebuggedProcess& process_;
  Deviations places_{};
};

}  // namespace earl::replay
