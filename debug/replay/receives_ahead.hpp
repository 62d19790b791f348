// SPDX-License-Identifier: BSD-3-Clause
/// The outcomes of wildcard receives that a replay has read and its process has not come to.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "debug/trace/outcome.hpp"

namespace earl::replay {

/// A process posts receives in the order of their numbers, and most of them get their messages in
/// that order, too: those need no search.
class ReceivesAhead {
 public:
  void add(trace::Received const& received) {
    bool const in_order = in_order_.empty() || in_order_.back().post < received.post;
    if (in_order) [[likely]]
      in_order_.push_back(received);
    else
      others_.insert_or_assign(received.post, received);
  }
  /// Null: it has not been read. Asked for ascending posts; the lower ones are passed over.
  std::optional<trace::Received> take(std::uint64_t post) {
    for (; first_ < in_order_.size() && in_order_[first_].post < post; ++first_) ++passed_;
    if (first_ < in_order_.size() && in_order_[first_].post == post) [[likely]]
      return take_first();
    if (others_.empty()) return std::nullopt;
    auto const found = others_.extract(post);
    return found.empty() ? std::nullopt : std::optional{found.mapped()};
  }
  /// So many have been read and were not taken.
  std::size_t left() const { return passed_ + in_order_.size() - first_ + others_.size(); }

 private:
  trace::Received take_first() {
    auto const taken = in_order_[first_++];
    if (2 * first_ >= in_order_.size() && first_ >= least_dropped) [[unlikely]] {
      in_order_.erase(in_order_.begin(), in_order_.begin() + static_cast<std::ptrdiff_t>(first_));
      first_ = 0;
    }
    return taken;
  }

  static constexpr std::size_t least_dropped = 1024;

  std::vector<trace::Received> in_order_;
  std::size_t first_ = 0;  ///< of `in_order_`: those before it have been taken or passed over
  std::size_t passed_ = 0;
  std::unordered_map<std::uint64_t, trace::Received> others_;
};

}  // namespace earl::replay
