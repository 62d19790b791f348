// SPDX-License-Identifier: BSD-3-Clause
/// Collectives over a process and a group, written once over point to point; front ends never write
/// their own. All members describe the group alike and make the same calls in the same order.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "generic/base/bytes.hpp"
#include "generic/base/values.hpp"

namespace earl {

class Process;

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

/// The operation on elements, as far as Earl knows it; for comparing members, and for people.
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

/// The combined elements; likewise.
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

/// One member's call of a collective: sent in the word of its messages' envelopes, so that members
/// with different calls detect it.
struct CollectiveCall {
  static constexpr std::size_t most_root = 0xffff;

  Collective kind = Collective::none;
  std::size_t root = 0;  ///< a member; beyond `most_root`, all are alike
  Reduction reduction = Reduction::unspecified;
  ElementType element = ElementType::unspecified;

  std::uint32_t word() const;
  static CollectiveCall from(std::uint32_t word);
  /// Whether both calls match.
  bool fits(CollectiveCall const& other) const;
  /// "a reduction (sum of 8-byte integers) to member 0".
  std::string to_text() const;
};

/// into = into (op) from, for `bytes` bytes of elements.
struct Combine {
  void (*function)(void* with, std::byte* into, std::byte const* from, std::size_t bytes) = nullptr;
  void* with = nullptr;
  Reduction reduction = Reduction::unspecified;
  ElementType element = ElementType::unspecified;
  /// Bytes that must stay together; 0: `element` says it, or all must.
  std::size_t unit = 0;
  Padding padding{};  ///< of the data

  void operator()(MutableBytes into, Bytes from) const {
    function(with, into.data(), from.data(), into.size());
  }
};

void barrier(Process& me, Group const& group);
void broadcast(Process& me, Group const& group, std::size_t root, MutableBytes data);
void broadcast(Process& me, Group const& group, std::size_t root, Scatter const& data);
/// Combines `data` of all members element by element, member after member, bracketed in a way
/// that depends on the group's size only; the result is in the root's `data`, other members' is
/// destroyed.
void reduce(Process& me, Group const& group, std::size_t root, MutableBytes data,
            Combine const& combine);
/// Like reduce(), in all members' `data`: bit-identical on every member.
void all_reduce(Process& me, Group const& group, MutableBytes data, Combine const& combine);
/// The same of `mine`, which is as long as `result` and apart from it; or it is the same memory.
void all_reduce(Process& me, Group const& group, Bytes mine, MutableBytes result,
                Combine const& combine);
/// The members' bytes one after the other in the root's memory, any lengths; others get an empty
/// buffer.
Buffer gather(Process& me, Group const& group, std::size_t root, Bytes mine);
/// gather() straight into the root's memory: rooms[i] is as long as member i's data. `rooms` counts
/// at the root only.
void gather(Process& me, Group const& group, std::size_t root, Gather const& mine,
            std::span<const Scatter> rooms);
/// gather() and broadcast().
Buffer all_gather(Process& me, Group const& group, Bytes mine);
/// Like gather(), in all members' memory. All members' rooms are as long.
void all_gather(Process& me, Group const& group, Gather const& mine,
                std::span<const Scatter> rooms);
/// The same of equal parts: `all` has one for each member. `mine` is apart from it, or there.
void all_gather(Process& me, Group const& group, Bytes mine, MutableBytes all);
/// Each member gets the root's part for it, any lengths. `parts` counts at the root only: one per
/// member.
Buffer scatter(Process& me, Group const& group, std::size_t root, std::span<const Bytes> parts);
/// scatter() of equal parts, straight into each member's memory; `all` counts at the root only.
void scatter(Process& me, Group const& group, std::size_t root, Bytes all, MutableBytes mine);
/// scatter() into each member's memory, which is as long as its part.
void scatter(Process& me, Group const& group, std::size_t root, std::span<const Gather> parts,
             Scatter const& mine);
/// parts[i] goes to member i; returns all members' data for this one, in their order. Any lengths.
std::vector<Buffer> all_to_all(Process& me, Group const& group, std::span<const Bytes> parts);
/// all_to_all() of equal parts: `in` is as long as `out` and apart from it.
void all_to_all(Process& me, Group const& group, Bytes out, MutableBytes in);
/// all_to_all() into memory: rooms[i] is as long as member i's data for this one, apart from
/// `parts`.
void all_to_all(Process& me, Group const& group, std::span<const Gather> parts,
                std::span<const Scatter> rooms);
/// The same of parts and rooms that have one length, the same in all members.
void all_to_all_equal(Process& me, Group const& group, std::span<const Gather> parts,
                      std::span<const Scatter> rooms);
/// Leaves in each member's `data` the result of reduce() over the members up to and with it.
void scan(Process& me, Group const& group, MutableBytes data, Combine const& combine);
/// Like scan(), without the member itself; the first one's `data` stays as it is.
void prefix(Process& me, Group const& group, MutableBytes data, Combine const& combine);
/// reduce() of `data`, of which member i keeps the i-th piece, `sizes[i]` bytes long, in `mine`.
void reduce_scatter(Process& me, Group const& group, MutableBytes data,
                    std::span<const std::size_t> sizes, Combine const& combine, MutableBytes mine);

}  // namespace earl
