// SPDX-License-Identifier: BSD-3-Clause
/// Proof of both ends of a connection to each other that they know one secret, without sending it,
/// so that an unauthenticated peer that finds the port is rejected; and the keys that both have
/// then. The cryptography is libsodium's.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "generic/base/bytes.hpp"

namespace earl {

using Secret = std::array<std::byte, 32>;      ///< of one job, never seen on a command line
using Nonce = std::array<std::byte, 16>;       ///< said once
using Seal = std::array<std::byte, 32>;        ///< only an end that knows the secret can make it
using SessionKey = std::array<std::byte, 48>;  ///< of one direction of one connection

/// Fresh every time. Throws Error when the system has none.
Secret random_secret();
/// Like to_hex() wrote it. Null: that is none.
std::optional<Secret> secret_from_hex(std::string_view text);

/// HMAC-SHA-512-256, a keyed hash.
Seal seal(Secret const& secret, Bytes message);

// --- the three messages of a handshake, in this order; plain bytes in host byte order

/// From the end that was connected to.
struct Challenge {
  std::uint64_t magic = 0;
  Nonce nonce{};
};
/// From the connecting end: that `from` wants to talk to `to`.
struct Claim {
  std::int32_t from = 0;
  std::int32_t to = 0;
  Nonce nonce{};
  Seal seal{};
};
/// From the end that was connected to, if it verifies the claim.
struct Proof {
  Seal seal{};
};

Challenge challenge();
bool is_challenge(Challenge const& received);
Claim claim(Secret const& secret, Challenge const& received, std::int32_t from, std::int32_t to);
bool verifies(Secret const& secret, Challenge const& said, Claim const& received);
Proof proof(Secret const& secret, Challenge const& said, Claim const& received);
bool verifies(Secret const& secret, Challenge const& received, Claim const& said, Proof const& got);

// --- after it: no other connection has the same keys

struct SessionKeys {
  SessionKey from_caller{};  ///< for frames of the connecting end
  SessionKey to_caller{};
};
SessionKeys session_keys(Secret const& secret, Challenge const& challenge, Claim const& claim);

}  // namespace earl
