// SPDX-License-Identifier: BSD-3-Clause
/// Cuts a stream of bytes into whole lines.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace earl::boot {

/// Bounded: a line without an end is cut through after `most` bytes.
class LineCutter {
 public:
  static constexpr std::size_t most = 64 * 1024;

  /// Adds bytes; gives all lines that are whole now, each with its newline (or `most` bytes of one
  /// that has none), one after the other. Valid until the next call.
  std::string_view take(std::string_view bytes);
  /// The beginning of a line whose end has not come yet; it is forgotten here.
  std::string_view take_rest();
  bool has_rest() const { return !rest_.empty(); }

 private:
  std::string rest_;   ///< no newline in it
  std::string lines_;  ///< result of the last call
};

}  // namespace earl::boot
