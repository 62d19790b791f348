// SPDX-License-Identifier: BSD-3-Clause
/// EXEC's side of the id table: the only one that can write it.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "generic/base/id_table.hpp"
#include "generic/services/partitions.hpp"
#include "generic/system/descriptor.hpp"

namespace earl::exec {

/// The facts about a process before it starts.
struct NewRow {
  std::string_view program{};
  std::string_view front_end{};  ///< empty: a wrapper, the process itself will declare it
  Rank parent = no_rank;
  std::uint32_t batch = 0;
  std::uint32_t batch_size = 1;
  std::uint32_t flags = 0;
  std::uint32_t label = 0;
  std::uint32_t partition = 0;
  std::uint32_t place = 0;  ///< counts in a partition; elsewhere it follows from the front end
  Role role = Role::member;
  std::uint32_t host = 0;
  std::uint32_t visible_host = 0;
};

class Roster {
 public:
  /// For so many processes at a time. Throws Error when the host has no memory for it.
  explicit Roster(std::uint32_t most);
  ~Roster();
  Roster(Roster const&) = delete;
  Roster& operator=(Roster const&) = delete;

  /// Rows of the table.
  std::uint32_t capacity() const { return head_->capacity; }
  /// Ranks below this have been given or passed over.
  std::uint32_t count() const { return head_->count.load(std::memory_order_relaxed); }
  /// Processes that have been given a rank.
  std::uint64_t given() const { return given_; }
  std::uint32_t most() const { return most_; }
  /// Processes there is room for now.
  std::uint32_t room() const { return most_ - used_; }
  /// The number of the next spawn.
  std::uint32_t next_batch() { return ++batches_; }
  bool full() const { return room() == 0 || index(next()) >= most_ranks_ever; }
  /// A read-only descriptor.
  int descriptor() const { return shared_.get(); }

  /// Called for each piece of the table that changes, by its bytes from the beginning.
  using Watcher = std::function<void(std::uint32_t at, Bytes bytes)>;
  void watch(Watcher watcher) { watcher_ = std::move(watcher); }
  struct Copied {
    Rank rank{};
    bool first = false;  ///< the row was another's, or unused
  };
  /// Makes this a copy: a piece of the table that EXEC has on another host. Returns the rank it is
  /// of; null: it is no row. Throws Error when it is no piece.
  std::optional<Copied> copy_in(std::uint32_t at, Bytes bytes);

  /// The Rank that comes next, and the first from there on whose row is free.
  Rank next() const { return next_from(count()); }
  Rank next_free() const;
  bool is_free(Rank rank) const { return !taken_[slot_of(rank, capacity())]; }
  /// Returns next_free(), alive as RankState::reserved. Asked only when not full().
  Rank add(NewRow const& row) { return add(row, next_free()); }
  /// Returns that one, which is free and not before next().
  Rank add(NewRow const& row, Rank rank);
  /// Nothing is left of the process, which has ended: its row may be another's.
  void release(Rank rank);
  /// A reserved rank gets its process.
  void fill(Rank rank, NewRow const& row);
  void set_initial(std::uint32_t count);
  /// IdTable::uniform(): all that are there, before the first process runs.
  void set_uniform();
  /// IdTable::message_memory(), before the first process.
  void set_message_memory(std::uint64_t bytes);
  void set_state(Rank rank, RankState state);
  void set_pid(Rank rank, std::int32_t unix_pid);
  /// The process's declaration; where a wrapper hid it, its place is assigned now.
  void learn_front_end(Rank rank, std::string_view name);
  void set_role(Rank rank, Role role);

  void set_partition(std::uint32_t number, std::uint32_t places, Rank host);
  void set_host(std::uint32_t number, Rank host);
  /// no_rank: none (any more).
  Rank host_of(std::uint32_t number) const;
  std::uint32_t places_of(std::uint32_t number) const;
  /// The process of that place and label; of several the last.
  std::optional<Rank> find(Places const& where) const;

  RankState state(Rank rank) const {
    return static_cast<RankState>(at(rank).state.load(std::memory_order_relaxed));
  }
  bool lives(Rank rank) const {
    return state(rank) == RankState::started || state(rank) == RankState::registered;
  }
  IdRow const& at(Rank rank) const { return rows_[slot_of(rank, capacity())]; }
  /// It was given and has not been released.
  bool has(Rank rank) const {
    return number(rank) >= 0 && index(rank) < count() && !is_free(rank) &&
           at(rank).rank.load(std::memory_order_relaxed) == number(rank);
  }
  /// Calls visit(Rank) for each that has() is true of, by row.
  template <class Visit>
  void each(Visit const& visit) const {
    for (std::uint32_t n = 0; n < count() && n < capacity(); ++n)
      if (taken_[n]) visit(Rank{rows_[n].rank.load(std::memory_order_relaxed)});
  }

 private:
  /// Partition, place, label.
  using PlaceKey = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;
  /// The processes of one front end.
  struct Members {
    std::uint32_t count = 0;
    std::set<std::uint32_t> places{};
  };

  IdRow& row(Rank rank) { return rows_[slot_of(rank, capacity())]; }
  Rank next_from(std::uint32_t rank) const;
  void write(Rank rank, NewRow const& row);
  void enrol(Rank rank);
  void note_host(Rank rank);
  void changed(Rank rank) const;
  void head_changed() const;

  Watcher watcher_{};
  Descriptor memory_;
  Descriptor shared_;
  std::uint32_t most_ = 0;
  std::uint32_t used_ = 0;
  std::uint64_t given_ = 0;
  std::uint32_t batches_ = 0;
  std::vector<bool> taken_{};  ///< by row
  std::size_t bytes_ = 0;
  IdHead* head_ = nullptr;
  IdRow* rows_ = nullptr;
  NamedHost* hosts_ = nullptr;
  std::map<PlaceKey, Rank> by_place_{};                    ///< the last process of each
  std::map<std::string, Members, std::less<>> members_{};  ///< those behind wrappers: of ""
};

}  // namespace earl::exec
