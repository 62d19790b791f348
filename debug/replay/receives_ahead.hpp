// SPDX-License-Identifier: BSD-3-Clause
/// The outcomes of wildcard receives that a replay has read and its process has not come to.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "debug/trace/outcome.hpp"

namespace earl::replay {

/// A process posts receives in the order of their numbers, and most of them get their messages in
/// that order, too: those need no search.
class ReceivesAhead {
 public:
  void add(trace::Received const& received) {
    if (received.post < begin_) return;
    bool const in_order = in_order_.empty() || in_order_.back().post < received.post;
    if (in_order) [[likely]]
      in_order_.push_back(received);
    else
      others_.insert_or_assign(received.post, received);
  }
  /// Null: it has not been read. Asked for ascending posts; the lower ones are passed over. Valid
  /// until the next call of any of these.
  trace::Received const* take(std::uint64_t post) {
    for (; first_ < in_order_.size() && in_order_[first_].post < post; ++first_) ++passed_;
    if (first_ < in_order_.size() && in_order_[first_].post == post) [[likely]]
      return &in_order_[first_++];
    return others_.empty() ? nullptr : take_other(post);
  }
  /// All below `begin` have been taken, also those that are still to be added.
  void skip(std::uint64_t begin) {
    begin_ = begin;
    std::erase_if(in_order_, [begin](auto const& one) { return one.post < begin; });
    std::erase_if(others_, [begin](auto const& one) { return one.first < begin; });
  }
  /// Before many are added: gives back the memory of those that have been taken.
  void drop_taken() {
    in_order_.erase(in_order_.begin(), in_order_.begin() + static_cast<std::ptrdiff_t>(first_));
    first_ = 0;
  }
  /// So many have been read and were not taken.
  std::size_t left() const { return passed_ + in_order_.size() - first_ + others_.size(); }

 private:
  trace::Received const* take_other(std::uint64_t post) {
    auto const found = others_.find(post);
    if (found == others_.end()) return nullptr;
    taken_ = found->second;
    others_.erase(found);
    return &taken_;
  }

  std::vector<trace::Received> in_order_;
  std::size_t first_ = 0;  ///< of `in_order_`: those before it have been taken or passed over
  std::size_t passed_ = 0;
  std::unordered_map<std::uint64_t, trace::Received> others_;
  trace::Received taken_{};  ///< the last one from there
  std::uint64_t begin_ = 0;
};

}  // namespace earl::replay
