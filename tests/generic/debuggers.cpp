/// What debuggers are told, alone and together.
#include <catch2/catch.hpp>

#include "generic/exec_messages.hpp"
#include "generic/interceptor_stack.hpp"
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
  const std::array words{std::string{"one "}, std::string{"two "}, std::string{"three"}};
  std::vector<Bytes> pieces;
  for (auto const& word : words) pieces.push_back(std::as_bytes(std::span{word}));
  network[0].send(to(1), Gather{std::span<Bytes const>{pieces}});
  CHECK(seen == "one two three");
}

TEST_CASE("messages of EXEC about different things keep their ids in whatever order they come") {
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
