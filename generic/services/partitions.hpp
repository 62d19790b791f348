// SPDX-License-Identifier: BSD-3-Clause
/// Requests about partitions, and EXEC's answers. A partition is a numbered set of places that
/// processes are loaded into, several to a place where their labels differ (NX: a cube, its nodes,
/// and the pids on them). The process that allocated or attached it is its host; the host's place
/// is the one after the last.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "generic/services/operations.hpp"

namespace earl {

inline constexpr std::int32_t any_place = -1;  ///< or label: all of them

/// Processes of a partition by where they are.
struct Places {
  std::uint32_t partition = 0;
  std::int32_t place = any_place;
  std::int32_t label = any_place;

  bool covers(std::int32_t other_place, std::int32_t other_label) const {
    return (place == any_place || place == other_place) &&
           (label == any_place || label == other_label);
  }
  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(self.partition, self.place, self.label);
  }
};

/// Get places under a name; released when the host ends unless `keep`.
struct AllocateRequest {
  std::string name{};
  std::uint32_t places = 1;
  bool keep = false;

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(self.name, self.places, self.keep);
  }
};

enum class PartitionFault : std::uint32_t { none, exists, unknown, full };

/// To allocate and attach: the partition is this process's now.
struct PartitionAnswer {
  PartitionFault fault = PartitionFault::none;
  std::uint32_t partition = 0;
  std::uint32_t places = 0;

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(clamped(self.fault, PartitionFault::full), self.partition, self.places);
  }
};

/// Make `name` the caller's partition; an empty name: the one that was allocated last.
struct AttachRequest {
  std::string name{};

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(self.name);
  }
};

struct PartitionFacts {
  std::string name{};
  std::uint32_t places = 0;
  std::uint32_t processes = 0;  ///< alive in it
  bool attached = false;        ///< has a host that lives

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(self.name, self.places, self.processes, self.attached);
  }
};

struct PartitionList {
  std::vector<PartitionFacts> all{};

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(limited(self.all, 65'536, "partitions"));
  }
};

/// Ranks, one for each place asked about, in their order.
struct ReserveAnswer {
  std::vector<Rank> ranks{};  ///< empty: there is no such place, or no room

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(limited(self.ranks, 65'536, "places"));
  }
};

/// Start one process on each place; the label must be given. `held`: they start when released.
struct LoadRequest {
  SpawnRequest what{};  ///< its count and label do not matter
  Places where{};
  bool held = false;

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(self.what, self.where, self.held);
  }
};

enum class LoadFault : std::uint32_t {
  none,
  not_started,  ///< started.fault says why
  unknown,      ///< there is no such partition or place
  in_use,       ///< a process of that label is on that place already
};

struct LoadAnswer {
  LoadFault fault = LoadFault::none;
  SpawnAnswer started{};

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(clamped(self.fault, LoadFault::in_use), self.started);
  }
};

/// A forked child of the caller is to be the process of that place and label. The request carries
/// EXEC's end of the child's line.
struct AdoptRequest {
  Places where{};
  std::int32_t unix_pid = 0;

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(self.where, self.unix_pid);
  }
};

/// One that has ended and has not been waited for, or with Operation::wait_all the last of them.
struct WaitAnswer {
  bool known = false;  ///< a process was there to be waited for
  Rank rank = no_rank;
  std::int32_t place = 0;
  std::int32_t label = 0;
  std::int32_t wait_status = 0;  ///< as of waitpid(2)

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(self.known, self.rank, self.place, self.label, self.wait_status);
  }
};

/// The number of processes that an operation has reached.
struct CountAnswer {
  std::uint32_t count = 0;

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(self.count);
  }
};

}  // namespace earl
