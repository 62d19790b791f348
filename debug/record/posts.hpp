// SPDX-License-Identifier: BSD-3-Clause
/// The posted wildcard receives that have no message yet, by post number.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "debug/trace/outcome.hpp"

namespace earl::record {

using trace::Received;  // the request, and room for its outcome

/// No allocation but when it grows, and most programs never post a second.
class Posts {
 public:
  Posts() : slots_(64) {}

  void add(Received const& posted) {
    if (count_++ == 0) [[likely]]
      only_ = {posted, true};
    else
      file(posted);
  }
  /// Removes it; null: no such one. Valid until the next call.
  Received* take(std::uint64_t post) {
    if (!only_.used || only_.received.post != post) [[unlikely]]
      return take_filed(post);
    only_.used = false;
    --count_;
    return &only_.received;
  }
  /// In post order.
  std::vector<Received> all() const;
  /// Whether `asked` is true for one that was posted before `post`.
  template <class Ask>
  bool any_before(std::uint64_t post, Ask asked) const {
    if (count_ == 0) return false;
    auto const applies = [&](Place const& place) {
      return place.used && place.received.post < post && asked(place.received);
    };
    return applies(only_) || std::ranges::any_of(slots_, applies);
  }

 private:
  struct Place {
    Received received{};
    bool used = false;
  };

  void file(Received const& posted);
  Received* take_filed(std::uint64_t post);
  std::size_t home(std::uint64_t post) const { return post & (slots_.size() - 1); }
  std::size_t after(std::size_t slot) const { return (slot + 1) & (slots_.size() - 1); }
  void grow();

  Place only_;                ///< the first that came when there was none
  std::vector<Place> slots_;  ///< the others: open addressing
  Received taken_;            ///< the last one taken from there
  std::size_t count_ = 0;
};

}  // namespace earl::record
