// SPDX-License-Identifier: BSD-3-Clause
/// A rolling hash of a process's operations, independent of timing: two runs that agree have made
/// the same calls with the same arguments.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "debug/trace/outcome.hpp"
#include "debug/trace/sends.hpp"

namespace earl::trace {

class Fingerprint {
 public:
  void call(char const* name) { add(hash_of(name)); }
  void send(Sent const& sent) {
    add((sent.length << 16 ^ sent.check) * multiplier ^ pair(sent.dest, sent.tag));
  }
  /// Not the pinned part of a spec: that is the replay's own.
  void ask(OpKind kind, Selector const& selector) {
    auto const word = static_cast<std::uint64_t>(kind) << 56 |
                      static_cast<std::uint64_t>(selector.kind) << 48 | selector.bits;
    add(word * multiplier ^ pair(selector.source, selector.low));
  }
  void other(OpKind kind, std::uint64_t detail) {
    add(static_cast<std::uint64_t>(kind) << 56 ^ detail);
  }
  std::uint32_t value() const { return static_cast<std::uint32_t>(state_ ^ state_ >> 32); }

 private:
  static constexpr std::uint64_t multiplier = 0x9e37'79b9'7f4a'7c15ULL;

  /// The rotation brings the high bits, which depend on all others, to where the next
  /// multiplication spreads them.
  void add(std::uint64_t word) { state_ = (std::rotl(state_, 26) ^ word) * multiplier; }
  static std::uint64_t pair(std::int32_t high, std::int32_t low) {
    return std::uint64_t{static_cast<std::uint32_t>(high)} << 32 | static_cast<std::uint32_t>(low);
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
