// SPDX-License-Identifier: BSD-3-Clause
#include "backends/myrinet/cables/running_switch.hpp"

#include <algorithm>
#include <cstring>

#include "backends/myrinet/scout.hpp"
#include "generic/base/error.hpp"

namespace earl::myrinet::cables {

namespace {

constexpr std::chrono::nanoseconds most_blocked = std::chrono::milliseconds{50};
constexpr std::size_t most_per_turn = 64;
/// The size of pieces from switch to switch: the head goes on before the tail has come.
constexpr std::size_t largest_piece = 4 * 1024;
/// Bytes that a port takes before those that want to go out have gone: fewer than make it say STOP,
/// which is to mean that they cannot.
constexpr std::size_t most_at_once = 16;

std::uint64_t now() { return static_cast<std::uint64_t>(Clock::now().time_since_epoch().count()); }

}  // namespace

RunningSwitch::RunningSwitch(Memory& memory, tcp::Board& board, Descriptor listener,
                             std::uint32_t number)
    : memory_(memory),
      board_(board),
      number_(number),
      link_(board.head().trust, node_of({End::a_switch, number, 0}, memory.capacity()),
            std::move(listener), Bell(), [&memory](Rank node) { return name_of(memory, node); }),
      box_(memory.box(number).ports),
      timeout_(box_.ports(), static_cast<std::uint64_t>(most_blocked.count())),
      ports_(box_.ports()) {
  for (unsigned port = 0; port < box_.ports(); ++port)
    if (auto const& there = memory.port(number, port).to; there.end != End::nothing)
      ports_[port] = std::make_unique<Port>(
          Port{.cable = Cable({memory_, board_, link_}, End::a_switch, there),
               .connecting = there.end == End::a_switch});
}

bool RunningSwitch::turn() {
  came_ = false;
  link_.progress(*this, most_per_turn);
  connect_cables();
  remove_ended_peers();
  bool const moved = move();
  drop_blocked();
  for (auto const& port : ports_)
    if (port) port->cable.report_consumed();
  if (came_ || moved) publish();
  report_rejected_connections();
  return came_ || moved;
}

void RunningSwitch::sleep(Deadline deadline) {
  if (auto const next = timeout_.next())
    deadline = std::min(deadline, Deadline{std::chrono::nanoseconds{*next}});
  link_.sleep(deadline);
}

void RunningSwitch::connect_cables() {
  for (auto const& port : ports_)
    if (port && port->connecting) port->connecting = !port->cable.connect();
}

void RunningSwitch::frame(Rank from, Bytes frame) {
  Word word;
  if (frame.size() < sizeof word) throw Error("a frame of {} bytes came", frame.size());
  std::memcpy(&word, frame.data(), sizeof word);
  if (word.port >= ports_.size() || !ports_[word.port] || ports_[word.port]->cable.peer() != from)
    throw Error("a frame for port {} came from node {}, which is not cabled there", word.port,
                number(from));
  came_ = true;
  take(*ports_[word.port], static_cast<Kind>(word.kind), frame.subspan(sizeof word));
  if (word.kind != static_cast<std::uint32_t>(Kind::room)) return;
  ports_[word.port]->cable.add_room(word.room);
  if (word.room == 0) ports_[word.port]->connecting = true;
}

void RunningSwitch::take(Port& port, Kind kind, Bytes piece) {
  if (piece.size() > port.cable.granted())
    throw Error("{} bytes came from node {}, and there was room for {}", piece.size(),
                number(port.cable.peer()), port.cable.granted());
  port.cable.came(piece.size());
  for (auto const byte : piece) port.coming.push_back({std::to_integer<std::uint8_t>(byte), false});
  if (kind == Kind::tail && !piece.empty()) port.coming.back().tail = true;
}

bool RunningSwitch::move() {
  bool ever = false;
  for (bool moved = true; moved; ever |= moved) {
    moved = false;
    for (unsigned port = 0; port < ports_.size(); ++port)
      if (ports_[port] && feed(port)) moved = true;
    for (unsigned port = 0; port < ports_.size(); ++port)
      if (drain(port)) moved = true;
  }
  return ever;
}

bool RunningSwitch::feed(unsigned in) {
  Port& port = *ports_[in];
  std::size_t fed = 0;
  for (; fed < most_at_once && !port.coming.empty() && !box_.sends_stop(in); ++fed) {
    box_.arrive(in, port.coming.front());
    port.coming.pop_front();
  }
  port.cable.took(fed);
  return fed > 0;
}

bool RunningSwitch::drain(unsigned out) {
  if (!ports_[out]) {  // no cable: the bytes are lost
    box_.set_stop(out, false);
    bool any = false;
    while (box_.depart(out)) any = true;
    return any;
  }
  Port& port = *ports_[out];
  bool any = false;
  if (!box_.is_held(out) && port.going.empty()) return false;
  for (;;) {
    transmit(out);
    bool const full = is_full(port);
    box_.set_stop(out, full);
    auto const symbol = full ? std::nullopt : box_.depart(out);
    if (!symbol) break;
    any = true;
    port.going.push_back(std::byte{symbol->byte});
    port.whole = symbol->tail;
  }
  bool const cuts_through = port.cable.leads_to() == End::a_switch;
  if (cuts_through && !port.whole && !port.going.empty() &&
      port.cable.send(Kind::piece, port.going))
    port.going.clear();
  return any;
}

bool RunningSwitch::is_full(Port const& port) const {
  bool const cuts_through = port.cable.leads_to() == End::a_switch;
  return port.whole ||
         port.going.size() >=
             (cuts_through ? std::min(largest_piece, port.cable.room()) : port.cable.room());
}

/// The end of a packet, or enough of one. A host's interface keeps a packet until it is whole.
void RunningSwitch::transmit(unsigned out) {
  Port& port = *ports_[out];
  if (port.whole && (answer(port) || board_.has_ended(port.cable.peer()))) return discard(port);
  bool const much = port.cable.leads_to() == End::a_switch && port.going.size() >= largest_piece;
  if (!port.whole && !much) return;
  if (port.cable.send(port.whole ? Kind::tail : Kind::piece, port.going)) discard(port);
}

void RunningSwitch::discard(Port& port) {
  port.going.clear();
  port.whole = false;
}

/// The interface of a host answers scouts, whatever its process does.
bool RunningSwitch::answer(Port& port) {
  if (port.cable.leads_to() != End::a_host || !is_scout(port.going)) return false;
  auto const question = scout_in(Bytes{port.going}.first(port.going.size() - 1));
  if (!question || question->kind != Scout::Kind::question || question->back.empty()) return false;
  auto const& host = memory_.host(port.cable.peer());
  Crc8 sum;
  auto const put = [&](std::byte byte) {
    sum.add(byte);
    port.coming.push_back({std::to_integer<std::uint8_t>(byte), false});
  };
  for (auto const byte : question->back) put(std::byte{byte});
  for (auto const byte : packet_of({.kind = Scout::Kind::answer,
                         .number = question->number,
                         .name = fmt::format("{} {}", host.name, host.unit)}))
    put(byte);
  port.coming.push_back({sum.value(), true});
  ++port.answers;
  return true;
}

void RunningSwitch::drop_blocked() {
  auto const time = now();
  for (unsigned port = 0; port < ports_.size(); ++port) {
    if (!ports_[port]) continue;
    timeout_.look_at_input(box_, port, time);
    if (ports_[port]->cable.leads_to() != End::a_host) continue;
    if (!timeout_.look_at_host(box_, port, time)) continue;
    box_.depart(port);  // the tail of a cut packet, which its host will never get
    if (!ports_[port]->whole) ports_[port]->going.clear();
  }
}

void RunningSwitch::remove_ended_peers() {
  auto const deaths = board_.head().deaths.load(std::memory_order_acquire);
  for (; deaths_ != deaths && deaths_ < board_.capacity(); ++deaths_)
    link_.mark_ended(board_.dead(deaths_));
}

void RunningSwitch::publish() {
  auto const set = [](std::atomic<std::uint64_t>& counter, std::uint64_t value) {
    counter.store(value, std::memory_order_release);
  };
  for (unsigned i = 0; i < box_.ports(); ++i) {
    auto const& seen = box_.counters(i);
    auto& row = memory_.port(number_, i);
    if (ports_[i]) set(row.answers, ports_[i]->answers);  // before the question has come
    set(row.packets, seen.packets);
    set(row.bytes, seen.bytes);
    set(row.drops, seen.drops);
    set(row.stops, seen.stops);
    set(row.sum_errors, seen.sum_errors);
    set(row.blocked, timeout_.blocked(i));
  }
}

void RunningSwitch::report_rejected_connections() {
  if (link_.rejected_connections() == rejected_connections_) return;
  board_.head().rejected_connections.fetch_add(link_.rejected_connections() -
                                               rejected_connections_);
  rejected_connections_ = link_.rejected_connections();
}

}  // namespace earl::myrinet::cables
