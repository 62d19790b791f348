// SPDX-License-Identifier: BSD-3-Clause
/// The route in front of a packet: a byte for each switch on its way.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace earl::myrinet {

/// BIP's limit.
inline constexpr std::size_t most_switches_on_the_way = 4;

/// A packet's way: the byte of the first switch comes first. None: no switch is between.
class Route {
 public:
  void append(std::uint8_t byte) { bytes_[size_++] = byte; }
  bool full() const { return size_ == most_switches_on_the_way; }
  std::size_t size() const { return size_; }
  std::span<const std::uint8_t> bytes() const { return {bytes_.data(), size_}; }

 private:
  std::array<std::uint8_t, most_switches_on_the_way> bytes_{};
  std::size_t size_ = 0;
};

/// Ports of the largest switch: the difference of any two fits a route byte.
inline constexpr unsigned most_ports = 32;

/// A route byte has its upper bit set, and holds the difference from the port in to the port out:
/// six bits with a sign. Without that bit it is the number of the port out, as in the files of BIP
/// programs whose hosts are all on one switch.
inline constexpr std::uint8_t by_difference = 0x80;

constexpr std::uint8_t route_byte(unsigned in, unsigned out) {
  return static_cast<std::uint8_t>(by_difference | ((out - in) & 0x3f));
}

/// The port out that a byte means at a port in; may be one that the switch does not have.
constexpr unsigned port_out(unsigned in, std::uint8_t byte) {
  if ((byte & by_difference) == 0) return byte;
  int const difference = byte & 0x20 ? (byte & 0x3f) - 0x40 : byte & 0x3f;
  return static_cast<unsigned>(static_cast<int>(in) + difference);
}

}  // namespace earl::myrinet
