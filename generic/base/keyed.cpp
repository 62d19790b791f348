// SPDX-License-Identifier: BSD-3-Clause
#include "generic/base/keyed.hpp"

#include <sodium.h>

#include "generic/base/error.hpp"
#include "generic/base/hex.hpp"

namespace earl {

namespace {

constexpr std::uint64_t handshake_magic = 0x3253'484c'5241'45;  // "EARLHS2"

static_assert(crypto_auth_KEYBYTES == sizeof(Secret) && crypto_auth_BYTES == sizeof(Seal));

unsigned char* raw(std::byte* bytes) { return reinterpret_cast<unsigned char*>(bytes); }
unsigned char const* raw(std::byte const* bytes) {
  return reinterpret_cast<unsigned char const*>(bytes);
}

template <class Array>
Array random_bytes() {
  if (::sodium_init() < 0) throw Error("no random number: libsodium found no source of them");
  Array bytes{};
  ::randombytes_buf(bytes.data(), bytes.size());
  return bytes;
}

/// In the same time wherever they differ.
bool same(Seal const& one, Seal const& other) {
  return ::sodium_memcmp(one.data(), other.data(), one.size()) == 0;
}

/// The content of both messages so far, so that no message of another handshake is valid.
struct HandshakeTranscript {
  std::uint64_t role = 0;
  Nonce challenge{};
  Nonce claim{};
  std::int32_t from = 0;
  std::int32_t to = 0;
};

HandshakeTranscript transcript(std::uint64_t role, Challenge const& challenge, Claim const& claim) {
  return {.role = role,
          .challenge = challenge.nonce,
          .claim = claim.nonce,
          .from = claim.from,
          .to = claim.to};
}

Seal seal_of(Secret const& secret, std::uint64_t role, Challenge const& challenge,
             Claim const& claim) {
  return seal(secret, bytes_of(transcript(role, challenge, claim)));
}

SessionKey key_of(Secret const& secret, std::uint64_t role, Challenge const& challenge,
                  Claim const& claim) {
  auto const content = transcript(role, challenge, claim);
  SessionKey key{};
  ::crypto_generichash(raw(key.data()), key.size(), raw(bytes_of(content).data()), sizeof content,
                       raw(secret.data()), secret.size());
  return key;
}

constexpr std::uint64_t claims = 1;
constexpr std::uint64_t proves = 2;
constexpr std::uint64_t sends_as_caller = 3;
constexpr std::uint64_t sends_to_caller = 4;

}  // namespace

Secret random_secret() { return random_bytes<Secret>(); }

std::optional<Secret> secret_from_hex(std::string_view text) {
  Secret secret{};
  return from_hex(text, secret) ? std::optional{secret} : std::nullopt;
}

Seal seal(Secret const& secret, Bytes message) {
  Seal made{};
  ::crypto_auth(raw(made.data()), raw(message.data()), message.size(), raw(secret.data()));
  return made;
}

Challenge challenge() { return {.magic = handshake_magic, .nonce = random_bytes<Nonce>()}; }

bool is_challenge(Challenge const& received) { return received.magic == handshake_magic; }

Claim claim(Secret const& secret, Challenge const& received, std::int32_t from, std::int32_t to) {
  Claim claim{.from = from, .to = to, .nonce = random_bytes<Nonce>()};
  claim.seal = seal_of(secret, claims, received, claim);
  return claim;
}

bool verifies(Secret const& secret, Challenge const& said, Claim const& received) {
  return same(received.seal, seal_of(secret, claims, said, received));
}

Proof proof(Secret const& secret, Challenge const& said, Claim const& received) {
  return {.seal = seal_of(secret, proves, said, received)};
}

bool verifies(Secret const& secret, Challenge const& received, Claim const& said,
              Proof const& got) {
  return same(got.seal, seal_of(secret, proves, received, said));
}

SessionKeys session_keys(Secret const& secret, Challenge const& challenge, Claim const& claim) {
  return {.from_caller = key_of(secret, sends_as_caller, challenge, claim),
          .to_caller = key_of(secret, sends_to_caller, challenge, claim)};
}

}  // namespace earl
