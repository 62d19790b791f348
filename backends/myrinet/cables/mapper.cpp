// SPDX-License-Identifier: BSD-3-Clause
#include "backends/myrinet/cables/mapper.hpp"

#include <cstring>

#include "backends/myrinet/crc8.hpp"
#include "generic/base/error.hpp"
#include "generic/system/sockets.hpp"

namespace earl::myrinet::cables {

namespace {

/// For one scout, at most.
constexpr auto limit = std::chrono::seconds{30};
constexpr auto nap = std::chrono::milliseconds{1};

Descriptor listener_of(tcp::Board& board, Rank me) {
  auto listener = listen_at("127.0.0.1");
  board.set_address(me, to_text(own_end(listener.get())));
  return listener;
}

}  // namespace

Mapper::Mapper(RunningNetwork& network, std::uint32_t host)
    : me_{static_cast<std::int32_t>(host)},
      network_(network),
      memory_(network.memory()),
      board_(network.board()),
      link_(board_.head().trust, me_, listener_of(board_, me_), Bell()),
      cable_({memory_, board_, link_}, End::a_host, memory_.host(me_).cabled_to) {
  // Only their interfaces are there.
  for (std::uint32_t other = 0; other < memory_.capacity(); ++other)
    if (other != host) board_.mark_ended(Rank{static_cast<std::int32_t>(other)});
}

std::vector<ScoutReply> Mapper::send(std::vector<ScoutProbe> const& probes) {
  std::vector<ScoutReply> replies;
  for (auto const& probe : probes) {
    reply_ = {};
    ++number_;
    send_one(probe);
    replies.push_back(reply_);
  }
  return replies;
}

void Mapper::send_one(ScoutProbe const& probe) {
  auto packet = std::vector<std::byte>{};
  for (auto const byte : probe.way) packet.push_back(std::byte{byte});
  auto const scout = packet_of({.number = number_, .back = probe.back});
  packet.insert(packet.end(), scout.begin(), scout.end());
  Crc8 sum;
  sum.add(packet);
  packet.push_back(std::byte{sum.value()});
  auto const end = Clock::now() + limit;
  for (bool sent = false; !sent || under_way();) {
    if (!sent && cable_.send(Kind::tail, packet)) {
      sent = true;
      ++sent_;
    }
    if (link_.progress(*this, SIZE_MAX) == 0) link_.sleep(Clock::now() + nap);
    cable_.report_consumed();
    if (Clock::now() > end)
      throw Error("a scout neither came back nor was dropped for {} s: {}", limit.count(),
                  network_.error_summary());
  }
}

/// Whether a packet has not come to its end: here, at the interface of another host, where nothing
/// is cabled, or dropped. Answers are read last: a question that has ended had its answer made.
bool Mapper::under_way() {
  std::uint64_t ends = returned_;
  std::uint64_t made = sent_;
  for (std::uint32_t i = 0; i < memory_.head().ports; ++i) {
    auto& port = memory_.port(i);
    bool const here = port.to.end == End::a_host && port.to.number == index(me_);
    ends += port.drops.load(std::memory_order_acquire);
    if (port.to.end != End::a_switch && !here) ends += port.packets.load(std::memory_order_acquire);
  }
  for (std::uint32_t i = 0; i < memory_.head().ports; ++i)
    made += memory_.port(i).answers.load(std::memory_order_acquire);
  return ends < made;
}

void Mapper::frame(Rank from, Bytes frame) {
  Word word;
  if (from != cable_.peer() || frame.size() < sizeof word) return;
  std::memcpy(&word, frame.data(), sizeof word);
  if (word.kind == static_cast<std::uint32_t>(Kind::room)) return cable_.add_room(word.room);
  auto const packet = frame.subspan(sizeof word);
  cable_.came(packet.size());
  cable_.took(packet.size());
  ++returned_;
  auto const scout = packet.empty() ? std::nullopt : scout_in(packet.first(packet.size() - 1));
  if (!scout || scout->number != number_) return;
  if (scout->kind == Scout::Kind::answer)
    reply_.host = scout->name;
  else
    reply_.came_back = true;
}

}  // namespace earl::myrinet::cables
