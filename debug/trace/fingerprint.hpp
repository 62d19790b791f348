// SPDX-License-Identifier: BSD-3-Clause
/// A rolling hash of a process's operations, independent of timing: two runs that agree have made
/// the same calls with the same arguments.
#pragma once

#include <bit>
#include <cstdint>

#include "debug/trace/outcome.hpp"
#include "debug/trace/sends.hpp"

namespace earl::trace {

class Fingerprint {
 public:
  /// By the hash of its name.
  void call(std::uint64_t hash) { add(hash); }
  void send(Sent const& sent) {
    add((sent.length << 16 ^ sent.check) * multiplier ^ pair(sent.tag, sent.dest));
  }
  /// Not the pinned part of a spec: that is the replay's own.
  void ask(OpKind kind, Selector const& selector) {
    bool const any = selector.kind == TagMatch::Kind::any;
    auto const tag = any ? TagMatch::Kind::exact : selector.kind;
    add(word_of(kind, tag, selector.bits) ^
        pair(any ? number(any_tag) : selector.low, selector.source));
  }
  /// A receive; the same as that of its selector.
  void ask(NarrowSpec const& spec) {
    add(word_of(OpKind::receive, TagMatch::Kind::exact, 0) ^
        pair(number(spec.tag()), number(spec.source())));
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
  static constexpr std::uint64_t word_of(OpKind kind, TagMatch::Kind tag, std::uint32_t bits) {
    return (static_cast<std::uint64_t>(kind) << 56 | static_cast<std::uint64_t>(tag) << 48 | bits) *
           multiplier;
  }
  static std::uint64_t pair(std::int32_t high, std::int32_t low) {
    return std::uint64_t{static_cast<std::uint32_t>(high)} << 32 | static_cast<std::uint32_t>(low);
  }
  std::uint64_t state_ = 0;
};

}  // namespace earl::trace
