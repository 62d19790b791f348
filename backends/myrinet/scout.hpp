// SPDX-License-Identifier: BSD-3-Clause
/// Packets that explore the network, as Myrinet's mapper sent them: the interface at the end of a
/// scout's way answers, whatever its process does. A scout that finds its own way back proves that
/// there is a switch.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "generic/base/bytes.hpp"

namespace earl::myrinet {

/// The bytes of a route, as many as it takes: switches do not count them.
using Way = std::vector<std::uint8_t>;

struct Scout {
  enum class Kind : std::uint8_t { question, answer };

  Kind kind = Kind::question;
  std::uint32_t number = 0;  ///< the answer has that of its question
  Way back{};                ///< of a question: the answer's way; empty: no answer is wanted
  std::string name{};        ///< of an answering host
};

/// The part between the route and the sum of a packet.
std::vector<std::byte> packet_of(Scout const& scout);
/// Null: that is no scout.
std::optional<Scout> scout_in(Bytes packet);
/// Whether a packet that has only begun to come is one.
bool is_scout(Bytes packet);

}  // namespace earl::myrinet
