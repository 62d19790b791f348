// SPDX-License-Identifier: BSD-3-Clause
/// A rolling hash of a process's operations, independent of timing: two runs that agree have made
/// the same calls with the same arguments.
#pragma once

#include <array>
#include <cstdint>

#include "debug/trace/outcome.hpp"

namespace earl::trace {

class Fingerprint {
 public:
  void call(char const* name) { add(hash_of(name)); }
  void send(Envelope const& envelope, std::uint16_t contents) {
    add(contents);
    add(static_cast<std::uint64_t>(OpKind::send) << 56 | envelope.length);
    add(static_cast<std::uint64_t>(number(envelope.dest)) << 32 ^
        static_cast<std::uint32_t>(number(envelope.tag)));
  }
  /// Not the pinned part of a spec: that is the replay's own.
  void ask(OpKind kind, Selector const& selector) {
    add(static_cast<std::uint64_t>(kind) << 56 | static_cast<std::uint64_t>(selector.kind) << 48 |
        selector.bits);
    add(static_cast<std::uint64_t>(selector.source) << 32 ^
        static_cast<std::uint32_t>(selector.low));
  }
  void other(OpKind kind, std::uint64_t detail) {
    add(static_cast<std::uint64_t>(kind) << 56 ^ detail);
  }
  std::uint32_t value() const { return static_cast<std::uint32_t>(state_ ^ state_ >> 32); }

 private:
  void add(std::uint64_t word) {
    state_ = (state_ ^ word) * 0x9e37'79b9'7f4a'7c15ULL;
    state_ ^= state_ >> 29;
  }
  /// Hashes the characters, not the address, so that another build gives the same. Names are few:
  /// each is read once.
  std::uint64_t hash_of(char const* name) {
    auto const address = reinterpret_cast<std::uintptr_t>(name);
    auto& known = names_[(address ^ address >> 6) % names_.size()];
    if (known.name != name) [[unlikely]]
      known = {.name = name, .hash = hash_of_characters(name)};
    return known.hash;
  }
  [[gnu::noinline]] static std::uint64_t hash_of_characters(char const* name) {
    std::uint64_t hash = 0xcbf2'9ce4'8422'2325ULL;
    for (auto const* at = name; *at != 0; ++at)
      hash = (hash ^ static_cast<unsigned char>(*at)) * 0x100'0000'01b3ULL;
    return hash;
  }
  struct Name {
    char const* name = nullptr;
    std::uint64_t hash = 0;
  };

  std::uint64_t state_ = 0;
  std::array<Name, 64> names_{};
};

}  // namespace earl::trace
