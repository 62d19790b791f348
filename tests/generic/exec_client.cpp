// SPDX-License-Identifier: BSD-3-Clause
#include "generic/exec_client.hpp"

#include <catch2/catch.hpp>

#include "tests/generic/lone_engine.hpp"

using namespace earl;
using namespace earl::test;

namespace {

template <class Answer>
std::vector<std::byte> written(Answer const& answer) {
  Writer to;
  to(answer);
  return {to.bytes().begin(), to.bytes().end()};
}

}  // namespace

TEST_CASE("an operation is one request, and returns with its answer") {
  LoneEngine lone;
  lone.exec.answer = written(StatusAnswer{.known = true, .alive = true});
  auto const before = lone.engine.exec().exchanged();
  CHECK(lone.engine.exec().status(Rank{1}).alive);
  CHECK(lone.exec.asked == std::vector{static_cast<std::uint32_t>(Operation::status)});
  CHECK(lone.engine.exec().exchanged() == before + 2);
}

TEST_CASE("an answer that is cut is an error") {
  LoneEngine lone;
  CHECK_THROWS_AS(lone.engine.exec().group_members("g"), Error);
}

TEST_CASE("a message of EXEC is given to receives when nothing else arrives") {
  LoneEngine lone;
  lone.exec.messages.push_back(
      {header_of(Kind::eager, {.source = Rank{2}, .tag = Tag{9}}), Buffer{Gather{pattern(3)}}});
  lone.engine.exec().poll();
  CHECK(lone.engine.exec().has_waiting());
  lone.arrive(5, Bytes{});  // brings a packet, then nothing more
  CHECK(lone.engine.exec().has_waiting());
  lone.engine.pump();
  CHECK_FALSE(lone.engine.exec().has_waiting());
  const Message message = lone.engine.receiver().take(tagged(9));
  CHECK(message.envelope.source == exec_rank);
  CHECK(message.body.size() == 3);
}

TEST_CASE("a notice is known by its request's subject, whichever comes first") {
  LoneEngine lone;
  auto& exec = lone.engine.exec();
  auto const request = [](char const* body) { return NoticeRequest{.tag = Tag{9}, .body = body}; };
  for (auto const* const body : {"one", "two"}) {
    lone.exec.answer = written(NoticeAnswer{.waits = true});
    exec.notify(request(body), std::string{"the exit of "} + body);
  }
  for (std::string_view const body : {"two", "one", "one"})
    lone.exec.messages.push_back({header_of(Kind::eager, {.source = Rank{2}, .tag = Tag{9}}),
                                  Buffer{Gather{std::as_bytes(std::span{body})}}});
  exec.poll();
  lone.engine.pump();
  std::vector<std::string> subjects;
  for (int i = 0; i < 3; ++i)
    subjects.push_back(lone.engine.notice_subject(lone.engine.receiver().take(tagged(9)).id));
  CHECK(subjects == std::vector<std::string>{"the exit of two", "the exit of one", ""});
}

TEST_CASE("a question of EXEC is answered when nothing else arrives") {
  LoneEngine lone;
  lone.exec.questions = {7, 8};
  lone.engine.exec().poll();
  lone.arrive(5, Bytes{});
  CHECK(lone.exec.answered.empty());  // its sender may have ended before EXEC asked
  lone.engine.pump();
  CHECK(lone.exec.answered == std::vector<std::uint32_t>{7, 8});
  CHECK_FALSE(lone.engine.exec().has_waiting());
}

TEST_CASE("whether a fork can join the job is the back end's") {
  CHECK_FALSE(LoneEngine{}.engine.exec().may_fork());
  CHECK(LoneEngine{{.packet = 128, .eager = 64, .forks = true}}.engine.exec().may_fork());
}
