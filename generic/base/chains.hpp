// SPDX-License-Identifier: BSD-3-Clause
/// Intrusive lists, and an index that finds the list for a key: the data structures of matching.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace earl {

template <class Entry>
struct Link {
  Entry* before = nullptr;
  Entry* after = nullptr;
};

/// Entries in order, linked through their member links[Which]. Owns nothing.
template <class Entry, std::size_t Which>
class List {
 public:
  Entry* first() const { return first_; }
  static Entry* after(Entry const& entry) { return entry.links[Which].after; }
  std::size_t size() const { return size_; }
  bool empty() const { return first_ == nullptr; }

  void push_back(Entry& entry) {
    auto& link = entry.links[Which];
    link = {.before = last_, .after = nullptr};
    (last_ ? last_->links[Which].after : first_) = &entry;
    last_ = &entry;
    ++size_;
  }

  /// In front of `next`, which is in the list; null: at the end.
  void insert(Entry& entry, Entry* next) {
    if (!next) return push_back(entry);
    auto& behind = next->links[Which];
    entry.links[Which] = {.before = behind.before, .after = next};
    (behind.before ? behind.before->links[Which].after : first_) = &entry;
    behind.before = &entry;
    ++size_;
  }

  void remove(Entry& entry) {
    auto& link = entry.links[Which];
    (link.before ? link.before->links[Which].after : first_) = link.after;
    (link.after ? link.after->links[Which].before : last_) = link.before;
    link = {};
    --size_;
  }

 private:
  Entry* first_ = nullptr;
  Entry* last_ = nullptr;
  std::size_t size_ = 0;
};

struct ChainKey {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  bool operator==(ChainKey const&) const = default;
  /// Eight neighbours, as the tags of a loop are, share a cache line of the table.
  std::size_t hash() const {
    const std::uint64_t line = low >> 3;
    std::uint64_t mixed = (high ^ (line * 0x9e37'79b9'7f4a'7c15)) * 0xff51'afd7'ed55'8ccd;
    return static_cast<std::size_t>((mixed ^ mixed >> 32) << 3 | (low & 7));
  }
};

/// Lists by key: open addressing over pointers, so that a chain never moves and an entry can
/// remember its own. Empty chains stay until the table must grow; a program that keeps using the
/// same tags allocates nothing.
template <class Entry, std::size_t Which>
class ChainIndex {
 public:
  struct Chain : List<Entry, Which> {
    ChainKey key{};
  };

  ChainIndex() : table_(first_size) {}

  /// Null when there is no such chain; an empty one may be found too.
  Chain* find(ChainKey const& key) const { return table_[place_of(key)]; }

  Chain& get(ChainKey const& key) {
    if (recent_ && recent_->key == key) return *recent_;
    std::size_t place = place_of(key);
    if (!table_[place]) {
      if ((used_ + 1) * 2 > table_.size()) {
        make_room();
        place = place_of(key);
      }
      table_[place] = &fresh(key);
      ++used_;
    }
    recent_ = table_[place];
    return *recent_;
  }

 private:
  static constexpr std::size_t first_size = 64;

  /// Where the chain is or would be.
  std::size_t place_of(ChainKey const& key) const {
    const std::size_t mask = table_.size() - 1;
    for (std::size_t i = key.hash() & mask;; i = (i + 1) & mask)
      if (Chain const* const chain = table_[i]; !chain || chain->key == key) return i;
  }

  Chain& fresh(ChainKey const& key) {
    Chain* chain = nullptr;
    if (spare_.empty()) {
      chain = &chains_.emplace_back();
    } else {
      chain = spare_.back();
      spare_.pop_back();
    }
    chain->key = key;
    return *chain;
  }

  /// Drops the empty chains; grows only if the rest still fills a quarter.
  void make_room() {
    std::vector<Chain*> kept;
    for (Chain* const chain : table_) {
      if (!chain) continue;
      (chain->empty() ? spare_ : kept).push_back(chain);
    }
    const std::size_t size = kept.size() * 4 > table_.size() ? table_.size() * 2 : table_.size();
    table_.assign(size, nullptr);
    for (Chain* const chain : kept) table_[place_of(chain->key)] = chain;
    used_ = kept.size();
    recent_ = nullptr;
  }

  std::vector<Chain*> table_;
  std::size_t used_ = 0;
  Chain* recent_ = nullptr;  ///< last result of get()
  std::deque<Chain> chains_;
  std::vector<Chain*> spare_;
};

}  // namespace earl
