// SPDX-License-Identifier: BSD-3-Clause
/// The name of a front end as rows of the id table have it, to compare with many of them.
#pragma once

#include <cstring>
#include <string_view>

#include "generic/base/id_table.hpp"

namespace earl {

class FrontEndName {
 public:
  explicit FrontEndName(std::string_view name) { name.copy(text_, sizeof text_ - 1); }

  /// Whether front_end_of(row) is this name.
  bool is_of(IdRow const& row) const {
    return __atomic_load_n(row.front_end, __ATOMIC_ACQUIRE) == text_[0] &&
           std::memcmp(row.front_end + 1, text_ + 1, sizeof text_ - 1) == 0;
  }

 private:
  char text_[sizeof IdRow::front_end] = {};
};

}  // namespace earl
