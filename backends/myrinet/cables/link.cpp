// SPDX-License-Identifier: BSD-3-Clause
#include "backends/myrinet/cables/link.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "backends/myrinet/crc8.hpp"
#include "generic/base/error.hpp"

namespace earl::myrinet::cables {

namespace {

LinkResources& checked(LinkResources& resources, Rank me) {
  if (!resources.memory->has(me) || resources.memory->host(me).cabled_to.end != End::a_switch)
    throw Error("process {} has no cable: the network has no host for it", number(me));
  return resources;
}

}  // namespace

CableLink::CableLink(LinkResources resources, Rank me, FaultInjection const& fault)
    : memory_(std::move(checked(resources, me).memory)),
      board_(std::move(resources.board)),
      me_(me),
      fault_(fault),
      topology_(memory_->topology()),
      routes_(topology_),
      link_(board_->head().trust, me, std::move(resources.listener), std::move(resources.bell),
            [this](Rank node) { return name_of(*memory_, node); }),
      cable_({*memory_, *board_, link_}, End::a_host, memory_->host(me).cabled_to),
      notices_(board_->notices_for(me)) {}

void CableLink::connect_cable(Deadline deadline) {
  constexpr std::size_t most_at_once = 64;
  while (!cable_.connect() || !link_.may_receive_from(cable_.peer())) {
    if (Clock::now() >= deadline) return;
    link_.sleep(deadline);
    link_.progress(*this, most_at_once);
  }
}

std::uint32_t CableLink::neighbours() {
  auto& head = memory_->head();
  return head.processes.load(std::memory_order_relaxed) + head.switches;
}

Route const& CableLink::route_to(Rank to) {
  EARL_CHECK(memory_->has(to) && to != me_, "rank {} seen from rank {}", number(to), number(me_));
  if (index(to) >= known_.size()) known_.resize(index(to) + 1);
  auto& known = known_[index(to)];
  if (known) [[likely]]
    return *known;
  auto const* const given = memory_->given_route(me_, to);
  return known.emplace(given ? *given
                             : routes_.find(static_cast<std::uint32_t>(index(me_)),
                                            static_cast<std::uint32_t>(index(to))));
}

bool CableLink::send(Rank to, Gather const& frame) {
  EARL_CHECK(frame.size() <= largest_frame, "a frame of {} bytes", frame.size());
  if (is_down(to)) return true;
  Route const& route = route_to(to);
  packet_.clear();
  auto const add = [this](Bytes bytes) {
    packet_.insert(packet_.end(), bytes.begin(), bytes.end());
  };
  add(std::as_bytes(route.bytes()));
  add(bytes_of(number(me_)));
  for (auto const& piece : frame.list()) add(piece);
  Crc8 sum;
  sum.add(packet_);
  packet_.push_back(std::byte{sum.value()});
  if (packet_.size() > cable_.room()) return false;
  if (fault_.strikes(me_, sent_)) {
    inject_fault(packet_, route.size());
    if (packet_.empty()) {
      ++sent_;
      return true;
    }
  }
  if (!cable_.send(Kind::tail, packet_)) return false;
  ++sent_;
  return true;
}

/// Applies the cable's faults to a packet; may remove all of it.
void CableLink::inject_fault(std::vector<std::byte>& packet, std::size_t route) const {
  switch (fault_.kind) {
    case FaultInjection::Kind::cut:
      throw Error("the cable of process {} ({}) is cut: nothing goes through", number(me_),
                  topology_.text_for(memory_->host(me_).cabled_to));
    case FaultInjection::Kind::flip:
      packet[route + (packet.size() - route) / 2] ^= std::byte{4};
      break;
    case FaultInjection::Kind::route:
      // Made wrong by its sender, not on its way: the sum is right.
      packet[0] = static_cast<std::byte>(std::to_integer<unsigned>(packet[0]) + 1);
      packet.pop_back();
      {
        Crc8 sum;
        sum.add(packet);
        packet.push_back(std::byte{sum.value()});
      }
      break;
    default:
      packet.clear();
  }
}

std::size_t CableLink::progress(net::FrameSink& sink, std::size_t most) {
  sink_ = &sink;
  events_ = 0;
  for (auto const& packet : std::exchange(early_, {})) take(packet);
  link_.progress(*this, most);
  cable_.report_consumed();
  if (notices_.take_control_notice()) {
    ++events_;
    sink.on_control_ready();
  }
  events_ += observe_deaths();
  if (link_.rejected_connections() != rejected_connections_) {
    board_->head().rejected_connections.fetch_add(link_.rejected_connections() -
                                                  rejected_connections_);
    rejected_connections_ = link_.rejected_connections();
  }
  sink_ = nullptr;
  return events_;
}

void CableLink::frame(Rank from, Bytes frame) {
  Word word;
  if (from != cable_.peer() || frame.size() < sizeof word)
    throw Error("{} bytes came from node {}, where my cable is not", frame.size(), number(from));
  std::memcpy(&word, frame.data(), sizeof word);
  ++events_;
  if (word.kind == static_cast<std::uint32_t>(Kind::room)) return cable_.add_room(word.room);
  auto const packet = frame.subspan(sizeof word);
  cable_.came(packet.size());
  cable_.took(packet.size());
  if (sink_)
    take(packet);
  else
    early_.emplace_back(packet.begin(), packet.end());
}

void CableLink::take(Bytes packet) {
  std::int32_t source = 0;
  if (packet.size() <= sizeof source)
    return sink_->damaged(fmt::format("a packet of {} bytes came to process {}: none is so short",
                                      packet.size(), number(me_)));
  std::memcpy(&source, packet.data(), sizeof source);
  auto const received = std::to_integer<std::uint8_t>(packet.back());
  packet = packet.first(packet.size() - 1);
  Crc8 sum;
  sum.add(packet);
  if (sum.value() != received || !memory_->has(Rank{source}))
    return sink_->damaged(
        fmt::format("a packet of process {} came damaged: its CRC is {:02x}, that of the received "
                    "packet {:02x} ({})",
                    source, received, sum.value(), route_description(Rank{source})));
  if (!is_down(Rank{source})) sink_->frame(Rank{source}, packet.subspan(sizeof source));
}

std::size_t CableLink::observe_deaths() {
  std::size_t events = 0;
  notices_.read_deaths(
      *board_,
      [&](Rank rank) {
        if (rank == me_) return;
        ++events;
        sink_->down(rank, {});
      },
      [] {});  // no row is used twice, so that the list has all
  return events;
}

bool CableLink::ready() { return !early_.empty() || notices_.pending() || link_.ready(); }

void CableLink::sleep(Deadline deadline) {
  if (early_.empty() && !notices_.pending()) link_.sleep(deadline);
}

}  // namespace earl::myrinet::cables
