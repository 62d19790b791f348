// SPDX-License-Identifier: BSD-3-Clause
/// Structures out of a file's bytes.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>

#include "generic/base/bytes.hpp"

namespace earl::exec {

/// A copy, because nothing says that the file's tables are aligned. Null: the file ends before it.
template <class What>
std::optional<What> at(Bytes file, std::uint64_t offset) {
  if (offset > file.size() || file.size() - offset < sizeof(What)) return std::nullopt;
  What what{};
  std::memcpy(&what, file.data() + offset, sizeof what);
  return what;
}

}  // namespace earl::exec
