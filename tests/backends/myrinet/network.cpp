// SPDX-License-Identifier: BSD-3-Clause
#include "tests/backends/myrinet/network.hpp"

#include <cstring>

#include "generic/base/error.hpp"

namespace earl::myrinet::test {

SimulatedNetwork::SimulatedNetwork(Topology topology, std::uint64_t timeout)
    : topology_(std::move(topology)), hosts_(topology_.hosts.size()) {
  for (auto const& box : topology_.switches) {
    auto const ports = static_cast<unsigned>(box.ports.size());
    boxes_.emplace_back(ports);
    timeout_.emplace_back(ports, timeout);
  }
}

void SimulatedNetwork::send(std::uint32_t host, std::span<const std::uint8_t> way,
                            Packet const& packet) {
  auto& out = hosts_[host].out;
  Crc8 sum;
  auto const append = [&](std::uint8_t byte) {
    sum.add(std::byte{byte});
    out.push_back({byte, false});
  };
  for (auto const byte : way) append(byte);
  for (auto const byte : packet) append(byte);
  out.push_back({sum.value(), true});
}

void SimulatedNetwork::tick() {
  ++now_;
  // All that departs in this tick departs before any of it arrives.
  std::vector<std::pair<Plug, Symbol>> under_way;
  for (std::uint32_t i = 0; i < hosts_.size(); ++i)
    if (auto const symbol = host_sends(hosts_[i]))
      under_way.emplace_back(topology_.hosts[i].cabled_to, *symbol);
  for (std::uint32_t i = 0; i < boxes_.size(); ++i)
    for (std::uint32_t port = 0; port < boxes_[i].ports(); ++port)
      if (auto const symbol = boxes_[i].depart(port))
        under_way.emplace_back(topology_.switches[i].ports[port], *symbol);
  if (!under_way.empty()) moved_ = now_;
  for (auto const& [to, symbol] : under_way) carry(to, symbol);
  for (auto& host : hosts_) host_takes(host);
  drop_blocked();
  spread_stops();
}

std::optional<Symbol> SimulatedNetwork::host_sends(Host& host) {
  if (host.out.empty() || host.stopped) return {};
  auto const symbol = host.out.front();
  host.out.pop_front();
  moved_ = now_;
  auto const number = host.sent++;
  return host.meddler ? host.meddler(number, symbol) : symbol;
}

void SimulatedNetwork::carry(Plug const& to, Symbol symbol) {
  if (to.end == End::a_switch) boxes_[to.number].arrive(to.port, symbol);
  if (to.end == End::a_host) hosts_[to.number].slack.push_back(symbol);
}

void SimulatedNetwork::host_takes(Host& host) {
  if (host.slack.empty() || host.every == 0 || now_ % host.every != 0) return;
  auto const symbol = host.slack.front();
  host.slack.pop_front();
  moved_ = now_;
  if (!symbol.tail) return host.coming.push_back(symbol.byte);
  Crc8 sum;
  for (auto const byte : host.coming) sum.add(std::byte{byte});
  host.in.push_back({std::exchange(host.coming, {}), sum.value() == symbol.byte});
}

/// STOP and GO take effect a tick later.
void SimulatedNetwork::spread_stops() {
  constexpr std::size_t most_in_host = 16;
  for (std::uint32_t i = 0; i < boxes_.size(); ++i)
    for (std::uint32_t port = 0; port < boxes_[i].ports(); ++port) {
      auto const& [end, number, there] = topology_.switches[i].ports[port];
      if (end == End::a_switch) boxes_[i].set_stop(port, boxes_[number].sends_stop(there));
      if (end == End::a_host) {
        boxes_[i].set_stop(port, hosts_[number].slack.size() >= most_in_host);
        hosts_[number].stopped = boxes_[i].sends_stop(port);
      }
    }
}

void SimulatedNetwork::drop_blocked() {
  for (std::uint32_t i = 0; i < boxes_.size(); ++i)
    for (std::uint32_t port = 0; port < boxes_[i].ports(); ++port) {
      bool const to_host = topology_.switches[i].ports[port].end == End::a_host;
      if (timeout_[i].look_at_input(boxes_[i], port, now_) ||
          (to_host && timeout_[i].look_at_host(boxes_[i], port, now_)))
        moved_ = now_;
    }
}

std::uint64_t SimulatedNetwork::run(std::uint64_t calm) {
  auto const begin = now_;
  moved_ = now_;
  while (now_ - moved_ < calm) tick();
  return moved_ - begin;
}

std::uint64_t SimulatedNetwork::drops() const {
  std::uint64_t all = 0;
  for (auto const& box : boxes_)
    for (unsigned port = 0; port < box.ports(); ++port) all += box.counters(port).drops;
  return all;
}

bool NetworkLink::send(Rank to, Gather const& frame) {
  if (network_.sending(host())) return false;
  Packet packet(sizeof(std::uint32_t) + frame.size());
  auto const me = host();
  std::memcpy(packet.data(), &me, sizeof me);
  copy(frame, MutableBytes{std::as_writable_bytes(std::span{packet}).subspan(sizeof me)});
  network_.send(host(), routes_.find(host(), static_cast<std::uint32_t>(index(to))), packet);
  return true;
}

std::size_t NetworkLink::progress(net::FrameSink& sink, std::size_t most) {
  std::size_t reported = 0;
  auto& arrivals = network_.arrivals(host());
  for (; reported < most && !arrivals.empty(); ++reported) {
    auto const arrival = std::move(arrivals.front());
    arrivals.pop_front();
    std::uint32_t from = 0;
    if (!arrival.sound || arrival.packet.size() < sizeof from)
      throw Error("a packet came damaged to host {}: its CRC is wrong", host());
    std::memcpy(&from, arrival.packet.data(), sizeof from);
    sink.frame(Rank{static_cast<std::int32_t>(from)},
               std::as_bytes(std::span{arrival.packet}).subspan(sizeof from));
  }
  return reported;
}

}  // namespace earl::myrinet::test
