// SPDX-License-Identifier: BSD-3-Clause
#include "generic/base/sealed_frames.hpp"

#include <sodium.h>

#include <cstring>

namespace earl {

namespace {

constexpr std::size_t cipher_key = crypto_aead_chacha20poly1305_ietf_KEYBYTES;
static_assert(cipher_key + crypto_shorthash_KEYBYTES == sizeof(SessionKey));
static_assert(crypto_aead_chacha20poly1305_ietf_ABYTES == sizeof(FrameTag));

unsigned char* raw(std::byte* bytes) { return reinterpret_cast<unsigned char*>(bytes); }
unsigned char const* raw(std::byte const* bytes) {
  return reinterpret_cast<unsigned char const*>(bytes);
}

}  // namespace

FrameCounter::FrameCounter(SessionKey const& key, Protection protection)
    : key_(key), protection_(protection) {}

unsigned char const* FrameCounter::key() const { return raw(key_.data()); }

/// No two frames under one key have the same.
FrameCounter::FrameNonce FrameCounter::nonce() const {
  FrameNonce nonce{};
  std::memcpy(nonce.data() + nonce.size() - sizeof count_, &count_, sizeof count_);
  return nonce;
}

/// A frame's tag is only checked once the frame is whole, so a wrong length must be detected
/// before: otherwise the receiver would wait for bytes that never come.
std::uint32_t FrameCounter::check_of(std::uint32_t length) const {
  if (protection_ == Protection::none) return 0;
  struct {
    std::uint64_t count;
    std::uint64_t length;
  } const said{.count = count_, .length = length};
  std::array<unsigned char, crypto_shorthash_BYTES> hash{};
  ::crypto_shorthash(hash.data(), raw(bytes_of(said).data()), sizeof said, key() + cipher_key);
  std::uint32_t check = 0;
  std::memcpy(&check, hash.data(), sizeof check);
  return check;
}

Bytes FrameSealer::seal(Gather const& frame) {
  auto const overhead = frame_overhead(protection());
  auto const length = static_cast<std::uint32_t>(frame.size());
  const FramePrefix prefix{.length = length, .check = check_of(length)};
  if (sealed_.size() < overhead + length) sealed_.resize(overhead + length);
  std::memcpy(sealed_.data(), &prefix, sizeof prefix);
  auto* const body = sealed_.data() + overhead;
  copy(frame, MutableBytes{body, length});
  if (protection() != Protection::none) {
    bool const hidden = protection() == Protection::encrypted;
    ::crypto_aead_chacha20poly1305_ietf_encrypt_detached(
        raw(body), raw(body) - sizeof(FrameTag), nullptr, raw(body), hidden ? length : 0, raw(body),
        hidden ? 0 : length, nullptr, raw(nonce().data()), key());
  }
  ++count_;
  return Bytes{sealed_}.first(overhead + length);
}

/// Its tag is in front of it.
bool FrameOpener::verify(MutableBytes frame) const {
  if (protection() == Protection::none) return true;
  bool const hidden = protection() == Protection::encrypted;
  return ::crypto_aead_chacha20poly1305_ietf_decrypt_detached(
             raw(frame.data()), nullptr, raw(frame.data()), hidden ? frame.size() : 0,
             raw(frame.data()) - sizeof(FrameTag), raw(frame.data()), hidden ? 0 : frame.size(),
             raw(nonce().data()), key()) == 0;
}

FrameOpener::Opened FrameOpener::open(MutableBytes stream) {
  using State = Opened::State;
  FramePrefix prefix;
  if (stream.size() < sizeof prefix) return {};
  std::memcpy(&prefix, stream.data(), sizeof prefix);
  if (prefix.length > largest_ || prefix.check != check_of(prefix.length))
    return {.state = State::damaged};
  auto const overhead = frame_overhead(protection());
  if (stream.size() < overhead + prefix.length) return {};
  auto const frame = stream.subspan(overhead, prefix.length);
  if (!verify(frame)) return {.state = State::damaged};
  ++count_;
  return {.state = State::whole, .taken = overhead + prefix.length, .frame = frame};
}

}  // namespace earl
