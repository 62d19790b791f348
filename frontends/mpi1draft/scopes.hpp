// SPDX-License-Identifier: BSD-3-Clause
/// Groups, group contexts and communication contexts: one stack with two kinds of frames.
///
/// A group context renumbers the processes and hides all earlier objects; a communication
/// context is a third selector beside source and type. Objects that are made inside a group
/// context end with it.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "generic/base/values.hpp"
#include "generic/collectives/collectives.hpp"

namespace earl::mpi1draft {

inline constexpr int all = 1;  ///< ALL: all processes of the current group context

/// A group as its members know it.
struct Members {
  int gid = all;
  std::vector<Rank> ranks{};  ///< by GCPID
  std::size_t me = 0;         ///< the caller's GCPID
  std::uint32_t pushes = 0;   ///< how many times it was made a context
  std::size_t depth = 0;      ///< how many group contexts deep it was made

  int size() const { return static_cast<int>(ranks.size()); }
  /// For the core's collectives; valid as long as this is.
  Group group() const;
};

class Scopes {
 public:
  /// All ranks are in one group, whose context is the first.
  Scopes(std::vector<Rank> all_ranks, std::size_t me);

  // --- groups
  /// ALL is the group of the current context. Status 2: there is no such group here.
  Members& find(int gid);
  /// Null: the caller is in no group of that number; status 2 when it can be none here.
  Members* find_or_null(int gid);
  /// Its depth is filled in.
  void add(Members group);
  /// Status 2: ALL, or a group whose context exists.
  void free(int gid);

  // --- group contexts
  Members const& current() const { return *frames_.back().group; }
  /// At top level processes have PIDs, below GCPIDs.
  bool at_top() const { return frames_.size() == 1; }
  std::size_t depth() const { return frames_.size() - 1; }
  /// Status 12: too many.
  void push_group(int gid);
  /// Returns the GID of the group whose context is restored. Status 17.
  int pop_group();

  // --- communication contexts of the current group context
  /// Returns the CCID; status 11.
  int new_context();
  /// Status 4.
  void push_context(int ccid);
  /// Returns the CCID that is back; the default one cannot be left.
  int pop_context();
  int contexts() const { return frames_.back().contexts; }
  /// Where messages travel now.
  Context context() const { return context_; }

 private:
  struct Frame {
    Members* group = nullptr;
    std::uint32_t instance = 0;  ///< how many times the group had been pushed
    int contexts = 1;
    std::vector<int> pushed{};  ///< CCIDs above the default one
  };
  int ccid() const { return frames_.back().pushed.empty() ? 1 : frames_.back().pushed.back(); }
  void changed();

  std::map<int, Members> groups_{};
  std::vector<Frame> frames_{};
  Context context_ = common_context;
};

}  // namespace earl::mpi1draft
