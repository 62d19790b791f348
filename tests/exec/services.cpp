/// What EXEC's services answer, and when, at a desk that writes everything down.
#include <catch2/catch.hpp>
#include <map>

#include "exec/services/bureau.hpp"

using namespace earl;
using namespace earl::exec;

namespace {

class TestDesk final : public Desk {
 public:
  TestDesk() {
    for (int i = 0; i < 4; ++i) roster_.add({});
  }
  void send_answer(Owed const& owed, Bytes answer) override {
    answers_.insert_or_assign(owed.ticket, Buffer{Gather{answer}});
  }
  void tell(Rank to, Header const& header, Bytes payload) override {
    told.push_back({to, header.tag,
                    std::string(reinterpret_cast<char const*>(payload.data()), payload.size())});
  }
  Roster const& roster() const override { return roster_; }
  HostList hosts() const override { return {.hosts = {{.name = "here"}, {.name = "there"}}}; }

  /// Asks as `rank`; gives the ticket.
  template <class Request>
  std::uint32_t ask(int rank, Operation operation, Request const& request) {
    Writer bytes;
    request.write(bytes);
    Reader from(bytes.bytes());
    Owed const owed{
        .to = Rank{rank}, .ticket = ++tickets_, .operation = static_cast<std::uint32_t>(operation)};
    CHECK(bureau.serve(owed, from));
    return owed.ticket;
  }
  bool answered(std::uint32_t ticket) const { return answers_.contains(ticket); }
  template <class Answer>
  Answer answer(std::uint32_t ticket) const {
    REQUIRE(answered(ticket));
    Reader from(answers_.at(ticket).bytes());
    return Answer::read(from);
  }
  template <class Answer, class Request>
  Answer get(int rank, Operation operation, Request const& request) {
    return answer<Answer>(ask(rank, operation, request));
  }
  GroupAnswer join(int rank) {
    return get<GroupAnswer>(rank, Operation::group_join, NameRequest{"g"});
  }
  GroupAnswer leave(int rank) {
    return get<GroupAnswer>(rank, Operation::group_leave, NameRequest{"g"});
  }
  std::uint32_t barrier(int rank, int count) {
    return ask(rank, Operation::group_barrier, MeetRequest{.name = "g", .count = count});
  }

  void start(int rank) { roster_.set_life(Rank{rank}, Life::registered); }

  struct Told {
    Rank to;
    std::int32_t tag;
    std::string body;
  };
  std::vector<Told> told{};
  Bureau bureau{*this};

 private:
  Roster roster_{8};
  std::map<std::uint32_t, Buffer> answers_;
  std::uint32_t tickets_ = 0;
};

}  // namespace

TEST_CASE("who joins a group gets the lowest free instance") {
  TestDesk desk;
  CHECK(desk.join(2).instance == 0);
  CHECK(desk.join(0).instance == 1);
  CHECK(desk.join(1).instance == 2);
  CHECK(desk.join(1).fault == GroupFault::already_member);
  CHECK(desk.leave(0).fault == GroupFault::none);
  CHECK(desk.leave(0).fault == GroupFault::not_member);
  auto const members = desk.get<Members>(3, Operation::group_members, NameRequest{"g"});
  CHECK(members.ranks == std::vector{Rank{2}, no_rank, Rank{1}});
  CHECK(members.size() == 2);
  CHECK(members.instance_of(Rank{1}) == 2);
  CHECK(desk.join(3).instance == 1);
}

TEST_CASE("an empty group is gone, and so is the group of the dead") {
  TestDesk desk;
  CHECK(desk.leave(0).fault == GroupFault::no_group);
  desk.join(0);
  desk.bureau.died(Rank{0}, 0);
  auto const members = desk.get<Members>(1, Operation::group_members, NameRequest{"g"});
  CHECK(members.fault == GroupFault::no_group);
}

TEST_CASE("a group's barrier waits for its count, and a wrong count harms nobody") {
  TestDesk desk;
  desk.join(0);
  desk.join(1);
  desk.join(2);
  CHECK(desk.answer<GroupAnswer>(desk.barrier(3, 2)).fault == GroupFault::not_member);
  CHECK(desk.answer<GroupAnswer>(desk.barrier(0, 0)).fault == GroupFault::bad_count);
  auto const first = desk.barrier(0, everybody);
  CHECK_FALSE(desk.answered(first));
  CHECK(desk.answer<GroupAnswer>(desk.barrier(1, 2)).fault == GroupFault::mismatch);
  auto const second = desk.barrier(1, 3);
  CHECK_FALSE(desk.answered(second));
  desk.barrier(2, everybody);
  CHECK(desk.answer<GroupAnswer>(first).instance == 0);
  CHECK(desk.answer<GroupAnswer>(second).instance == 1);
  auto const next_round = desk.barrier(0, 2);
  CHECK_FALSE(desk.answered(next_round));
  desk.barrier(1, 2);
  CHECK(desk.answered(next_round));
}

TEST_CASE("a frozen group takes nobody in, and who leaves ends its barriers") {
  TestDesk desk;
  desk.join(0);
  desk.join(1);
  auto const first = desk.ask(0, Operation::group_freeze, MeetRequest{.name = "g"});
  desk.ask(1, Operation::group_freeze, MeetRequest{.name = "g"});
  CHECK(desk.answer<GroupAnswer>(first).size == 2);
  CHECK(desk.join(2).fault == GroupFault::frozen);
  auto const waits = desk.barrier(0, 2);
  desk.bureau.died(Rank{1}, 9);
  CHECK(desk.answer<GroupAnswer>(waits).fault == GroupFault::no_group);
  CHECK(desk.answer<GroupAnswer>(desk.barrier(0, 1)).fault == GroupFault::no_group);
  CHECK(desk.leave(0).fault == GroupFault::none);
  CHECK(desk.join(2).instance == 0);
}

TEST_CASE("nobody waits on for a member of its group that has ended") {
  TestDesk desk;
  for (int rank = 0; rank < 3; ++rank) desk.join(rank);
  auto const first = desk.barrier(0, everybody);
  auto const second = desk.barrier(1, 3);
  desk.bureau.died(Rank{2}, 0);
  CHECK(desk.answer<GroupAnswer>(first).fault == GroupFault::no_group);
  CHECK(desk.answer<GroupAnswer>(second).fault == GroupFault::no_group);

  // One that has left may come back.
  desk.join(2);
  auto const third = desk.barrier(0, 3);
  desk.leave(2);
  CHECK_FALSE(desk.answered(third));
  desk.join(2);
  desk.barrier(2, 3);
  CHECK_FALSE(desk.answered(third));
  desk.bureau.died(Rank{2}, 0);
  CHECK(desk.answer<GroupAnswer>(third).fault == GroupFault::no_group);

  // Enough are left.
  auto const two = desk.barrier(0, 2);
  desk.join(2);
  desk.bureau.died(Rank{2}, 0);
  CHECK_FALSE(desk.answered(two));
  desk.barrier(1, 2);
  CHECK(desk.answer<GroupAnswer>(two).fault == GroupFault::none);
}

TEST_CASE("a barrier with a name needs no group, and the dead do not count") {
  TestDesk desk;
  MeetRequest const request{.name = "b", .count = 2};
  auto const first = desk.ask(0, Operation::barrier, request);
  desk.bureau.died(Rank{0}, 0);
  auto const second = desk.ask(1, Operation::barrier, request);
  CHECK_FALSE(desk.answered(second));
  desk.ask(2, Operation::barrier, request);
  CHECK(desk.answered(second));
  CHECK_FALSE(desk.answered(first));
  auto const bad = desk.get<GroupAnswer>(1, Operation::barrier, MeetRequest{.name = "b"});
  CHECK(bad.fault == GroupFault::bad_count);
}

TEST_CASE("an event stays posted until it is cleared") {
  TestDesk desk;
  NameRequest const event{"e"};
  auto const waits = desk.ask(0, Operation::event_wait, event);
  CHECK_FALSE(desk.answered(waits));
  CHECK_FALSE(desk.get<EventAnswer>(1, Operation::event_post, event).posted);
  CHECK(desk.answered(waits));
  CHECK(desk.get<EventAnswer>(2, Operation::event_wait, event).posted);
  CHECK(desk.get<EventAnswer>(2, Operation::event_clear, event).posted);
  CHECK_FALSE(desk.answered(desk.ask(2, Operation::event_wait, event)));
}

TEST_CASE("an entry belongs to who put it") {
  TestDesk desk;
  auto const put = [&](int rank, StorePut request) {
    request.name = "n";
    return desk.get<StoreAnswer>(rank, Operation::store_put, request);
  };
  auto const get = [&](int rank, StoreGet request) {
    request.name = "n";
    return desk.get<StoreAnswer>(rank, Operation::store_get, request);
  };
  CHECK(put(0, {.data = "mine"}).index == 0);
  CHECK(put(0, {.data = "new"}).fault == StoreFault::none);
  CHECK(put(0, {.unique = true}).fault == StoreFault::denied);
  CHECK(put(1, {.data = "other"}).fault == StoreFault::denied);
  CHECK(put(1, {.several = true, .overwritable = true, .data = "second"}).index == 1);
  CHECK(put(2, {.index = 1, .persistent = true, .data = "third"}).index == 1);
  CHECK(get(3, {}).data == "new");
  CHECK(get(3, {.index = 1, .first = true}).data == "third");
  CHECK(get(3, {.remove = true}).fault == StoreFault::denied);
  CHECK(get(3, {.index = 2, .first = true}).fault == StoreFault::not_found);
  auto const listing = desk.get<StoreListing>(3, Operation::store_list, NameRequest{});
  REQUIRE(listing.entries.size() == 2);
  CHECK(listing.entries[1].owner == Rank{2});

  desk.bureau.died(Rank{0}, 0);
  desk.bureau.died(Rank{2}, 0);
  CHECK(get(3, {}).fault == StoreFault::not_found);
  CHECK(get(3, {.index = 1}).data == "third");
  CHECK(desk.get<StoreListing>(3, Operation::store_list, NameRequest{}).entries[0].owner ==
        no_rank);
}

TEST_CASE("who waits for an entry gets it when it comes") {
  TestDesk desk;
  auto const waits =
      desk.ask(0, Operation::store_get, StoreGet{.name = "n", .index = 1, .wait = true});
  desk.ask(1, Operation::store_put, StorePut{.name = "n"});
  CHECK_FALSE(desk.answered(waits));
  desk.ask(1, Operation::store_put, StorePut{.name = "n", .index = 1, .data = "here"});
  CHECK(desk.answer<StoreAnswer>(waits).data == "here");
}

TEST_CASE("the end of a process is told once, to who asked") {
  TestDesk desk;
  NoticeRequest request{.subject = 1, .tag = Tag{7}, .body = "gone"};
  CHECK(desk.get<NoticeAnswer>(0, Operation::notice, request).waits);
  CHECK(desk.told.empty());
  desk.bureau.died(Rank{1}, 0);
  REQUIRE(desk.told.size() == 1);
  CHECK(desk.told[0].to == Rank{0});
  CHECK(desk.told[0].tag == 7);
  CHECK(desk.told[0].body == "gone");
  desk.bureau.died(Rank{1}, 0);
  CHECK(desk.told.size() == 1);
  // It has ended: told at once. So is who asks about somebody who never was.
  CHECK_FALSE(desk.get<NoticeAnswer>(0, Operation::notice, request).waits);
  CHECK(desk.told.size() == 2);
  request.subject = 77;
  desk.ask(0, Operation::notice, request);
  CHECK(desk.told.size() == 3);
}

TEST_CASE("a cancelled notice comes now, and only if it was wanted") {
  TestDesk desk;
  NoticeRequest request{.subject = 1, .tag = Tag{7}};
  request.cancel = true;
  desk.ask(0, Operation::notice, request);
  CHECK(desk.told.empty());
  request.cancel = false;
  desk.ask(0, Operation::notice, request);
  request.cancel = true;
  desk.ask(0, Operation::notice, request);
  CHECK(desk.told.size() == 1);
  desk.bureau.died(Rank{1}, 0);
  CHECK(desk.told.size() == 1);
}

TEST_CASE("who retires is gone for the others") {
  TestDesk desk;
  desk.join(1);
  desk.ask(0, Operation::notice, NoticeRequest{.subject = 1});
  desk.ask(1, Operation::retire, Done{});
  CHECK(desk.told.size() == 1);
  auto const list = desk.get<ProcessList>(0, Operation::processes, Done{});
  CHECK(list.has(Rank{0}));
  CHECK_FALSE(list.has(Rank{1}));
  CHECK_FALSE(list.has(Rank{4}));
  // Its groups are gone too; by asking it is there again.
  CHECK(desk.leave(1).fault == GroupFault::no_group);
  auto const back = desk.get<ProcessList>(1, Operation::processes, Done{});
  CHECK(back.id_of(Rank{1}) == id_after(Rank{1}, 1));
  CHECK_FALSE(back.has(Rank{1}));
}

TEST_CASE("who comes back is somebody new") {
  TestDesk desk;
  desk.ask(1, Operation::retire, Done{});
  desk.join(1);
  CHECK(desk.get<Members>(0, Operation::group_members, NameRequest{"g"}).ranks.front() ==
        id_after(Rank{1}, 1));
  // Who it was is gone for good; who it is now is not, until it leaves again.
  CHECK_FALSE(desk.get<NoticeAnswer>(0, Operation::notice, NoticeRequest{.subject = 1}).waits);
  auto const subject = number(id_after(Rank{1}, 1));
  CHECK(desk.get<NoticeAnswer>(0, Operation::notice, NoticeRequest{.subject = subject}).waits);
  desk.ask(1, Operation::retire, Done{});
  CHECK(desk.told.size() == 2);
}

TEST_CASE("who has come back often enough has its first id again") {
  TestDesk desk;
  for (std::uint32_t n = 0; n <= most_returns; ++n) desk.ask(1, Operation::retire, Done{});
  CHECK(desk.get<ProcessList>(1, Operation::processes, Done{}).has(Rank{1}));
}

TEST_CASE("who is frozen with a group cannot join or freeze it again") {
  TestDesk desk;
  desk.join(0);
  desk.ask(0, Operation::group_freeze, MeetRequest{.name = "g", .count = 1});
  CHECK(desk.join(0).fault == GroupFault::frozen);
  auto const again =
      desk.get<GroupAnswer>(0, Operation::group_freeze, MeetRequest{.name = "g", .count = 1});
  CHECK(again.fault == GroupFault::already_member);
}

TEST_CASE(
    "who waits for the others at a barrier of a group lacks those members that are not there") {
  TestDesk desk;
  for (int rank = 0; rank < 3; ++rank) desk.join(rank);
  desk.barrier(0, 3);
  auto const lack = desk.bureau.lack_of(Rank{0});
  REQUIRE(lack);
  CHECK(lack->what == "the barrier of the group \"g\" of 3");
  CHECK(lack->from == std::vector{Rank{1}, Rank{2}});
  CHECK(lack->all);
  CHECK(lack->others);  // somebody may join
  CHECK(!desk.bureau.lack_of(Rank{1}));
  desk.ask(3, Operation::group_join, NameRequest{"g"});
  CHECK(!desk.bureau.lack_of(Rank{0})->all);  // two of three will do
}

TEST_CASE("who waits at a barrier that has a name lacks whoever lives and is not there") {
  TestDesk desk;
  for (int rank = 0; rank < 3; ++rank) desk.start(rank);
  desk.ask(1, Operation::barrier, MeetRequest{.name = "b", .count = 3});
  auto const lack = desk.bureau.lack_of(Rank{1});
  REQUIRE(lack);
  CHECK(lack->what == "the barrier \"b\" of 3");
  CHECK(lack->from == std::vector{Rank{0}, Rank{2}});
  CHECK(lack->all);
}

TEST_CASE("who waits for an event or an entry lacks nobody in particular") {
  TestDesk desk;
  desk.ask(0, Operation::event_wait, NameRequest{"e"});
  desk.ask(1, Operation::store_get, StoreGet{.name = "x", .wait = true});
  CHECK(desk.bureau.lack_of(Rank{0})->what == "the event \"e\"");
  CHECK(desk.bureau.lack_of(Rank{0})->from.empty());
  CHECK(desk.bureau.lack_of(Rank{1})->what == "an entry \"x\" in the mailbox");
  CHECK(desk.bureau.lack_of(Rank{1})->others);
  desk.ask(2, Operation::event_post, NameRequest{"e"});
  CHECK(!desk.bureau.lack_of(Rank{0}));
}

TEST_CASE("hosts are those that the job knows") {
  TestDesk desk;
  auto const list = desk.get<HostList>(0, Operation::hosts, Done{});
  REQUIRE(list.hosts.size() == 2);
  CHECK(list.hosts[1].name == "there");
}
