// SPDX-License-Identifier: BSD-3-Clause
/// Names of contexts in a record, such as those of MPI's communicators.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "debug/trace/outcome.hpp"
#include "generic/seams/interceptor.hpp"

namespace earl::trace {

/// In a running process: the name that a context has when an outcome is about it for the first
/// time, and the last one if that is another. A context that has none is named by its number.
class Labels {
 public:
  explicit Labels(DebuggedProcess& process) : process_(process) {}

  /// `put` gets the names that the record has not, as outcomes.
  template <class PutOutcome>
  void note(std::uint64_t context, PutOutcome&& put) {
    if (context != recent_) [[unlikely]]
      look_up(context, put);
  }
  /// A program may name a communicator after its first use. The name of one that is gone stays.
  template <class PutOutcome>
  void note_changed(PutOutcome&& put) {
    for (auto& [context, text] : texts_) {
      auto now = process_.context_label(Context{context});
      if (now.empty() || now == text) continue;
      text = std::move(now);
      put(outcome(context, text));
    }
  }
  /// All again, as outcomes.
  template <class PutOutcome>
  void repeat(PutOutcome&& put) const {
    for (auto const& [context, text] : texts_)
      if (!text.empty()) put(outcome(context, text));
  }

 private:
  template <class PutOutcome>
  [[gnu::noinline]] void look_up(std::uint64_t context, PutOutcome& put) {
    recent_ = context;
    auto const [known, fresh] = texts_.try_emplace(context);
    if (!fresh) return;
    known->second = process_.context_label(Context{context});
    if (!known->second.empty()) put(outcome(context, known->second));
  }
  static Outcome outcome(std::uint64_t context, std::string const& text) {
    return {.what = OutcomeKind::label, .value = static_cast<std::int64_t>(context), .text = text};
  }

  DebuggedProcess& process_;
  std::unordered_map<std::uint64_t, std::string> texts_;
  std::uint64_t recent_ = ~std::uint64_t{0};  ///< no context
};

/// The names in a record that is being read.
class KnownLabels {
 public:
  /// Takes in a name; false: the outcome is none.
  bool learn(Outcome const& outcome);
  /// Empty: it has none.
  std::string_view of(Selector const& selector) const;

 private:
  std::unordered_map<std::uint64_t, std::string> texts_;
};

}  // namespace earl::trace
