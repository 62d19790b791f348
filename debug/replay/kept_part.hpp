// SPDX-License-Identifier: BSD-3-Clause
/// The begin of the part of a record that is kept, found by a replay that comes to it.
#pragma once

#include "debug/replay/recording.hpp"

namespace earl::replay {

class KeptPart {
 public:
  explicit KeptPart(Recording const& recording)
      : recording_(recording), has_begun_(recording.first_event() == 1) {}

  bool has_begun() const { return has_begun_; }
  /// API call `event` begins. Polls may have made the process call more or less often than recorded
  /// so far: from here on calls are counted as then.
  void enter(std::uint64_t& event) {
    if (has_begun_) [[likely]]
      return;
    has_begun_ = recording_.is_kept_from(position_);
    if (has_begun_)
      event = recording_.first_event();
    else
      position_.call();
  }
  trace::Position const& position() const { return position_; }
  void operation() { position_.operation(); }
  void miss() { position_.miss(); }

 private:
  Recording const& recording_;
  bool has_begun_;
  trace::Position position_{};
};

}  // namespace earl::replay
