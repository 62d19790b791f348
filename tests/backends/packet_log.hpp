// SPDX-License-Identifier: BSD-3-Clause
/// The events that a port hands over, as text, for tests of ports on a fake of their library.
#pragma once

#include <string>
#include <vector>

#include "generic/seams/port.hpp"

namespace earl::test {

using Words = std::vector<std::string>;

/// Keeps the events: "SOURCE TAG BYTES" of a packet, "moved FROM TRANSFER" or "lost FROM TRANSFER",
/// "gone RANK", "control notice".
class PacketLog final : public PacketSink {
 public:
  void packet(Header const& header, Bytes payload) override;
  void moved(Rank from, TransferId transfer, bool ok) override;
  void gone(Rank rank) override;
  void on_control_ready() override;

  Words says;
};

/// The header of an eager packet.
Header eager(int source, int tag);

/// The events that the port hands over until it has no more.
Words polled(Port& port);

}  // namespace earl::test
