// SPDX-License-Identifier: BSD-3-Clause
/// The answers of EXEC's services, and their times, at a service context that records everything.
#include <catch2/catch.hpp>
#include <map>

#include "exec/launcher/services/named_services.hpp"

using namespace earl;
using namespace earl::exec;

namespace {

class TestServiceContext final : public ServiceContext {
 public:
  TestServiceContext() {
    for (int i = 0; i < 4; ++i) roster_.add({});
  }
  void send_answer(PendingReply const& reply, Bytes answer) override {
    answers_.insert_or_assign(reply.ticket, Buffer{Gather{answer}});
  }
  void send_message(Rank to, Header const& header, Bytes payload) override {
    sent.push_back({to, header.tag,
                    std::string(reinterpret_cast<char const*>(payload.data()), payload.size())});
  }
  Roster const& roster() const override { return roster_; }
  HostList hosts() const override { return {.hosts = {{.name = "here"}, {.name = "there"}}}; }

  /// Asks as `rank`; gives the ticket.
  template <class Request>
  std::uint32_t ask(int rank, Operation operation, Request const& request) {
    Writer bytes;
    bytes(request);
    Reader from(bytes.bytes());
    PendingReply const reply{
        .to = Rank{rank}, .ticket = ++tickets_, .operation = static_cast<std::uint32_t>(operation)};
    CHECK(services.serve(reply, from));
    return reply.ticket;
  }
  bool answered(std::uint32_t ticket) const { return answers_.contains(ticket); }
  template <class Answer>
  Answer answer(std::uint32_t ticket) const {
    REQUIRE(answered(ticket));
    Reader from(answers_.at(ticket).bytes());
    return from.get<Answer>();
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

  void start(int rank) { roster_.set_state(Rank{rank}, RankState::registered); }

  struct Sent {
    Rank to;
    std::int32_t tag;
    std::string body;
  };
  std::vector<Sent> sent{};
  NamedServices services{*this};

 private:
  Roster roster_{8};
  std::map<std::uint32_t, Buffer> answers_;
  std::uint32_t tickets_ = 0;
};

}  // namespace

TEST_CASE("a process that joins a group gets the lowest free instance") {
  TestServiceContext context;
  CHECK(context.join(2).instance == 0);
  CHECK(context.join(0).instance == 1);
  CHECK(context.join(1).instance == 2);
  CHECK(context.join(1).fault == GroupFault::already_member);
  CHECK(context.leave(0).fault == GroupFault::none);
  CHECK(context.leave(0).fault == GroupFault::not_member);
  auto const members = context.get<Members>(3, Operation::group_members, NameRequest{"g"});
  CHECK(members.ranks == std::vector{Rank{2}, no_rank, Rank{1}});
  CHECK(members.size() == 2);
  CHECK(members.instance_of(Rank{1}) == 2);
  CHECK(context.join(3).instance == 1);
}

TEST_CASE("an empty group is gone, and so is the group of the dead") {
  TestServiceContext context;
  CHECK(context.leave(0).fault == GroupFault::no_group);
  context.join(0);
  context.services.died(Rank{0}, 0);
  auto const members = context.get<Members>(1, Operation::group_members, NameRequest{"g"});
  CHECK(members.fault == GroupFault::no_group);
}

TEST_CASE("a group's barrier waits for its count, and a wrong count harms no other") {
  TestServiceContext context;
  context.join(0);
  context.join(1);
  context.join(2);
  CHECK(context.answer<GroupAnswer>(context.barrier(3, 2)).fault == GroupFault::not_member);
  CHECK(context.answer<GroupAnswer>(context.barrier(0, 0)).fault == GroupFault::bad_count);
  auto const first = context.barrier(0, all_members);
  CHECK_FALSE(context.answered(first));
  CHECK(context.answer<GroupAnswer>(context.barrier(1, 2)).fault == GroupFault::mismatch);
  auto const second = context.barrier(1, 3);
  CHECK_FALSE(context.answered(second));
  context.barrier(2, all_members);
  CHECK(context.answer<GroupAnswer>(first).instance == 0);
  CHECK(context.answer<GroupAnswer>(second).instance == 1);
  auto const next_round = context.barrier(0, 2);
  CHECK_FALSE(context.answered(next_round));
  context.barrier(1, 2);
  CHECK(context.answered(next_round));
}

TEST_CASE("a frozen group takes no process in, and a leaving one ends its barriers") {
  TestServiceContext context;
  context.join(0);
  context.join(1);
  auto const first = context.ask(0, Operation::group_freeze, MeetRequest{.name = "g"});
  context.ask(1, Operation::group_freeze, MeetRequest{.name = "g"});
  CHECK(context.answer<GroupAnswer>(first).size == 2);
  CHECK(context.join(2).fault == GroupFault::frozen);
  auto const waits = context.barrier(0, 2);
  context.services.died(Rank{1}, 9);
  CHECK(context.answer<GroupAnswer>(waits).fault == GroupFault::no_group);
  CHECK(context.answer<GroupAnswer>(context.barrier(0, 1)).fault == GroupFault::no_group);
  CHECK(context.leave(0).fault == GroupFault::none);
  CHECK(context.join(2).instance == 0);
}

TEST_CASE("a barrier that waits for a member that has ended waits for another in its place") {
  TestServiceContext context;
  for (int rank = 0; rank < 3; ++rank) context.join(rank);
  auto const first = context.barrier(0, all_members);
  auto const second = context.barrier(1, 3);
  context.services.died(Rank{2}, 0);
  CHECK_FALSE(context.answered(first));
  auto const reason = context.services.wait_reason_of(Rank{0});
  REQUIRE(reason);
  CHECK(reason->what == "the barrier of the group \"g\" of 3, in which rank 2 has ended");
  CHECK(reason->from.empty());
  CHECK(reason->others);
  CHECK(context.join(3).instance == 2);
  CHECK(context.services.wait_reason_of(Rank{0})->what == "the barrier of the group \"g\" of 3");
  context.barrier(3, 3);
  CHECK(context.answer<GroupAnswer>(first).fault == GroupFault::none);
  CHECK(context.answer<GroupAnswer>(second).instance == 1);

  // The dead do not count.
  auto const third = context.barrier(0, 3);
  context.barrier(3, 3);
  context.services.died(Rank{3}, 0);
  context.barrier(1, 3);
  CHECK_FALSE(context.answered(third));
  context.join(2);
  context.barrier(2, 3);
  CHECK(context.answer<GroupAnswer>(third).fault == GroupFault::none);
}

TEST_CASE("a barrier with a name needs no group, and the dead do not count") {
  TestServiceContext context;
  MeetRequest const request{.name = "b", .count = 2};
  auto const first = context.ask(0, Operation::barrier, request);
  context.services.died(Rank{0}, 0);
  auto const second = context.ask(1, Operation::barrier, request);
  CHECK_FALSE(context.answered(second));
  context.ask(2, Operation::barrier, request);
  CHECK(context.answered(second));
  CHECK_FALSE(context.answered(first));
  auto const bad = context.get<GroupAnswer>(1, Operation::barrier, MeetRequest{.name = "b"});
  CHECK(bad.fault == GroupFault::bad_count);
}

TEST_CASE("an event stays posted until it is cleared") {
  TestServiceContext context;
  NameRequest const event{"e"};
  auto const waits = context.ask(0, Operation::event_wait, event);
  CHECK_FALSE(context.answered(waits));
  CHECK_FALSE(context.get<EventAnswer>(1, Operation::event_post, event).posted);
  CHECK(context.answered(waits));
  CHECK(context.get<EventAnswer>(2, Operation::event_wait, event).posted);
  CHECK(context.get<EventAnswer>(2, Operation::event_clear, event).posted);
  CHECK_FALSE(context.answered(context.ask(2, Operation::event_wait, event)));
}

TEST_CASE("an entry belongs to the process that put it") {
  TestServiceContext context;
  auto const put = [&](int rank, StorePut request) {
    request.name = "n";
    return context.get<StoreAnswer>(rank, Operation::store_put, request);
  };
  auto const get = [&](int rank, StoreGet request) {
    request.name = "n";
    return context.get<StoreAnswer>(rank, Operation::store_get, request);
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
  auto const listing = context.get<StoreListing>(3, Operation::store_list, NameRequest{});
  REQUIRE(listing.entries.size() == 2);
  CHECK(listing.entries[1].owner == Rank{2});

  context.services.died(Rank{0}, 0);
  context.services.died(Rank{2}, 0);
  CHECK(get(3, {}).fault == StoreFault::not_found);
  CHECK(get(3, {.index = 1}).data == "third");
  CHECK(context.get<StoreListing>(3, Operation::store_list, NameRequest{}).entries[0].owner ==
        no_rank);
}

TEST_CASE("a process that waits for an entry gets it when it comes") {
  TestServiceContext context;
  auto const waits =
      context.ask(0, Operation::store_get, StoreGet{.name = "n", .index = 1, .wait = true});
  context.ask(1, Operation::store_put, StorePut{.name = "n"});
  CHECK_FALSE(context.answered(waits));
  context.ask(1, Operation::store_put, StorePut{.name = "n", .index = 1, .data = "here"});
  CHECK(context.answer<StoreAnswer>(waits).data == "here");
}

TEST_CASE("the end of a process is notified once, to the process that asked") {
  TestServiceContext context;
  NoticeRequest request{.subject = 1, .tag = Tag{7}, .body = "gone"};
  CHECK(context.get<NoticeAnswer>(0, Operation::notice, request).waits);
  CHECK(context.sent.empty());
  context.services.died(Rank{1}, 0);
  REQUIRE(context.sent.size() == 1);
  CHECK(context.sent[0].to == Rank{0});
  CHECK(context.sent[0].tag == 7);
  CHECK(context.sent[0].body == "gone");
  context.services.died(Rank{1}, 0);
  CHECK(context.sent.size() == 1);
  // It has ended: notified at once, also for a process that never existed.
  CHECK_FALSE(context.get<NoticeAnswer>(0, Operation::notice, request).waits);
  CHECK(context.sent.size() == 2);
  request.subject = 77;
  context.ask(0, Operation::notice, request);
  CHECK(context.sent.size() == 3);
}

TEST_CASE("a cancelled notice comes now, and only if it was wanted") {
  TestServiceContext context;
  NoticeRequest request{.subject = 1, .tag = Tag{7}};
  request.cancel = true;
  context.ask(0, Operation::notice, request);
  CHECK(context.sent.empty());
  request.cancel = false;
  context.ask(0, Operation::notice, request);
  request.cancel = true;
  context.ask(0, Operation::notice, request);
  CHECK(context.sent.size() == 1);
  context.services.died(Rank{1}, 0);
  CHECK(context.sent.size() == 1);
}

TEST_CASE("a process that retires is gone for the others") {
  TestServiceContext context;
  context.join(1);
  context.ask(0, Operation::notice, NoticeRequest{.subject = 1});
  context.ask(1, Operation::retire, Nothing{});
  CHECK(context.sent.size() == 1);
  auto const list = context.get<ProcessList>(0, Operation::processes, Nothing{});
  CHECK(list.has(Rank{0}));
  CHECK_FALSE(list.has(Rank{1}));
  CHECK_FALSE(list.has(Rank{4}));
  // Its groups are gone too; by asking it is there again.
  CHECK(context.leave(1).fault == GroupFault::no_group);
  auto const back = context.get<ProcessList>(1, Operation::processes, Nothing{});
  CHECK(back.id_of(Rank{1}) == id_after(Rank{1}, 1));
  CHECK_FALSE(back.has(Rank{1}));
}

TEST_CASE("a process that comes back is a new one") {
  TestServiceContext context;
  context.ask(1, Operation::retire, Nothing{});
  context.join(1);
  CHECK(context.get<Members>(0, Operation::group_members, NameRequest{"g"}).ranks.front() ==
        id_after(Rank{1}, 1));
  // Its old id is gone for good; its new one is not, until it leaves again.
  CHECK_FALSE(context.get<NoticeAnswer>(0, Operation::notice, NoticeRequest{.subject = 1}).waits);
  auto const subject = number(id_after(Rank{1}, 1));
  CHECK(context.get<NoticeAnswer>(0, Operation::notice, NoticeRequest{.subject = subject}).waits);
  context.ask(1, Operation::retire, Nothing{});
  CHECK(context.sent.size() == 2);
}

TEST_CASE("a process that has come back often enough has its first id again") {
  TestServiceContext context;
  for (std::uint32_t n = 0; n <= most_returns; ++n) context.ask(1, Operation::retire, Nothing{});
  CHECK(context.get<ProcessList>(1, Operation::processes, Nothing{}).has(Rank{1}));
}

TEST_CASE("a process that is frozen with a group cannot join or freeze it again") {
  TestServiceContext context;
  context.join(0);
  context.ask(0, Operation::group_freeze, MeetRequest{.name = "g", .count = 1});
  CHECK(context.join(0).fault == GroupFault::frozen);
  auto const again =
      context.get<GroupAnswer>(0, Operation::group_freeze, MeetRequest{.name = "g", .count = 1});
  CHECK(again.fault == GroupFault::already_member);
}

TEST_CASE(
    "who waits for the others at a barrier of a group lacks those members that are not there") {
  TestServiceContext context;
  for (int rank = 0; rank < 3; ++rank) context.join(rank);
  context.barrier(0, 3);
  auto const reason = context.services.wait_reason_of(Rank{0});
  REQUIRE(reason);
  CHECK(reason->what == "the barrier of the group \"g\" of 3");
  CHECK(reason->from == std::vector{Rank{1}, Rank{2}});
  CHECK(reason->all);
  CHECK(reason->others);  // another may join
  CHECK(!context.services.wait_reason_of(Rank{1}));
  context.ask(3, Operation::group_join, NameRequest{"g"});
  CHECK(!context.services.wait_reason_of(Rank{0})->all);  // two of three will do
}

TEST_CASE("the wait reason at a named barrier has the living processes that are not there") {
  TestServiceContext context;
  for (int rank = 0; rank < 3; ++rank) context.start(rank);
  context.ask(1, Operation::barrier, MeetRequest{.name = "b", .count = 3});
  auto const reason = context.services.wait_reason_of(Rank{1});
  REQUIRE(reason);
  CHECK(reason->what == "the barrier \"b\" of 3");
  CHECK(reason->from == std::vector{Rank{0}, Rank{2}});
  CHECK(reason->all);
}

TEST_CASE("the wait reason for an event or an entry has no process in particular") {
  TestServiceContext context;
  context.ask(0, Operation::event_wait, NameRequest{"e"});
  context.ask(1, Operation::store_get, StoreGet{.name = "x", .wait = true});
  CHECK(context.services.wait_reason_of(Rank{0})->what == "the event \"e\"");
  CHECK(context.services.wait_reason_of(Rank{0})->from.empty());
  CHECK(context.services.wait_reason_of(Rank{1})->what == "an entry \"x\" in the mailbox");
  CHECK(context.services.wait_reason_of(Rank{1})->others);
  context.ask(2, Operation::event_post, NameRequest{"e"});
  CHECK(!context.services.wait_reason_of(Rank{0}));
}

TEST_CASE("hosts are those that the job knows") {
  TestServiceContext context;
  auto const list = context.get<HostList>(0, Operation::hosts, Nothing{});
  REQUIRE(list.hosts.size() == 2);
  CHECK(list.hosts[1].name == "there");
}
