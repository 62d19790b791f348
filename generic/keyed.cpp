#include "generic/keyed.hpp"

#include <sys/random.h>

#include <bit>
#include <cerrno>
#include <cstring>
#include <span>

#include "generic/error.hpp"
#include "generic/hex.hpp"

namespace earl {

namespace {

constexpr std::uint64_t handshake_magic = 0x3153'484c'5241'45;  // "EARLHS1"

using Sixteen = std::array<std::byte, 16>;

Sixteen random_bytes() {
  Sixteen bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw Error("no random number: {}", system_message(errno));
  return bytes;
}

std::uint64_t word_at(std::byte const* bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

struct Sip {
  std::uint64_t v0, v1, v2, v3;

  explicit Sip(Secret const& key) : v0(), v1(), v2(), v3() {
    auto const k0 = word_at(key.data());
    auto const k1 = word_at(key.data() + 8);
    v0 = 0x736f'6d65'7073'6575 ^ k0;
    v1 = 0x646f'7261'6e64'6f6d ^ k1 ^ 0xee;
    v2 = 0x6c79'6765'6e65'7261 ^ k0;
    v3 = 0x7465'6462'7974'6573 ^ k1;
  }

  void rounds(int count) {
    for (int i = 0; i < count; ++i) {
      v0 += v1;
      v1 = std::rotl(v1, 13) ^ v0;
      v0 = std::rotl(v0, 32);
      v2 += v3;
      v3 = std::rotl(v3, 16) ^ v2;
      v0 += v3;
      v3 = std::rotl(v3, 21) ^ v0;
      v2 += v1;
      v1 = std::rotl(v1, 17) ^ v2;
      v2 = std::rotl(v2, 32);
    }
  }

  void take(std::uint64_t word) {
    v3 ^= word;
    rounds(2);
    v0 ^= word;
  }

  std::uint64_t half(std::uint64_t& which, std::uint64_t mark) {
    which ^= mark;
    rounds(4);
    return v0 ^ v1 ^ v2 ^ v3;
  }
};

/// In the same time wherever they differ.
bool same(Seal const& one, Seal const& other) {
  unsigned difference = 0;
  for (std::size_t i = 0; i < one.size(); ++i)
    difference |= std::to_integer<unsigned>(one[i] ^ other[i]);
  return difference == 0;
}

/// All that both sides have said, so that no word of another handshake fits.
struct Said {
  std::uint64_t role = 0;
  Nonce challenge{};
  Nonce claim{};
  std::int32_t from = 0;
  std::int32_t to = 0;
};

Seal seal_of(Secret const& secret, std::uint64_t role, Challenge const& challenge,
             Claim const& claim) {
  Said const said{.role = role,
                  .challenge = challenge.nonce,
                  .claim = claim.nonce,
                  .from = claim.from,
                  .to = claim.to};
  return seal(secret, bytes_of(said));
}

constexpr std::uint64_t claims = 1;
constexpr std::uint64_t proves = 2;

}  // namespace

Secret random_secret() { return random_bytes(); }

std::optional<Secret> secret_from_hex(std::string_view text) {
  Secret secret{};
  return from_hex(text, secret) ? std::optional{secret} : std::nullopt;
}

Seal seal(Secret const& secret, Bytes message) {
  Sip sip(secret);
  auto const whole = message.size() / 8 * 8;
  for (std::size_t at = 0; at < whole; at += 8) sip.take(word_at(message.data() + at));
  std::array<std::byte, 8> rest{};
  copy(message.subspan(whole), Room{rest});
  rest[7] = static_cast<std::byte>(message.size() & 0xff);
  sip.take(word_at(rest.data()));
  std::array<std::uint64_t, 2> const halves{sip.half(sip.v2, 0xee), sip.half(sip.v1, 0xdd)};
  return std::bit_cast<Seal>(halves);
}

Challenge challenge() { return {.magic = handshake_magic, .nonce = random_bytes()}; }

bool is_challenge(Challenge const& heard) { return heard.magic == handshake_magic; }

Claim claim(Secret const& secret, Challenge const& heard, std::int32_t from, std::int32_t to) {
  Claim claim{.from = from, .to = to, .nonce = random_bytes()};
  claim.seal = seal_of(secret, claims, heard, claim);
  return claim;
}

bool believes(Secret const& secret, Challenge const& said, Claim const& heard) {
  return same(heard.seal, seal_of(secret, claims, said, heard));
}

Proof proof(Secret const& secret, Challenge const& said, Claim const& heard) {
  return {.seal = seal_of(secret, proves, said, heard)};
}

bool believes(Secret const& secret, Challenge const& heard, Claim const& said, Proof const& got) {
  return same(got.seal, seal_of(secret, proves, heard, said));
}

}  // namespace earl
