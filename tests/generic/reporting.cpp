// SPDX-License-Identifier: BSD-3-Clause
/// A process's report on itself when EXEC asks whether it can go on.
#include <catch2/catch.hpp>

#include "generic/collectives/collective_board.hpp"
#include "generic/exec_client.hpp"
#include "tests/generic/network.hpp"

using namespace earl;
using test::Network;

namespace {

/// EXEC asks, answers the only request, and asks again, all of which the process reads at once.
class Inquirer final : public Executive {
 public:
  explicit Inquirer(std::vector<Report>& reports) : reports_(reports) {}
  void ask(std::uint32_t ticket, std::uint32_t, Bytes) override { ticket_ = ticket; }
  void poll(ExecutiveSink& sink) override {
    reports_.push_back(sink.report());
    sink.answered(ticket_, Buffer{});
    reports_.push_back(sink.report());
  }
  bool exec_may_exit_first() const override { return true; }  // so that it is polled
  void report_failure(int, std::string_view, Call const&) override {}

 private:
  std::vector<Report>& reports_;
  std::uint32_t ticket_ = 0;
};

/// A peer ends; EXEC asks before the process has looked at its port again, and once after that.
class Herald final : public Executive {
 public:
  Herald(Network& network, std::vector<Report>& reports) : network_(network), reports_(reports) {}
  void ask(std::uint32_t ticket, std::uint32_t, Bytes) override { ticket_ = ticket; }
  void poll(ExecutiveSink& sink) override {
    if (reports_.empty()) network_.kill(1);
    reports_.push_back(sink.report());
    if (reports_.size() == 2) sink.answered(ticket_, Buffer{});
  }
  bool exec_may_exit_first() const override { return true; }
  void report_failure(int, std::string_view, Call const&) override {}

 private:
  Network& network_;
  std::vector<Report>& reports_;
  std::uint32_t ticket_ = 0;
};

/// EXEC asks a process that waits at a board, the other member arrives there, and EXEC asks again
/// before the process has looked.
class Latecomer final : public Executive {
 public:
  Latecomer(Network& network, std::vector<Report>& reports)
      : network_(network), reports_(reports), port_(network, Rank{1}) {}
  void ask(std::uint32_t, std::uint32_t, Bytes) override {}
  void poll(ExecutiveSink& sink) override {
    if (!reports_.empty()) return;
    reports_.push_back(sink.report());
    CollectiveBoard board{port_, network_.board(), 2, 1};
    CollectiveCall const call{.kind = Collective::barrier};
    CHECK_FALSE(board.enter(board.begin(call.word(), 0, 0, CollectiveBoard::Place::here), {}));
    reports_.push_back(sink.report());
  }
  bool exec_may_exit_first() const override { return true; }
  void report_failure(int, std::string_view, Call const&) override {}

 private:
  Network& network_;
  std::vector<Report>& reports_;
  test::QueuePort port_;
};

/// EXEC asks whenever the process polls for EXEC's messages.
class Asker final : public Executive {
 public:
  explicit Asker(Report& last) : last_(last) {}
  void ask(std::uint32_t, std::uint32_t, Bytes) override {}
  void poll(ExecutiveSink& sink) override { last_ = sink.report(); }
  bool exec_may_exit_first() const override { return true; }
  void report_failure(int, std::string_view, Call const&) override {}

 private:
  Report& last_;
};

}  // namespace

TEST_CASE("a process whose polls all fail polls, unless it also waits for an external event") {
  Report last;
  Network others(2);
  Process me({.rank = Rank{0},
              .table = others[0].table(),
              .port = std::make_unique<test::QueuePort>(others, Rank{0}),
              .executive = std::make_unique<Asker>(last)});
  auto const ask = [&] {
    for (int i = 0; i < 1000; ++i) CHECK(!me.try_probe({}));
    me.idle();
    return last.state;
  };
  CHECK(ask() == Report::State::polling);
  static_cast<void>(me.clock());
  CHECK(ask() == Report::State::running);  // perhaps it polls until it is late
  CHECK(last.idle);
  me.send({.dest = Rank{1}}, Bytes{});
  CHECK(ask() == Report::State::running);  // it has just done something
  CHECK(ask() == Report::State::polling);
  me.waits_on_external_events();
  CHECK(ask() == Report::State::running);
}

/// It goes through the answers of a record, as fast as it can.
TEST_CASE("polls that a debugger answers with no are no waiting") {
  struct Never final : Interceptor {
    Verdict posting(ReceiveOp& /*op*/) override { return Verdict::no; }
    Verdict testing(TestOp const& /*op*/, std::span<const std::uint32_t>& /*demanded*/) override {
      return Verdict::no;
    }
  };
  Report last;
  Network others(2);
  Process me({.rank = Rank{0},
              .table = others[0].table(),
              .port = std::make_unique<test::QueuePort>(others, Rank{0}),
              .executive = std::make_unique<Asker>(last)});
  auto const receive = me.start_receive({.source = Rank{1}}, MutableBytes{});
  me.watch(std::make_unique<Never>());
  me.idle();  // a first report, which has seen the receive
  for (int i = 0; i < 1000; ++i) {
    CHECK(!me.try_probe({}));
    CHECK(!me.try_take({}));
    CHECK(!me.test(receive));
  }
  me.idle();
  CHECK(last.state == Report::State::running);
  CHECK(last.polls == 0);
}

TEST_CASE(
    "a process that knows of a peer's end, but has not all its messages, does not stand still") {
  std::vector<Report> reports;
  Network others(2);
  Process me({.rank = Rank{0},
              .table = others[0].table(),
              .port = std::make_unique<test::QueuePort>(others, Rank{0}),
              .executive = std::make_unique<Herald>(others, reports)});
  me.send({.dest = Rank{1}}, Bytes{});
  CHECK_THROWS_AS(me.exec().group_members("g"), Error);  // the answer is empty
  REQUIRE(reports.size() == 2);
  CHECK(reports[0].state == Report::State::running);
  CHECK(reports[1].state == Report::State::waiting);
}

TEST_CASE("a process that has got its message has moved, even if it has not looked yet") {
  std::vector<Report> reports;
  Network others(1);
  Process me({.rank = Rank{0},
              .table = others[0].table(),
              .port = std::make_unique<test::QueuePort>(others, Rank{0}),
              .executive = std::make_unique<Inquirer>(reports)});
  CHECK_THROWS_AS(me.exec().group_members("g"), Error);  // the answer is empty
  REQUIRE(reports.size() == 2);
  CHECK(reports[0].state == Report::State::waiting);
  REQUIRE(reports[0].needs.size() == 1);
  CHECK(reports[0].needs[0].kind == OpKind::exec);
  CHECK(reports[1].progress != reports[0].progress);
}

TEST_CASE("a process at a board waits for the members that are missing, until all are there") {
  std::vector<Report> reports;
  Network others(2, {.boards = 1});
  Process me({.rank = Rank{0},
              .table = others[0].table(),
              .port = std::make_unique<test::QueuePort>(others, Rank{0}),
              .executive = std::make_unique<Latecomer>(others, reports)});
  std::vector<Rank> const ranks{Rank{0}, Rank{1}};
  barrier(me, {.members = ranks, .me = 0});
  REQUIRE(reports.size() == 2);
  CHECK(reports[0].state == Report::State::waiting);
  REQUIRE(reports[0].needs.size() == 1);
  CHECK(reports[0].needs[0].kind == OpKind::receive);
  CHECK(reports[0].needs[0].from == std::vector<Rank>{Rank{1}});
  CHECK(reports[0].needs[0].selector.context ==
        static_cast<std::uint64_t>(context_of(Space::collective, 0)));
  CHECK(reports[1].state == Report::State::running);
}
