// SPDX-License-Identifier: BSD-3-Clause
/// One engine over a port that a test scripts: what each part puts, and what it makes of a packet.
#pragma once

#include <deque>
#include <set>
#include <vector>

#include "generic/engine.hpp"
#include "tests/generic/network.hpp"
#include "tests/generic/words.hpp"

namespace earl::test {

class ScriptedPort final : public Port {
 public:
  struct Put {
    Rank to = no_rank;
    Header header{};
    Buffer payload{};
  };

  explicit ScriptedPort(Limits can) : limits_(can) {}
  Limits limits() const override { return limits_; }
  bool put(Rank dest, Header const& header, Gather const& payload) override {
    if (room == 0) return false;
    --room;
    sent.push_back({dest, header, Buffer{payload}});
    return true;
  }
  std::size_t poll(PacketSink& sink) override {
    std::size_t handed = 0;
    for (; handed < per_poll && !arriving.empty(); ++handed) {
      const Packet packet = std::move(arriving.front());
      arriving.pop_front();
      sink.packet(packet.header, packet.payload.bytes());
    }
    return handed;
  }
  void wait(Deadline deadline) override {
    if (deadline == never && arriving.empty()) throw Stuck{};
  }
  void wake() override {}
  bool ended(Rank rank) override { return dead.contains(rank); }
  Pulled pull(Rank, Offer const&, Scatter const&) override { return pulled; }

  std::size_t room = 1000;      ///< packets until put() says no
  std::size_t per_poll = 1000;  ///< packets that one poll hands over at most
  std::vector<Put> sent;
  std::deque<Packet> arriving;
  std::set<Rank> dead;
  Pulled pulled = Pulled::cannot;

 private:
  Limits limits_;
};

/// EXEC, which answers each request with `answer` as soon as the process looks.
class ScriptedExecutive final : public Executive {
 public:
  void ask(std::uint32_t ticket, std::uint32_t operation, Bytes) override {
    ticket_ = ticket;
    asked.push_back(operation);
  }
  void poll(ExecutiveSink& sink) override {
    for (Packet const& packet : std::exchange(messages, {}))
      sink.message(packet.header, packet.payload.bytes());
    for (auto const question : std::exchange(questions, {})) sink.inquired(question);
    if (ticket_ != 0) sink.answered(std::exchange(ticket_, 0), Buffer{Gather{answer}});
  }
  void answer_inquiry(std::uint32_t question, ExecutiveSink&) override {
    answered.push_back(question);
  }
  bool exec_may_exit_first() const override { return true; }  // so that it is polled
  void report_failure(int, std::string_view, Call const&) override {}

  std::vector<std::uint32_t> asked;
  std::vector<std::byte> answer;
  std::deque<Packet> messages;
  std::vector<std::uint32_t> questions;
  std::vector<std::uint32_t> answered;

 private:
  std::uint32_t ticket_ = 0;
};

/// Rank 0 of three.
class LoneEngine {
 public:
  explicit LoneEngine(Limits can = {.packet = 128, .eager = 64}, std::uint64_t message_memory = 0)
      : table_(id_table_of(3, message_memory)),
        port(*new ScriptedPort{can}),
        exec(*new ScriptedExecutive),
        engine({.rank = Rank{0},
                .table = IdTable{Bytes{table_}},
                .port = std::unique_ptr<Port>{&port},
                .executive = std::unique_ptr<Executive>{&exec}},
               call_) {}

  /// A packet of process 1 comes in.
  void send(Kind kind, int tag, std::uint64_t length, Bytes payload) {
    bool const message = kind == Kind::eager || kind == Kind::offer;
    Header header = header_of(kind, {.source = Rank{1}, .tag = Tag{tag}, .length = length});
    header.sequence = message ? next_++ : 0;
    if (!message) header.context = static_cast<std::uint64_t>(context_of(Space::control, 0));
    port.arriving.push_back({header, Buffer{Gather{payload}}});
  }
  void arrive(Kind kind, int tag, std::uint64_t length, Bytes payload) {
    send(kind, tag, length, payload);
    engine.progress();
  }
  /// A short message of process 1; sent, the next poll of the port brings it.
  void send(int tag) { send(Kind::eager, tag, 0, Bytes{}); }
  void arrive(int tag, Bytes payload) { arrive(Kind::eager, tag, payload.size(), payload); }
  /// The kinds of the packets that have left since it was asked last.
  std::vector<Kind> left() {
    std::vector<Kind> kinds;
    for (; seen_ < port.sent.size(); ++seen_)
      kinds.push_back(port.sent[seen_].header.packet_kind());
    return kinds;
  }

 private:
  std::vector<std::byte> table_;
  Call call_{};
  std::uint32_t next_ = 0;
  std::size_t seen_ = 0;

 public:
  ScriptedPort& port;
  ScriptedExecutive& exec;
  Engine engine;
};

}  // namespace earl::test
