// SPDX-License-Identifier: BSD-3-Clause
/// A table of peers, by rank.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "generic/base/values.hpp"

namespace earl {

/// Entries stay where they are until they are removed, as a peer's is when it is gone. Ranks grow
/// for as long as a job spawns: hashed by the low bits of the rank, which in a job that never
/// spawned are the rank. An entry has a member `next` for the table, and `rank` is its key.
template <class Entry, Rank Entry::*rank>
class RankTable {
 public:
  /// Null: there is none.
  Entry* find(Rank peer) const {
    Entry* entry = buckets_[index(peer) & mask_];
    while (entry && entry->*rank != peer) [[unlikely]] entry = entry->next;
    return entry;
  }
  /// There must be none yet.
  Entry& add(Rank peer) {
    if (all_.size() == buckets_.size()) grow();
    all_.push_back(std::make_unique<Entry>());
    (*all_.back()).*rank = peer;
    return link(*all_.back());
  }
  Entry& find_or_add(Rank peer) {
    Entry* const known = find(peer);
    return known ? *known : add(peer);
  }
  void remove(Entry& entry) {
    Entry** link = &buckets_[index(entry.*rank) & mask_];
    while (*link != &entry) link = &(*link)->next;
    *link = entry.next;
    for (auto& one : all_)
      if (one.get() == &entry) {
        std::swap(one, all_.back());
        all_.pop_back();
        return;
      }
  }
  std::size_t size() const { return all_.size(); }
  bool empty() const { return all_.empty(); }
  auto begin() const { return all_.begin(); }
  auto end() const { return all_.end(); }

 private:
  static constexpr std::size_t least_buckets = 16;

  Entry& link(Entry& entry) {
    Entry*& bucket = buckets_[index(entry.*rank) & mask_];
    entry.next = std::exchange(bucket, &entry);
    return entry;
  }
  void grow() {
    buckets_.assign(2 * buckets_.size(), nullptr);
    mask_ = buckets_.size() - 1;
    for (auto& entry : all_) link(*entry);
  }

  std::vector<Entry*> buckets_ = std::vector<Entry*>(least_buckets);  ///< a power of two
  std::size_t mask_ = least_buckets - 1;
  std::vector<std::unique_ptr<Entry>> all_;
};

}  // namespace earl
