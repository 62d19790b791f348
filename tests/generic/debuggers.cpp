// SPDX-License-Identifier: BSD-3-Clause
/// The events of debuggers, alone and together.
#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <array>
#include <cfloat>
#include <cstring>

#include "generic/collectives/collectives.hpp"
#include "generic/seams/interceptor_stack.hpp"
#include "generic/services/exec_messages.hpp"
#include "tests/generic/network.hpp"
#include "tests/generic/words.hpp"

using namespace earl;
using namespace earl::test;

namespace {

struct Demander final : Interceptor {
  Demander(Verdict given, std::uint64_t named) : verdict(given), handler(named) {}
  Verdict handlers_due(HandlerOp& op) override {
    asked.push_back(op);
    op.handler = handler;
    return verdict;
  }
  Verdict verdict;
  std::uint64_t handler;
  std::vector<HandlerOp> asked;
};

struct Sends final : Interceptor {
  explicit Sends(std::string& all) : text(all) {}
  void sending(SendOp const& op) override {
    for (auto const& piece : op.payload.list())
      text.append(reinterpret_cast<char const*>(piece.data()), piece.size());
  }
  std::string& text;
};

/// The outcomes of receives, with the bytes that came.
struct Receipts final : Interceptor {
  explicit Receipts(std::vector<std::string>& all, bool steering) : seen(all), steered(steering) {}
  bool constrains_matching() const override { return steered; }
  Verdict posting(ReceiveOp& op) override {
    if (op.kind == OpKind::receive) seen.push_back(fmt::format("posting {}", op.post));
    return Verdict::free;
  }
  void matched(ReceiveOp const& op, Envelope const&, MessageId const&) override {
    seen.push_back(fmt::format("matched {} {}", op.post, text_of(op.payload)));
  }
  void completed(std::uint64_t post) override {
    seen.push_back(names_send(post) ? "sent" : fmt::format("completed {}", post));
  }
  void answered(ReceiveOp const& op, Envelope const* found, MessageId const&) override {
    seen.push_back(found ? fmt::format("answered {}", text_of(op.payload)) : "nothing");
  }
  static std::string text_of(Gather const& payload) {
    std::string all;
    for (auto const& piece : payload.list()) all += text(piece);
    return all;
  }
  std::vector<std::string>& seen;
  bool steered;
};

struct Collectives final : Interceptor {
  explicit Collectives(std::vector<std::string>& all) : seen(all) {}
  void collective(CollectiveOp const& op) override {
    seen.push_back(
        fmt::format("{} {} of {} to {}", op.kind, op.number, op.members.size(), op.root));
  }
  void collective_ended(CollectiveOp const& op) override {
    seen.push_back(fmt::format("{} {} over", op.kind, op.number));
  }
  std::vector<std::string>& seen;
};

/// The contents that a member gives to each collective, the pieces of one part together.
struct Contributions final : Interceptor {
  explicit Contributions(std::vector<std::string>& all) : seen(all) {}
  void collective(CollectiveOp const& op) override {
    std::string line{op.kind};
    for (Gather const& part : op.contribution) {
      line += ' ';
      each(part, [&](Bytes piece) {
        line.append(reinterpret_cast<char const*>(piece.data()), piece.size());
      });
    }
    seen.push_back(line);
  }
  std::vector<std::string>& seen;
};

Envelope notice(Context context, int tag) {
  return {.source = exec_rank, .context = context, .tag = Tag{tag}};
}

}  // namespace

TEST_CASE("each debugger of a stack is asked for handlers, and the first that demands is obeyed") {
  InterceptorStack stack;
  std::vector<Demander*> all;
  for (auto const& [verdict, handler] :
       {std::pair{Verdict::free, 1U}, {Verdict::yes, 2U}, {Verdict::no, 3U}}) {
    auto one = std::make_unique<Demander>(verdict, handler);
    all.push_back(one.get());
    stack.add(std::move(one));
  }
  HandlerOp op{.point = 9};
  CHECK(stack.handlers_due(op) == Verdict::yes);
  CHECK(op.handler == 2);
  for (auto const* one : all) {
    REQUIRE(one->asked.size() == 1);
    CHECK(one->asked[0].point == 9);
    CHECK(one->asked[0].handler == 0);
  }
}

TEST_CASE("a debugger sees every piece of a message that is sent") {
  Network network{2};
  std::string seen;
  network[0].watch(std::make_unique<Sends>(seen));
  const std::array texts{std::string{"one "}, std::string{"two "}, std::string{"three"}};
  std::vector<Bytes> pieces;
  for (auto const& word : texts) pieces.push_back(std::as_bytes(std::span{word}));
  network[0].send(to(1), Gather{std::span<Bytes const>{pieces}});
  CHECK(seen == "one two three");
}

TEST_CASE("messages of EXEC about different things keep their ids in any order") {
  auto const other = context_of(Space::front_end, 3);
  ExecMessages first;
  auto const death = first.next(notice(common_context, 3));
  auto const printed = first.next(notice(other, 3));
  auto const next_death = first.next(notice(common_context, 3));
  ExecMessages second;
  CHECK(second.next(notice(other, 3)) == printed);
  CHECK(second.next(notice(common_context, 3)) == death);
  CHECK(second.next(notice(common_context, 3)) == next_death);
  CHECK(ExecMessages::tag_of(next_death) == Tag{3});
  CHECK(ExecMessages::nth_of(next_death) == 1);
  CHECK(ExecMessages::tag_of(first.next(notice(other, -5))) == Tag{-5});
}

TEST_CASE("debuggers get a receive's message, and are notified when the program has it") {
  bool const steered = GENERATE(false, true);
  Network network{2};
  std::vector<std::string> seen;
  network[1].watch(std::make_unique<Receipts>(seen, steered));
  const std::string payload = "abcdef";
  network[0].send(to(1, 5), bytes(payload));
  network.run_until_quiet();
  std::array<std::byte, 4> room{};
  CHECK(network[1].receive(tagged(5), MutableBytes{room}).truncated);
  CHECK(seen == std::vector<std::string>{"posting 0", "matched 0 abcd", "completed 0"});

  seen.clear();
  std::array<std::byte, 2> front{};
  std::array<std::byte, 9> back{};
  const std::array<MutableBytes, 2> pieces{MutableBytes{front}, MutableBytes{back}};
  auto const late =
      network[1].start_receive(tagged(6), Scatter{std::span<const MutableBytes>{pieces}});
  auto const absent = network[1].start_receive(tagged(7), MutableBytes{room});
  network[0].send(to(1, 6), bytes(payload));
  network.run_until_quiet();
  CHECK(seen == std::vector<std::string>{"posting 1", "posting 2", "matched 1 abcdef"});
  network[1].wait(late);
  CHECK(seen.back() == "completed 1");
  CHECK(network[1].cancel(absent));
  network[1].wait(absent);
  CHECK(seen.back() == "completed 1");
}

TEST_CASE("debuggers get whole messages that are taken, long ones too") {
  Network network{2, {.remote_readable = true, .packets_outlive_sender = true}};
  std::vector<std::string> seen;
  network[1].watch(std::make_unique<Receipts>(seen, false));
  const std::string payload(200, 'w');
  for (int i = 0; i < 2; ++i) network[0].send(to(1), bytes(payload));
  network.run_until_quiet();
  network[1].take({});
  CHECK(seen == std::vector<std::string>{"posting 0", "matched 0 " + payload, "completed 0"});
  REQUIRE(network[1].try_take({}));
  CHECK(seen.back() == "answered " + payload);
}

TEST_CASE("debuggers are notified when a synchronous send is over, and of no other send") {
  Network network{2};
  std::vector<std::string> seen;
  network[0].watch(std::make_unique<Receipts>(seen, false));
  auto const buffered = network[0].start_send(to(1), {});
  network[0].wait(buffered);
  auto const sent = network[0].start_send(to(1, 1, Mode::synchronous), {});
  CHECK(seen.empty());
  for (int i = 0; i < 2; ++i) network[1].receive({}, {});
  network[0].wait(sent);
  CHECK(seen == std::vector<std::string>{"sent"});
}

TEST_CASE("debuggers are notified of a collective's begin and end, its number and members") {
  Network network{3};
  std::vector<std::string> seen;
  network[2].watch(std::make_unique<Collectives>(seen));
  const std::vector<Rank> all{Rank{0}, Rank{1}, Rank{2}};
  network.run([&](Process& me) {
    const Group group{.members = all, .me = index(me.rank())};
    barrier(me, group);
    std::array<std::byte, 1> data{};
    broadcast(me, group, 1, MutableBytes{data});
  });
  CHECK(seen == std::vector<std::string>{"barrier 0 of 3 to 0", "barrier 0 over",
                                         "broadcast 1 of 3 to 1", "broadcast 1 over"});
}

/// Bytes of a long double that the CPU never writes hold what was there before.
TEST_CASE("debuggers see the same of equal long doubles, whatever lies between them") {
  Network network{1};
  std::vector<std::string> seen;
  network[0].watch(std::make_unique<Contributions>(seen));
  const std::vector<Rank> all{Rank{0}};
  const Combine sum{.function = [](void*, std::byte*, std::byte const*, std::size_t) {},
                    .reduction = Reduction::sum,
                    .element = ElementType::real_16,
                    .padding = long_double_padding()};
  for (auto const filling : {std::byte{0x11}, std::byte{0x77}}) {
    std::array<std::byte, 2 * sizeof(long double)> data;
    data.fill(filling);
    for (std::size_t i = 0; i < 2; ++i) {
      long double const value = 1 + static_cast<long double>(i);
      std::memcpy(data.data() + i * sizeof value, &value, LDBL_MANT_DIG == 64 ? 10 : sizeof value);
    }
    all_reduce(network[0], Group{.members = all}, MutableBytes{data}, sum);
  }
  REQUIRE(seen.size() == 2);
  CHECK(seen[0].size() > std::string("all-reduce ").size() + 16);
  CHECK(seen[0] == seen[1]);
}

TEST_CASE("debuggers see what this member gives to a collective, and nothing that it does not") {
  Network network{2};
  std::vector<std::string> first, second;
  network[0].watch(std::make_unique<Contributions>(first));
  network[1].watch(std::make_unique<Contributions>(second));
  const std::vector<Rank> all{Rank{0}, Rank{1}};
  network.run([&](Process& me) {
    const Group group{.members = all, .me = index(me.rank())};
    std::string data(1, group.me == 0 ? 'a' : 'b'), got(2, '-'), both = data + data;
    auto const room = [](std::string& text) { return std::as_writable_bytes(std::span{text}); };
    auto const bytes = [](std::string const& text) { return std::as_bytes(std::span{text}); };
    barrier(me, group);
    std::string shared = data;
    broadcast(me, group, 1, room(shared));
    gather(me, group, 0, bytes(data));
    all_gather(me, group, Gather{bytes(data)},
               std::array{Scatter{room(got).first(1)}, Scatter{room(got).last(1)}});
    scatter(me, group, 0, bytes(both), room(data));
    std::array const parts{Gather{bytes(both).first(1)}, Gather{bytes(both)}};
    if (group.me == 0)
      all_to_all(me, group, parts,
                 std::array{Scatter{room(got).first(1)}, Scatter{room(got).first(1)}});
    else
      all_to_all(me, group, parts, std::array{Scatter{room(got)}, Scatter{room(got)}});
    all_to_all(me, group, bytes(both), room(got));
  });
  CHECK(first == std::vector<std::string>{"barrier", "broadcast", "gather a", "all-gather a",
                                          "scatter aa", "all-to-all a aa", "all-to-all aa"});
  CHECK(second == std::vector<std::string>{"barrier", "broadcast b", "gather b", "all-gather b",
                                           "scatter", "all-to-all b bb", "all-to-all bb"});
}

TEST_CASE("debuggers of a fork get their arguments in order, unless one cannot go on there") {
  struct Other final : Interceptor {
    explicit Other(std::vector<std::string>& all) : given(all) {}
    void continue_as(std::span<std::string_view const>& arguments) override {
      given.emplace_back(arguments.front());
      arguments = arguments.subspan(1);
    }
    std::vector<std::string>& given;
  };
  std::vector<std::string> given;
  InterceptorStack all;
  all.add(std::make_unique<Other>(given));
  all.add(std::make_unique<Other>(given));
  const std::array<std::string_view, 3> arguments{"one", "two", "three"};
  std::span<std::string_view const> rest{arguments};
  all.continue_as(rest);
  CHECK(given == std::vector<std::string>{"one", "two"});
  all.add(std::make_unique<Interceptor>());
  rest = arguments;
  CHECK_THROWS_AS(all.continue_as(rest), Error);
}
