// SPDX-License-Identifier: BSD-3-Clause
/// Who takes part in a collective, and how elements are combined. Written once over point to
/// point; front ends never write their own.
#pragma once

#include <span>
#include <string>

#include "generic/base/bytes.hpp"
#include "generic/base/values.hpp"

namespace earl {

/// The members in the order all of them agree on. `context` separates groups; it must be of
/// Space::collective.
struct Group {
  std::span<const Rank> members{};
  std::size_t me = 0;  ///< position of the caller
  Context context = context_of(Space::collective, 0);

  std::size_t size() const { return members.size(); }
};

enum class Collective : std::uint8_t {
  none,
  barrier,
  broadcast,
  reduce,
  gather,
  scatter,
  all_to_all,
  scan,
  prefix,
  all_reduce,
  all_gather,
  reduce_scatter,
};

/// How elements are combined, as far as Earl knows; for comparing members, and for people.
enum class Reduction : std::uint8_t {
  unspecified,  ///< the program's own function: fits each
  sum,
  product,
  maximum,
  minimum,
  bit_and,
  bit_or,
  bit_exclusive_or,
  logical_and,
  logical_or,
  logical_exclusive_or,
  place_of_maximum,
  place_of_minimum,
};

/// What is combined; likewise.
enum class ElementType : std::uint8_t {
  unspecified,
  byte,
  integer_2,
  integer_4,
  integer_8,
  real_4,
  real_8,
  complex_8,
  complex_16,
  unsigned_2,
  unsigned_4,
  unsigned_8,
  real_16,
  pair,  ///< a value and where it is
};

/// What one member does in a collective: travels in the word of its messages' envelopes, so that
/// members that do not do the same find out.
struct CollectiveCall {
  static constexpr std::size_t most_root = 0xffff;

  Collective kind = Collective::none;
  std::size_t root = 0;  ///< a member; beyond `most_root`, all are alike
  Reduction reduction = Reduction::unspecified;
  ElementType element = ElementType::unspecified;

  std::uint32_t word() const;
  static CollectiveCall from(std::uint32_t word);
  /// Whether both may be parts of one collective.
  bool fits(CollectiveCall const& other) const;
  /// "a reduction (sum of 8-byte integers) to member 0".
  std::string in_words() const;
};

/// into = into (op) from, for `bytes` bytes of elements.
struct Combine {
  void (*function)(void* with, std::byte* into, std::byte const* from, std::size_t bytes) = nullptr;
  void* with = nullptr;
  Reduction reduction = Reduction::unspecified;
  ElementType element = ElementType::unspecified;
  /// Bytes that must stay together; 0: `element` says it, or all must.
  std::size_t unit = 0;

  void operator()(Room into, Bytes from) const {
    function(with, into.data(), from.data(), into.size());
  }
};

}  // namespace earl
