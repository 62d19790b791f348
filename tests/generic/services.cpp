// SPDX-License-Identifier: BSD-3-Clause
/// Requests to EXEC's services and their answers, as bytes and back.
#include <catch2/catch.hpp>

#include "generic/base/error.hpp"
#include "generic/services/groups.hpp"
#include "generic/services/notices.hpp"
#include "generic/services/store.hpp"

using namespace earl;

namespace {

template <class What>
What journey(What const& what) {
  Writer writer;
  writer(what);
  for (std::size_t size = 0; size < writer.bytes().size(); ++size) {
    Reader cut{writer.bytes().first(size)};
    CHECK_THROWS_AS(cut.get<What>(), Error);
  }
  Reader reader{writer.bytes()};
  What const again = reader.get<What>();
  CHECK(reader.at_end());
  return again;
}

}  // namespace

TEST_CASE("groups survive the journey") {
  auto const members =
      journey(Members{.fault = GroupFault::none, .frozen = true, .ranks = {Rank{3}, no_rank}});
  CHECK(members.frozen);
  CHECK(members.ranks == std::vector{Rank{3}, no_rank});
  CHECK(members.size() == 1);
  auto const answer = journey(GroupAnswer{.fault = GroupFault::mismatch, .instance = 2, .size = 7});
  CHECK(answer.fault == GroupFault::mismatch);
  CHECK(answer.instance == 2);
  CHECK(answer.size == 7);
  CHECK(journey(MeetRequest{.name = "g", .count = -1}).count == all_members);
}

TEST_CASE("entries of the store survive the journey") {
  auto const put = journey(StorePut{.name = "n",
                                    .index = 4,
                                    .several = true,
                                    .unique = true,
                                    .word = 5,
                                    .data = std::string(3, '\0')});
  CHECK(put.name == "n");
  CHECK(put.index == 4);
  CHECK(put.several);
  CHECK_FALSE(put.overwritable);
  CHECK(put.unique);
  CHECK_FALSE(put.persistent);
  CHECK(put.data.size() == 3);
  auto const get = journey(StoreGet{.name = "n", .first = true, .wait = true});
  CHECK(get.first);
  CHECK_FALSE(get.remove);
  CHECK(get.wait);
  auto const listing = journey(StoreListing{.entries = {{.name = "n", .owner = Rank{1}}}});
  REQUIRE(listing.entries.size() == 1);
  CHECK(listing.entries[0].owner == Rank{1});
}

TEST_CASE("notices and lists survive the journey") {
  NoticeRequest const request{.what = NoticeEvent::host_deleted,
                              .subject = -3,
                              .context = context_of(Space::user, 9),
                              .tag = Tag{8},
                              .encoding = Encoding::xdr,
                              .body = "x"};
  CHECK(journey(request) == request);
  ProcessList list;
  list.add(Rank{0});
  list.add(Rank{17});
  auto const again = journey(list);
  CHECK(again.has(Rank{17}));
  CHECK_FALSE(again.has(Rank{16}));
  CHECK_FALSE(again.has(Rank{4000}));
  CHECK_FALSE(again.has(any_rank));
  auto const hosts =
      journey(HostList{.hosts = {{.name = "h", .processors = 2, .clock_origin = 3}}});
  CHECK(hosts.hosts.at(0).clock_origin == 3);
}
