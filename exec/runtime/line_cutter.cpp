// SPDX-License-Identifier: BSD-3-Clause
#include "exec/runtime/line_cutter.hpp"

namespace earl::boot {

std::string_view LineCutter::take(std::string_view bytes) {
  lines_.clear();
  auto const end = bytes.rfind('\n');
  if (end == std::string_view::npos) {
    rest_ += bytes;
  } else {
    lines_.swap(rest_);
    lines_ += bytes.substr(0, end + 1);
    rest_ = bytes.substr(end + 1);
  }
  if (rest_.size() >= most) {
    lines_ += rest_;
    rest_.clear();
  }
  return lines_;
}

std::string_view LineCutter::take_rest() {
  lines_.clear();
  lines_.swap(rest_);
  return lines_;
}

}  // namespace earl::boot
