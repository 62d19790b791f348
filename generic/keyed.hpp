/// How two ends of a connection show each other that they know one secret, without saying it, so
/// that an unauthenticated peer who finds the port gets nowhere.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "generic/bytes.hpp"

namespace earl {

using Secret = std::array<std::byte, 16>;  ///< of one job, never seen on a command line
using Nonce = std::array<std::byte, 16>;   ///< said once
using Seal = std::array<std::byte, 16>;    ///< only who knows the secret can make it

/// Fresh every time. Throws Error when the system has none.
Secret random_secret();
/// As to_hex() wrote it. Null: that is none.
std::optional<Secret> secret_from_hex(std::string_view text);

/// SipHash-2-4 with 128 bits (Aumasson, Bernstein 2012), a keyed hash of short messages.
Seal seal(Secret const& secret, Bytes message);

// --- the three words of a handshake, in this order; plain bytes in the machine's own order

/// From who was connected to.
struct Challenge {
  std::uint64_t magic = 0;
  Nonce nonce{};
};
/// From who has connected: that `from` wants to talk to `to`.
struct Claim {
  std::int32_t from = 0;
  std::int32_t to = 0;
  Nonce nonce{};
  Seal seal{};
};
/// From who was connected to, if it believes the claim.
struct Proof {
  Seal seal{};
};

Challenge challenge();
bool is_challenge(Challenge const& heard);
Claim claim(Secret const& secret, Challenge const& heard, std::int32_t from, std::int32_t to);
bool believes(Secret const& secret, Challenge const& said, Claim const& heard);
Proof proof(Secret const& secret, Challenge const& said, Claim const& heard);
bool believes(Secret const& secret, Challenge const& heard, Claim const& said, Proof const& got);

}  // namespace earl
