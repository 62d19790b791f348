// SPDX-License-Identifier: BSD-3-Clause
/// Frames between two ends that share a session's key: no third party can change, repeat,
/// reorder or drop one unnoticed or, if they are encrypted, read one. libsodium's
/// ChaCha20-Poly1305.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "generic/base/bytes.hpp"
#include "generic/base/keyed.hpp"

namespace earl {

/// The protection of frames of one connection. Both ends know it in advance: it is not negotiated.
enum class Protection : std::uint32_t { none, authenticated, encrypted };

/// In front of every frame.
struct FramePrefix {
  std::uint32_t length = 0;  ///< of the frame, bytes
  std::uint32_t check = 0;   ///< of the length; without protection 0
};
using FrameTag =
    std::array<std::byte, 16>;  ///< between prefix and frame, where there is protection

/// Bytes that come with each frame.
constexpr std::size_t frame_overhead(Protection protection) {
  return sizeof(FramePrefix) + (protection == Protection::none ? 0 : sizeof(FrameTag));
}

/// The state of one direction at both ends: a key that no other session has, and the number of
/// frames so far.
class FrameCounter {
 public:
  FrameCounter(SessionKey const& key, Protection protection);

  Protection protection() const { return protection_; }
  std::uint64_t count() const { return count_; }

 protected:
  using FrameNonce = std::array<std::byte, 12>;

  FrameNonce nonce() const;
  std::uint32_t check_of(std::uint32_t length) const;
  unsigned char const* key() const;

  std::uint64_t count_ = 0;

 private:
  SessionKey key_;
  Protection protection_;
};

/// The end that frames go into.
class FrameSealer : private FrameCounter {
 public:
  using FrameCounter::FrameCounter;
  using FrameCounter::protection;

  /// Prefix, tag and frame in one piece, until the next call. All of them are to be sent, in this
  /// order.
  Bytes seal(Gather const& frame);

 private:
  std::vector<std::byte> sealed_{};
};

/// The end that frames come out of.
class FrameOpener : private FrameCounter {
 public:
  /// `largest`: bytes of a frame.
  FrameOpener(SessionKey const& key, Protection protection, std::size_t largest)
      : FrameCounter(key, protection), largest_(largest) {}
  using FrameCounter::protection;

  struct Opened {
    enum class State { incomplete, whole, damaged };
    State state = State::incomplete;
    std::size_t taken = 0;  ///< bytes of the stream
    Bytes frame{};          ///< in the stream
  };
  /// The first frame in `stream`, decrypted there. Damaged: it is not the one that was sent, and
  /// nothing more can be read.
  Opened open(MutableBytes stream);

 private:
  bool verify(MutableBytes frame) const;

  std::size_t largest_;
};

}  // namespace earl
