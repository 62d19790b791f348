// SPDX-License-Identifier: BSD-3-Clause
/// A network of switch processes with no other host on it but one, which sends scouts into it.
#pragma once

#include <string>

#include "backends/myrinet/cables/cable.hpp"
#include "backends/myrinet/cables/running_network.hpp"
#include "backends/myrinet/explore.hpp"

namespace earl::myrinet::cables {

class Mapper final : public Scouts, private net::FrameSink {
 public:
  /// `host` is the number of the one that sends. Throws Error.
  Mapper(RunningNetwork& network, std::uint32_t host);

  /// One after the other: they would block each other. Throws Error when one does not come to an
  /// end.
  std::vector<ScoutReply> send(std::vector<ScoutProbe> const& probes) override;

 private:
  void send_one(ScoutProbe const& probe);
  bool under_way();
  void frame(Rank from, Bytes frame) override;
  void down(Rank, std::string_view) override {}
  void on_control_ready() override {}

  Rank const me_;
  RunningNetwork& network_;
  Memory& memory_;
  tcp::Board& board_;
  tcp::TcpLink link_;
  Cable cable_;
  std::uint64_t sent_ = 0;      ///< packets
  std::uint64_t returned_ = 0;  ///< to this host
  std::uint32_t number_ = 0;    ///< of the scout that is on its way
  ScoutReply reply_{};          ///< of that
};

}  // namespace earl::myrinet::cables
