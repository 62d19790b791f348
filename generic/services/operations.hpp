// SPDX-License-Identifier: BSD-3-Clause
/// Requests to EXEC and its answers: the process operations of the generic set, as plain structs
/// and as bytes. The same encoding is recorded in traces, so fields are only ever added at the end.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "generic/base/id_table.hpp"
#include "generic/base/values.hpp"
#include "generic/base/wire.hpp"

namespace earl {

enum class Operation : std::uint32_t {
  spawn = 1,
  signal = 2,
  status = 3,
  // generic/services/partitions.hpp
  allocate = 4,
  attach = 5,
  release = 6,
  partitions = 7,
  reserve = 8,
  load = 9,
  unhold = 10,
  wait_one = 11,
  wait_all = 12,
  end_processes = 13,
  adopt = 14,
  // generic/services/groups.hpp
  barrier = 32,
  event_post = 33,
  event_clear = 34,
  event_wait = 35,
  group_join = 36,
  group_leave = 37,
  group_members = 38,
  group_barrier = 39,
  group_freeze = 40,
  // generic/services/store.hpp
  store_put = 41,
  store_get = 42,
  store_list = 43,
  // generic/services/notices.hpp
  notice = 44,
  processes = 45,
  hosts = 46,
  retire = 47,
  calls = 48,
};

/// Start processes. The environment they get is EXEC's own, changed by `environment`.
struct SpawnRequest {
  std::string program{};                   ///< a path, or a name to look for in `search`
  std::vector<std::string> arguments{};    ///< without argv[0]
  std::vector<std::string> search{};       ///< folders, in order; after them the spawner's own
  std::vector<std::string> environment{};  ///< NAME=VALUE
  std::string folder{};                    ///< working directory; empty: the spawner's
  std::uint32_t count = 1;
  std::uint32_t flags = 0;  ///< a word for the children's front end, in their id table rows
  std::uint32_t label = 0;  ///< likewise (PVM: the context they start in)
  /// The only hosts they may run on, as HostList has them; empty: any.
  std::vector<std::uint32_t> hosts{};

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(self.program, self.arguments, self.search, self.environment, self.folder, self.count,
          self.flags, self.label, limited(self.hosts, most_hosts, "hosts to spawn on"));
  }
};

enum class SpawnFault : std::uint32_t { none, not_found, denied, no_room, foreign };

struct SpawnAnswer {
  std::vector<Rank> ranks{};  ///< those that were started
  SpawnFault fault = SpawnFault::none;
  std::string why{};  ///< a sentence, when fault is not none

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(limited(self.ranks, 65'536, "processes that were spawned"),
          clamped(self.fault, SpawnFault::foreign), self.why);
  }
};

/// Send a Unix signal; 0 only asks. The end this causes counts as asked for.
struct SignalRequest {
  Rank target = no_rank;
  std::int32_t signal = 0;

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(self.target, self.signal);
  }
};

/// The calls that the asking process and another one are in. EXEC asks both and waits a moment.
struct CallsAnswer {
  std::string own{};    ///< "gisum at file.c:7"; empty: not known
  std::string other{};  ///< likewise

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(self.own, self.other);
  }
};

struct StatusAnswer {
  bool known = false;  ///< such a process was there
  bool alive = false;

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(self.known, self.alive);
  }
};

}  // namespace earl
