// SPDX-License-Identifier: BSD-3-Clause
/// The time of a shared process: the system's, or one of its own.
#pragma once

#include <algorithm>

#include "generic/base/values.hpp"

namespace earl::fibers {

/// Time of its own passes while all ranks wait, up to where the first goes on; and a little at each
/// look, so that a program that looks until it is late comes to an end. The same run, the same
/// times.
class SharedClock {
 public:
  enum class Kind { system, own };

  explicit SharedClock(Kind kind) : kind_(kind) {}

  bool is_own() const { return kind_ == Kind::own; }
  Deadline now() const { return is_own() ? own_ : Clock::now(); }
  /// Like now(), for callers that may do so again and again.
  Deadline read() {
    tick();
    return now();
  }
  void tick() {
    if (is_own()) own_ += a_look;
  }
  /// All wait until then.
  void pass(Deadline until) { own_ = std::max(own_, until); }
  /// Since the shared process began, by its own time.
  std::chrono::nanoseconds age() const { return own_ - birth; }

 private:
  static constexpr std::chrono::microseconds a_look{1};
  static constexpr Deadline birth{std::chrono::seconds{1}};  ///< the epoch is a word for "at once"

  Kind kind_;
  Deadline own_ = birth;
};

}  // namespace earl::fibers
