// SPDX-License-Identifier: BSD-3-Clause
#include "debug/deadlock/explain.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <unordered_map>
#include <utility>

#include "debug/deadlock/places.hpp"
#include "debug/trace/describe.hpp"
#include "generic/services/operations.hpp"

namespace earl::deadlock {

namespace {

/// Longer cycles are reported by their length.
constexpr std::size_t most_listed = 6;

std::string ranks_text(std::span<Rank const> ranks) {
  std::string text;
  for (std::size_t i = 0; i < ranks.size();) {
    auto last = i;
    while (last + 1 < ranks.size() && number(ranks[last + 1]) == number(ranks[last]) + 1) ++last;
    text += text.empty() ? "" : ", ";
    text += last == i ? fmt::format("{}", number(ranks[i]))
                      : fmt::format("{}{}{}", number(ranks[i]), last == i + 1 ? ", " : "-",
                                    number(ranks[last]));
    i = last + 1;
  }
  return (ranks.size() == 1 ? "rank " : "ranks ") + text;
}

std::string ranks_text(std::span<WaitingProcess const> processes,
                       std::span<std::size_t const> members) {
  std::vector<Rank> ranks;
  for (auto const member : members) ranks.push_back(processes[member].rank);
  return ranks_text(ranks);
}

/// An operation of EXEC is one need, also when several processes must act before EXEC does.
std::string request_text(Report const& report) {
  auto const& first = report.needs.front();
  if (static_cast<Operation>(first.operation) == Operation::spawn) return "the start of processes";
  if (first.what.empty()) return fmt::format("EXEC's answer to operation {}", first.operation);
  std::vector<Rank> missing;
  for (auto const& need : report.needs)
    missing.insert(missing.end(), need.from.begin(), need.from.end());
  if (missing.empty()) return first.what;
  return fmt::format("{} (still to come: {}{})", first.what,
                     first.from.size() > 1 ? "some of " : "", ranks_text(missing));
}

std::string room_text(Rank receiver, SendBacklog const& crowd) {
  return fmt::format(
      "{} to make room for a message (tag {}, {}): it has not received {} from this process, which "
      "take {}; --message-memory sets how much may wait",
      trace::to_text(receiver), number(crowd.tag), trace::counted(crowd.length, "byte", "bytes"),
      trace::counted(crowd.messages, "message", "messages"),
      trace::counted(crowd.bytes, "byte", "bytes"));
}

bool is_in_collective(Need const& need) {
  return !need.selector.any_context &&
         space_of(Context{need.selector.context}) == Space::collective;
}

std::string need_text(Need const& need, std::span<WaitingProcess const> processes) {
  auto const absent = [&](Rank rank) {
    return std::ranges::none_of(processes, [&](auto const& one) { return one.rank == rank; });
  };
  auto const dead = !need.from.empty() && std::ranges::all_of(need.from, absent);
  std::string const ended = dead ? "; it has ended" : "";
  if (need.kind == OpKind::send && need.crowd.messages != 0)
    return room_text(need.from.front(), need.crowd) + ended;
  if (need.kind == OpKind::send)
    return fmt::format("{} to take its message{}", trace::to_text(need.from.front()), ended);
  if (!need.what.empty()) return need.what + ended;
  auto const there = need.number_of(0);
  if (is_in_collective(need))
    return fmt::format(
        "{}{} in the same collective{}{}",
        need.from.empty() ? "any process" : trace::to_text(need.from.front()),
        number_text(there, need.context),
        need.context.empty() || there != no_number ? "" : fmt::format(" of {}", need.context),
        ended);
  return fmt::format("a message ({}){}", to_text(need.selector, need.context, there), ended);
}

std::string needs_text(Report const& report, std::span<WaitingProcess const> processes) {
  if (!report.needs.empty() && report.needs.front().kind == OpKind::exec)
    return request_text(report);
  std::string text;
  for (auto const& need : report.needs) {
    auto const one = need_text(need, processes);
    if (!text.empty()) text += report.all ? " and " : " or ";
    text += one;
  }
  return text.empty() ? "nothing that is known" : text;
}

/// Groups of processes at the same place with the same stack, in order of their first.
std::vector<std::vector<std::size_t>> alike(std::span<std::size_t const> members,
                                            std::span<WaitingProcess const> processes) {
  std::vector<std::vector<std::size_t>> groups;
  std::map<std::string, std::size_t> known;
  for (auto const member : members) {
    auto const& [rank, program, report] = processes[member];
    auto key = fmt::format("{}\n{}\n{}", program, report.call, static_cast<int>(report.state));
    for (auto const& frame : report.stack)
      key += fmt::format("\n{}+{}", frame.module, frame.offset);
    auto const [place, fresh] = known.emplace(key, groups.size());
    if (fresh) groups.emplace_back();
    groups[place->second].push_back(member);
  }
  return groups;
}

std::string frames_text(Report const& report, Places& places) {
  std::string text;
  for (auto const& frame : report.stack) {
    auto const& calls = places.calls(frame);
    for (auto const& call : calls) text += "\n      " + symbols::to_text(call);
    if (calls.back().function == "main") break;
  }
  return text;
}

std::string group_text(std::span<std::size_t const> group,
                       std::span<WaitingProcess const> processes, Places& places) {
  auto const& [rank, program, report] = processes[group.front()];
  auto const where = report.stack.empty() ? "" : " at " + places.line(report.stack.front());
  auto const who = fmt::format("\n  {} ({}): ", ranks_text(processes, group), program);
  if (report.state == Report::State::sleeping)
    return who + "sleeps in a system call of the program" +
           (report.call.empty() ? "" : ": " + report.call) + where + frames_text(report, places);
  bool const polls = report.state == Report::State::polling || (report.idle && report.polls != 0);
  auto const verb = polls ? "polls" : "waits";
  auto const one = group.size() == 1 ? "" : fmt::format(" on {}", trace::to_text(rank));
  return fmt::format("{}{}{}{} {} for {}", who, report.call.empty() ? "a call" : report.call, where,
                     one, verb, needs_text(report, processes)) +
         frames_text(report, places);
}

std::string origin_text(Leftover const& one) {
  if (!one.subject.empty()) return trace::notification_text(one.subject);
  return fmt::format("from {}{}", trace::to_text(one.source), number_text(one.number, one.context));
}

std::string leftovers_text(std::span<WaitingProcess const> processes,
                           std::span<std::size_t const> members) {
  constexpr std::size_t most = 4;
  std::string text;
  std::size_t listed = 0;
  for (auto const member : members) {
    auto const& report = processes[member].report;
    if (report.left_over == 0 || listed++ == most) continue;
    text += fmt::format(
        "\n  {} has {} that no receive matches:", trace::to_text(processes[member].rank),
        trace::counted(report.left_over, "message", "messages"));
    for (auto const& one : report.leftovers)
      text += fmt::format(" {}, tag {}, {}{};", origin_text(one), number(one.tag),
                          one.context.empty() || one.number != no_number ? "" : one.context + ", ",
                          trace::counted(one.length, "byte", "bytes"));
    if (report.left_over > report.leftovers.size()) text += " ...";
    if (text.back() == ';') text.pop_back();
  }
  return text;
}

/// The need by which a process waits in a collective of its own group; null: it does not.
Need const* collective_need(Report const& report) {
  auto const found = std::ranges::find_if(report.needs, [](Need const& need) {
    return need.kind != OpKind::exec && need.kind != OpKind::send && is_in_collective(need);
  });
  return found == report.needs.end() ? nullptr : &*found;
}

/// Names the first two processes that wait in collectives of one group and have not called the
/// same; empty: there are none.
std::string mismatch_text(std::span<WaitingProcess const> processes,
                          std::span<std::size_t const> members, Places& places) {
  std::map<std::uint64_t, WaitingProcess const*> first;
  auto const call = [&](WaitingProcess const& one) {
    return fmt::format(
        "{} is in {}{}", trace::to_text(one.rank), one.report.call,
        one.report.stack.empty() ? "" : " at " + places.line(one.report.stack.front()));
  };
  for (auto const member : members) {
    auto const& process = processes[member];
    auto const* const need = collective_need(process.report);
    if (!need || process.report.call.empty()) continue;
    auto const& other = *first.try_emplace(need->selector.context, &process).first->second;
    if (other.report.call == process.report.call) continue;
    return fmt::format(
        "\n  different collectives of one group: {}, and {}; all members must make the same calls "
        "in the same order",
        call(other), call(process));
  }
  return {};
}

std::string cause_text(Deadlock const& deadlock, std::span<WaitingProcess const> processes) {
  auto const name = [&](std::size_t node) { return trace::to_text(processes[node].rank); };
  auto const& cycle = deadlock.cycle;
  if (cycle.size() == 1) return name(cycle.front()) + " waits for itself";
  if (cycle.size() > most_listed)
    return fmt::format("{} processes wait for each other in a circle: {}, {}, ... {}", cycle.size(),
                       name(cycle[0]), name(cycle[1]), name(cycle.back()));
  if (!cycle.empty()) {
    std::string text = name(cycle.front());
    for (std::size_t i = 1; i <= cycle.size(); ++i)
      text +=
          fmt::format("{} waits for {}", i == 1 ? "" : ", which", name(cycle[i % cycle.size()]));
    return text;
  }
  return ranks_text(processes, deadlock.cause) +
         (deadlock.cause.size() == 1 ? " waits for an action that no process will perform"
                                     : " wait for actions that none of them will perform");
}

bool any_in(Report::State state, std::span<WaitingProcess const> processes) {
  return std::ranges::any_of(processes, [&](auto const& one) { return one.report.state == state; });
}

std::string headline(Deadlock const& deadlock, std::span<WaitingProcess const> processes) {
  if (any_in(Report::State::running, processes))
    return fmt::format("deadlock: {} can never continue: ", ranks_text(processes, deadlock.stuck));
  return any_in(Report::State::polling, processes)
             ? "probable livelock: every process waits or polls without success: "
             : "deadlock: ";
}

}  // namespace

std::vector<Node> graph_of(std::span<WaitingProcess const> processes) {
  std::unordered_map<std::int32_t, std::size_t> places;
  for (std::size_t i = 0; i < processes.size(); ++i) places[number(processes[i].rank)] = i;
  auto const some_run = any_in(Report::State::running, processes);
  std::vector<Node> nodes;
  nodes.reserve(processes.size());
  for (auto const& process : processes) {
    Node node{.running = process.report.state == Report::State::running, .all = process.report.all};
    for (auto const& need : process.report.needs) {
      auto& made = node.needs.emplace_back();
      made.any_process = need.from.empty() || (need.others && some_run);
      for (auto const rank : need.from)
        if (auto const place = places.find(number(rank)); place != places.end())
          made.from.push_back(place->second);
    }
    // It waits without a stated reason: which process might help is unknown.
    if (node.needs.empty()) node.needs.push_back({.any_process = true});
    nodes.push_back(std::move(node));
  }
  return nodes;
}

std::string quiet_text(std::span<WaitingProcess const> processes, std::chrono::seconds span) {
  std::vector<std::size_t> all(processes.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  Places places;
  auto text = fmt::format(
      "no message has been received for {} s, and no process computes: each waits, polls or "
      "sleeps, "
      "though a time limit, a timer, a signal or another thread may end that",
      span.count());
  for (auto const& group : alike(all, processes)) text += group_text(group, processes, places);
  return text + leftovers_text(processes, all);
}

std::string to_text(Deadlock const& deadlock, std::span<WaitingProcess const> processes) {
  Places places;
  auto text = headline(deadlock, processes) + cause_text(deadlock, processes);
  for (auto const& group : alike(deadlock.cause, processes))
    text += group_text(group, processes, places);
  std::vector<std::size_t> others;
  std::ranges::set_difference(deadlock.stuck, deadlock.cause, std::back_inserter(others));
  if (!others.empty())
    text += fmt::format("\n  and {} that cannot go on either:",
                        trace::counted(others.size(), "process", "processes"));
  for (auto const& group : alike(others, processes)) text += group_text(group, processes, places);
  return text + mismatch_text(processes, deadlock.stuck, places) +
         leftovers_text(processes, deadlock.stuck);
}

std::vector<KnownWait> waits_of(Deadlock const& deadlock,
                                std::span<WaitingProcess const> processes) {
  constexpr std::size_t most_waits = 100'000;
  std::vector<KnownWait> waits;
  std::set<std::pair<Rank, Rank>> known;
  auto const add = [&](KnownWait const& wait) {
    if (waits.size() < most_waits && known.emplace(wait.waiter, wait.awaited).second)
      waits.push_back(wait);
  };
  auto const& cycle = deadlock.cycle;
  for (std::size_t i = 0; i < cycle.size(); ++i)
    add({.waiter = processes[cycle[i]].rank,
         .awaited = processes[cycle[(i + 1) % cycle.size()]].rank,
         .in_cycle = true});
  for (auto const node : deadlock.stuck)
    for (auto const& need : processes[node].report.needs) {
      bool const one = need.from.size() == 1;
      if (one || std::ranges::find(cycle, node) == cycle.end())
        add({.waiter = processes[node].rank, .awaited = one ? need.from.front() : no_rank});
    }
  return waits;
}

}  // namespace earl::deadlock
