// SPDX-License-Identifier: BSD-3-Clause
/// The state of a process that belongs to a context: how many collectives have begun there, and the
/// context's name in reports.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

#include "generic/base/values.hpp"

namespace earl {

class Contexts {
 public:
  /// A tag for the next collective of a context: the same on all members.
  Tag collective_tag(Context context) {
    constexpr std::uint32_t tags = 0x3fff'ffff;
    return Tag{
        static_cast<std::int32_t>(collectives_[static_cast<std::uint64_t>(context)]++ & tags)};
  }

  /// Names a context as the front end does: an MPI communicator's, for instance. Replaces the name
  /// that was there; an empty one removes it. Two contexts may have the same.
  void set_label(Context context, std::string_view label) {
    auto const key = static_cast<std::uint64_t>(context);
    if (label.empty())
      labels_.erase(key);
    else
      labels_.insert_or_assign(key, label);
  }
  /// Empty: it has none.
  std::string label(std::uint64_t context) const {
    auto const found = labels_.find(context);
    return found == labels_.end() ? std::string{} : found->second;
  }

 private:
  std::unordered_map<std::uint64_t, std::uint32_t> collectives_;  ///< begun
  std::map<std::uint64_t, std::string> labels_;
};

}  // namespace earl
