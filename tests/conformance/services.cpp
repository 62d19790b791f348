// SPDX-License-Identifier: BSD-3-Clause
/// EXEC's services: groups, barriers and events with names, entries, presence, notices of ends; and
/// clocks.
#include <set>
#include <string>

#include "generic/exec_client.hpp"
#include "tests/conformance/conformance.hpp"

namespace earl::conformance::services {

namespace {

void meet(Process& me, int n, char const* name) {
  EARL_EXPECT(me.exec().named_barrier({.name = name, .count = n}).fault == GroupFault::none);
}

void groups(Process& me, int n) {
  auto const size = static_cast<std::uint32_t>(n);
  EARL_EXPECT(me.exec().group_members("all").fault == GroupFault::no_group || n > 1);
  const GroupAnswer joined = me.exec().join_group("all");
  EARL_EXPECT(joined.fault == GroupFault::none && joined.instance >= 0 && joined.instance < n);
  EARL_EXPECT(me.exec().join_group("all").fault == GroupFault::already_member);
  meet(me, n, "joined");
  const Members members = me.exec().group_members("all");
  EARL_EXPECT(members.size() == size && members.instance_of(me.rank()) == joined.instance);
  EARL_EXPECT(me.exec().group_barrier({.name = "all", .count = 0}).fault == GroupFault::bad_count);
  EARL_EXPECT(me.exec().group_barrier({.name = "all"}).size == size);
  EARL_EXPECT(me.exec().freeze_group({.name = "all", .count = n}).size == size);
  EARL_EXPECT(me.exec().group_members("all").frozen);
  meet(me, n, "frozen");
  EARL_EXPECT(me.exec().leave_group("all").fault == GroupFault::none);
  meet(me, n, "left");
  EARL_EXPECT(me.exec().group_members("all").fault == GroupFault::no_group);
}

/// An event is posted until it is cleared.
void events(Process& me, int n) {
  bool const first = me.rank() == Rank{0};
  if (first) EARL_EXPECT(!me.exec().post_event("go").posted);
  me.exec().wait_event("go");
  meet(me, n, "gone");
  if (first) {
    EARL_EXPECT(me.exec().post_event("go").posted);
    EARL_EXPECT(me.exec().clear_event("go").posted);
    EARL_EXPECT(!me.exec().clear_event("go").posted);
  }
  meet(me, n, "cleared");
}

void entries(Process& me, int n) {
  auto const own = std::to_string(number(me.rank()));
  auto const put = me.exec().put_entry({.name = "entry", .several = true, .data = own});
  EARL_EXPECT(put.fault == StoreFault::none && put.index >= 0 && put.index < n);
  EARL_EXPECT(me.exec().put_entry({.name = "entry", .index = put.index, .unique = true}).fault ==
              StoreFault::denied);
  std::set<std::string> found;
  for (int i = 0; i < n; ++i)
    found.insert(me.exec().get_entry({.name = "entry", .index = i, .wait = true}).data);
  EARL_EXPECT(found.size() == static_cast<std::size_t>(n) && found.contains(own));
  EARL_EXPECT(me.exec().entries().entries.size() == static_cast<std::size_t>(n));
  meet(me, n, "read");
  auto const other = (put.index + 1) % n;
  if (n > 1)
    EARL_EXPECT(me.exec().get_entry({.name = "entry", .index = other, .remove = true}).fault ==
                StoreFault::denied);
  meet(me, n, "denied");
  EARL_EXPECT(me.exec().get_entry({.name = "entry", .index = put.index, .remove = true}).data ==
              own);
  meet(me, n, "removed");
  EARL_EXPECT(me.exec().get_entry({.name = "entry", .first = true}).fault == StoreFault::not_found);
}

void presence(Process& me, int n) {
  const ProcessList processes = me.exec().processes();
  EARL_EXPECT(me.table().count() == me.table().initial());
  for (int i = 0; i < n; ++i)
    EARL_EXPECT(processes.has(Rank{i}) && me.exec().status(Rank{i}).alive &&
                me.exec().status(Rank{i}).known);
  EARL_EXPECT(!processes.has(Rank{n}) && !me.exec().status(Rank{n}).known);
  const HostList there = me.exec().hosts();
  EARL_EXPECT(!there.hosts.empty() && !there.hosts.front().name.empty());
}

void clocks(Process& me) {
  auto const wall = me.clock();
  auto const used = me.clock(Process::Time::cpu);
  while (me.clock() == wall) {
  }
  while (me.clock(Process::Time::cpu) == used) {
  }
  EARL_EXPECT(me.clock() > wall && me.clock(Process::Time::cpu) > used);
}

/// The last one leaves the services; the first is notified, once for all its requests.
void notices(Process& me, int n) {
  const Tag ended{7};
  AllRanks const all_ranks(me);
  if (me.rank() == Rank{0})
    EARL_EXPECT(me.exec().notify({.subject = n - 1, .tag = ended, .body = "gone"}).waits);
  all_ranks.barrier();
  if (me.rank() == Rank{n - 1}) me.exec().retire();
  if (me.rank() != Rank{0}) return;
  const Message notice = me.take({.source = exec_rank, .tag = TagMatch::exactly(ended)});
  EARL_EXPECT(notice.body.size() == 4 && !me.exec().processes().has(Rank{n - 1}));
}

}  // namespace

void run(Process& me, int n) {
  groups(me, n);
  events(me, n);
  entries(me, n);
  presence(me, n);
  clocks(me);
  if (n > 1) notices(me, n);
}

}  // namespace earl::conformance::services
