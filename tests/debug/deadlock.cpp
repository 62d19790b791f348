// SPDX-License-Identifier: BSD-3-Clause
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "debug/deadlock/deadlock.hpp"
#include "debug/deadlock/explain.hpp"
#include "debug/deadlock/graph.hpp"
#include "generic/base/error.hpp"

using namespace earl;
using deadlock::find_deadlock;
using deadlock::Node;
using List = std::vector<std::size_t>;

namespace {

Node after(List from) {
  Node node;
  for (auto const one : from) node.needs.push_back({.from = {one}});
  return node;
}

Node one_of(List from) {
  Node node;
  node.needs.push_back({.from = std::move(from)});
  return node;
}

Node on_any_process() {
  Node node;
  node.needs.push_back({.from = {}, .any_process = true});
  return node;
}

Node const running{.running = true};

WaitingProcess waiting(int rank, std::vector<Need> needs) {
  WaitingProcess made{.rank = Rank{rank}, .program = "dead", .report = {}};
  made.report.state = Report::State::waiting;
  made.report.call = "crecv";
  made.report.needs = std::move(needs);
  made.report.stack = {{.module = "dead", .offset = 0x10}};
  return made;
}

Need message_from(int rank, int tag) {
  return {.kind = OpKind::receive,
          .from = {Rank{rank}},
          .selector = selector_of({.source = Rank{rank}, .tag = TagMatch::exactly(Tag{tag})})};
}

}  // namespace

TEST_CASE("A circle of waits is a deadlock, and its own cause") {
  std::vector<Node> const nodes{after({1}), after({2}), after({0})};
  auto const found = find_deadlock(nodes);
  CHECK(found.stuck == List{0, 1, 2});
  CHECK(found.cause == List{0, 1, 2});
  CHECK(found.cycle == List{0, 1, 2});
}

TEST_CASE("A process that waits for a moving one is not stuck, however long the chain") {
  std::vector<Node> const nodes{after({1}), after({2}), running};
  CHECK(find_deadlock(nodes).stuck.empty());
}

TEST_CASE(
    "Needs of which all must be met wait for the last, of which one must be met for the first") {
  Node all = after({1, 2});
  std::vector<Node> nodes{all, running, after({0})};
  CHECK(find_deadlock(nodes).stuck == List{0, 2});
  nodes[0].all = false;
  CHECK(find_deadlock(nodes).stuck.empty());
  nodes[0] = one_of({1, 2});
  CHECK(find_deadlock(nodes).stuck.empty());
}

TEST_CASE("The cause is the smallest set that waits for no other process") {
  // 0 <-> 1, 2 -> 3 -> 4 -> 2, 5 waits for both, 6 for 5.
  std::vector<Node> const nodes{after({1}), after({0}),    after({3}), after({4}),
                                after({2}), after({0, 2}), after({5})};
  auto const found = find_deadlock(nodes);
  CHECK(found.stuck == List{0, 1, 2, 3, 4, 5, 6});
  CHECK(found.cause == List{0, 1});
  CHECK(found.cycle == List{0, 1});
}

TEST_CASE("A cycle is the shortest one of its component") {
  // 0 -> 1 -> 2 -> 3 -> 0, and 2 -> 1.
  std::vector<Node> const nodes{after({1}), after({2}), after({3, 1}), after({0})};
  auto const found = find_deadlock(nodes);
  CHECK(found.cause == List{0, 1, 2, 3});
  CHECK(found.cycle == List{1, 2});
}

TEST_CASE("A wait for any process is a wait for all others, and frees none while all wait") {
  std::vector<Node> nodes{on_any_process(), on_any_process(), after({0})};
  auto const found = find_deadlock(nodes);
  CHECK(found.stuck == List{0, 1, 2});
  CHECK(found.cause == List{0, 1, 2});
  CHECK(found.cycle.empty());
  nodes.push_back(running);
  CHECK(find_deadlock(nodes).stuck.empty());
}

TEST_CASE("A process that waits for itself or for one that has ended is a cause alone") {
  std::vector<Node> nodes{after({0}), after({0})};
  auto found = find_deadlock(nodes);
  CHECK(found.cause == List{0});
  CHECK(found.cycle == List{0});
  nodes = {after({1}), one_of({})};
  found = find_deadlock(nodes);
  CHECK(found.stuck == List{0, 1});
  CHECK(found.cause == List{1});
  CHECK(found.cycle.empty());
}

TEST_CASE("A circle of very many") {
  constexpr std::size_t many = 20'000;
  std::vector<Node> nodes;
  for (std::size_t i = 0; i < many; ++i) nodes.push_back(after({(i + 1) % many}));
  auto const found = find_deadlock(nodes);
  CHECK(found.cause.size() == many);
  CHECK(found.cycle.size() == many);
}

TEST_CASE("A deadlock as text names the circle, the calls, and the messages that lie about") {
  std::vector processes{waiting(0, {message_from(1, 7)}), waiting(1, {message_from(0, 8)}),
                        waiting(2, {message_from(1, 9)}), waiting(3, {message_from(1, 9)})};
  processes[0].report.leftovers = {{.source = Rank{1}, .tag = Tag{6}, .length = 4}};
  processes[0].report.left_over = 1;
  auto const found = find_deadlock(deadlock::graph_of(processes));
  auto const text = deadlock::to_text(found, processes);
  INFO(text);
  CHECK(
      text.starts_with("deadlock: rank 0 waits for rank 1, which waits for "
                       "rank 0\n"));
  CHECK(text.find("source 1, tag 7") != std::string::npos);
  CHECK(text.find("and 2 processes that cannot go on either") != std::string::npos);
  CHECK(text.find("ranks 2, 3 (dead)") != std::string::npos);
  CHECK(text.find("rank 0 has 1 message that no receive matches: from rank 1, tag 6, 4 bytes") !=
        std::string::npos);
}

TEST_CASE("A polling process makes it a livelock, and one that has ended is named") {
  std::vector processes{waiting(0, {message_from(3, 7)})};
  processes[0].report.state = Report::State::polling;
  auto const found = find_deadlock(deadlock::graph_of(processes));
  auto const text = deadlock::to_text(found, processes);
  INFO(text);
  CHECK(text.starts_with("probable livelock"));
  CHECK(text.find("polls for a message (source 3, tag 7); it has ended") != std::string::npos);
}

TEST_CASE("The waits of a deadlock have its cycle first, and the processes that hang on it") {
  auto of_two = message_from(0, 7);
  of_two.from.push_back(Rank{1});
  auto of_any = message_from(0, 7);
  of_any.from.clear();
  std::vector const processes{
      waiting(0, {message_from(1, 7)}), waiting(1, {message_from(0, 7), message_from(2, 7)}),
      waiting(2, {message_from(0, 7), message_from(0, 8)}), waiting(4, {of_two})};
  auto const waits = deadlock::waits_of(find_deadlock(deadlock::graph_of(processes)), processes);
  auto const wait = [](int waiter, Rank awaited, bool in_cycle = false) {
    return KnownWait{.waiter = Rank{waiter}, .awaited = awaited, .in_cycle = in_cycle};
  };
  CHECK(waits == std::vector{wait(0, Rank{1}, true), wait(1, Rank{0}, true), wait(1, Rank{2}),
                             wait(2, Rank{0}), wait(4, no_rank)});
  std::vector const any{waiting(0, {of_any})};
  CHECK(deadlock::waits_of(find_deadlock(deadlock::graph_of(any)), any) ==
        std::vector{wait(0, no_rank)});
}

TEST_CASE("A cycle over one of several processes that would do names that one") {
  auto either = message_from(1, 7);
  either.from.push_back(Rank{2});
  std::vector const processes{waiting(0, {either}), waiting(1, {message_from(0, 7)}),
                              waiting(2, {message_from(0, 7)})};
  auto const waits = deadlock::waits_of(find_deadlock(deadlock::graph_of(processes)), processes);
  REQUIRE(waits.size() == 3);
  CHECK(waits[0] == KnownWait{.waiter = Rank{0}, .awaited = Rank{1}, .in_cycle = true});
  CHECK(waits[2] == KnownWait{.waiter = Rank{2}, .awaited = Rank{0}, .in_cycle = false});
}

TEST_CASE("Only a poll without end that reads no clock ends a job, and only where that is seen") {
  auto const tool = deadlock_tool.in_exec("", {});
  auto& judge = dynamic_cast<StandstillJudge&>(*tool);
  std::vector processes{waiting(0, {message_from(1, 7)}), waiting(1, {message_from(0, 8)})};
  auto& report = processes[0].report;
  report.state = Report::State::polling;
  report.polls = 500;
  auto const said = judge.judge_quiescence(processes);
  REQUIRE(said);
  CHECK_FALSE(said->exit_code);
  CHECK(said->sentence.starts_with("probable livelock"));
  CHECK_FALSE(judge.judge_quiescence(processes));  // once
  report.polls = 2'000'000'000;
  CHECK_FALSE(judge.judge_quiescence(processes));  // a clock may bound it
  report.sees_clocks = true;
  auto const ended = judge.judge_quiescence(processes);
  REQUIRE(ended);
  CHECK(ended->exit_code == deadlock_code);
}

TEST_CASE("A deadlock after a poll that has come to its end is still found") {
  auto const tool = deadlock_tool.in_exec("watch", {});
  auto& judge = dynamic_cast<StandstillJudge&>(*tool);
  std::vector processes{waiting(0, {message_from(1, 7)}), waiting(1, {message_from(0, 8)})};
  processes[0].report.state = Report::State::polling;
  CHECK_FALSE(judge.judge_quiescence(processes)->exit_code);
  CHECK_FALSE(judge.report_inactivity(processes, std::chrono::seconds{10}));  // that has been said
  processes[0].report.state = Report::State::waiting;
  REQUIRE(judge.judge_quiescence(processes));
}

TEST_CASE("Where nothing is received for long, it is said where each process is") {
  auto const tool = deadlock_tool.in_exec("watch", {});
  auto& judge = dynamic_cast<StandstillJudge&>(*tool);
  std::vector processes{waiting(0, {message_from(1, 7)}), waiting(1, {message_from(0, 8)})};
  processes[0].report.state = Report::State::running;
  processes[0].report.idle = true;
  processes[1].report = {.state = Report::State::sleeping};
  auto const text = judge.report_inactivity(processes, std::chrono::seconds{10});
  REQUIRE(text);
  INFO(*text);
  CHECK(text->starts_with("no message has been received for 10 s"));
  CHECK(text->find("crecv at dead+0x10 waits for a message (source 1, tag 7)") !=
        std::string::npos);
  CHECK(text->find("rank 1 (dead): sleeps in a system call") != std::string::npos);
  CHECK(text->ends_with("the job goes on"));
}

TEST_CASE("A deadlock as DOT and as JSON") {
  std::vector const processes{waiting(0, {message_from(1, 7)}), waiting(1, {message_from(0, 8)})};
  auto const found = find_deadlock(deadlock::graph_of(processes));
  auto const dot = deadlock::in_dot(found, processes);
  INFO(dot);
  CHECK(dot.find("r0 -> r1;") != std::string::npos);
  CHECK(dot.find("r1 -> r0;") != std::string::npos);
  auto const json = nlohmann::json::parse(deadlock::in_json(found, processes));
  CHECK(json["cycle"] == nlohmann::json{0, 1});
  CHECK(json["processes"][1]["needs"][0]["asks"] == "source 0, tag 8");
}

TEST_CASE("A context with a label is named by it") {
  Need named = message_from(1, 7);
  named.selector.context = 0x42;
  named.context = "communicator rows";
  Need collective = message_from(0, 0);
  collective.selector.context = static_cast<std::uint64_t>(context_of(Space::collective, 0x42));
  collective.context = named.context;
  std::vector processes{waiting(0, {named}), waiting(1, {collective})};
  processes[1].report.call = "gsync";  // else both are described together
  auto const found = find_deadlock(deadlock::graph_of(processes));
  auto const text = deadlock::to_text(found, processes);
  INFO(text);
  CHECK(text.find("a message (source 1, tag 7, communicator rows)") != std::string::npos);
  CHECK(text.find("rank 0 in the same collective of communicator rows") != std::string::npos);
  auto const json = nlohmann::json::parse(deadlock::in_json(found, processes));
  CHECK(json["processes"][0]["needs"][0]["asks"] == "source 1, tag 7, communicator rows");
}

TEST_CASE("A member of a context is named by its Rank and by its number there") {
  Need member = message_from(1, 7);
  member.context = "communicator left";
  member.numbers = {3};
  Need collective = message_from(0, 0);
  collective.selector.context = static_cast<std::uint64_t>(context_of(Space::collective, 0x42));
  collective.context = member.context;
  collective.numbers = {2};
  std::vector processes{waiting(0, {member}), waiting(1, {collective})};
  processes[1].report.call = "gsync";
  processes[1].report.left_over = 2;
  processes[1].report.leftovers = {
      {.source = Rank{1}, .tag = Tag{6}, .length = 4, .context = "communicator left", .number = 3},
      {.source = Rank{0}, .tag = Tag{6}, .length = 8, .context = "communicator rows"}};
  auto const found = find_deadlock(deadlock::graph_of(processes));
  auto const text = deadlock::to_text(found, processes);
  INFO(text);
  CHECK(text.find("a message (source 1 (3 of communicator left), tag 7)") != std::string::npos);
  CHECK(text.find("rank 0 (2 of communicator left) in the same collective") != std::string::npos);
  CHECK(text.find("from rank 1 (3 of communicator left), tag 6, 4 bytes; "
                  "from rank 0, tag 6, communicator rows, 8 bytes") != std::string::npos);
  auto const json = nlohmann::json::parse(deadlock::in_json(found, processes));
  auto const need = json["processes"][0]["needs"][0];
  CHECK(need["asks"] == "source 1 (3 of communicator left), tag 7");
  CHECK(need["from"] == nlohmann::json{1});
  CHECK(need["context"] == "communicator left");
  CHECK(need["numbers"] == nlohmann::json{3});
}

TEST_CASE("Processes in different collectives of one group are named") {
  auto const part_of = [](std::int32_t peer) {
    Need need = message_from(peer, 3);
    need.selector.context = static_cast<std::uint64_t>(context_of(Space::collective, 0x42));
    return need;
  };
  std::vector processes{waiting(0, {part_of(1)}), waiting(1, {part_of(0)})};
  processes[0].report.call = "MPI_Barrier";
  processes[1].report.call = "MPI_Bcast";
  auto const text = [&] {
    return deadlock::to_text(find_deadlock(deadlock::graph_of(processes)), processes);
  };
  CHECK(text().find("different collectives of one group: rank 0 is in MPI_Barrier at dead+0x10, "
                    "and rank 1 is in MPI_Bcast at dead+0x10; all members must make the same") !=
        std::string::npos);
  processes[1].report.call = "MPI_Barrier";
  CHECK(text().find("different collectives") == std::string::npos);
}

TEST_CASE("A process that waits for EXEC's answer waits for the processes that EXEC waits for") {
  Need const missing{
      .kind = OpKind::exec, .from = {Rank{1}}, .operation = 32, .what = "the barrier"};
  Need also = missing;
  also.from = {Rank{2}};
  std::vector const processes{waiting(0, {missing, also}), waiting(1, {message_from(0, 1)}),
                              waiting(2, {message_from(0, 1)})};
  auto const found = find_deadlock(deadlock::graph_of(processes));
  CHECK(found.cycle == List{0, 1});
  auto const text = deadlock::to_text(found, processes);
  INFO(text);
  CHECK(text.find("waits for the barrier (still to come: ranks 1, 2)\n") != std::string::npos);
  auto const json = nlohmann::json::parse(deadlock::in_json(found, processes));
  CHECK(json["processes"][0]["needs"][1]["what"] == "the barrier");
  CHECK(deadlock::in_dot(found, processes).find("\\nthe barrier\"") != std::string::npos);
}

TEST_CASE("Some that wait for each other are reported while others move") {
  WaitingProcess const moving{.rank = Rank{2}, .program = "dead", .report = {}};
  std::vector processes{waiting(0, {message_from(1, 7)}), waiting(1, {message_from(0, 8)}), moving,
                        waiting(3, {message_from(2, 7)})};
  auto const found = find_deadlock(deadlock::graph_of(processes));
  CHECK(found.stuck == List{0, 1});
  CHECK(deadlock::to_text(found, processes)
            .starts_with("deadlock: ranks 0, 1 can never continue: rank 0 "
                         "waits for rank 1, which waits for rank 0\n"));
}

TEST_CASE("A need of EXEC that any moving process can meet frees its waiter") {
  std::vector processes{waiting(0, {{.kind = OpKind::exec, .from = {Rank{1}}, .others = true}}),
                        waiting(1, {message_from(0, 8)})};
  CHECK(find_deadlock(deadlock::graph_of(processes)).cycle == List{0, 1});
  processes.push_back({.rank = Rank{2}, .program = "dead", .report = {}});
  CHECK(find_deadlock(deadlock::graph_of(processes)).stuck.empty());
}

TEST_CASE("A sender that waits for room reports the messages that its receiver has not received") {
  const Need full{.kind = OpKind::send,
                  .from = {Rank{1}},
                  .crowd = {.tag = Tag{9}, .length = 12, .messages = 2000, .bytes = 536'000}};
  std::vector processes{waiting(0, {full}), waiting(1, {message_from(0, 7)})};
  auto const text = deadlock::to_text(find_deadlock(deadlock::graph_of(processes)), processes);
  INFO(text);
  CHECK(text.find("waits for rank 1 to make room for a message (tag 9, 12 bytes): it has not "
                  "received 2,000 messages from this process, which take 536,000 bytes; "
                  "--message-memory") != std::string::npos);
}

TEST_CASE("A report comes out of its bytes as it went in, and no others are taken for one") {
  auto report = waiting(2, {message_from(1, 7),
                            {.kind = OpKind::exec, .operation = 32},
                            {.kind = OpKind::send,
                             .from = {Rank{0}},
                             .crowd = {.tag = Tag{3}, .length = 1, .messages = 2, .bytes = 3}}})
                    .report;
  report.progress = 1'000'000'000'000;
  report.serves = true;
  report.question = 7;
  report.leftovers = {{.source = Rank{0}, .tag = Tag{-5}, .length = 12}};
  Writer writer;
  writer(report);
  Reader reader(writer.bytes());
  CHECK(reader.get<Report>() == report);
  CHECK(reader.at_end());
  for (std::size_t cut = 0; cut < writer.bytes().size(); ++cut) {
    Reader part(writer.bytes().first(cut));
    CHECK_THROWS_AS(part.get<Report>(), Error);
  }
}
