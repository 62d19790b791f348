// SPDX-License-Identifier: BSD-3-Clause
/// Every conversion between NX's terms and the core's: nodes and Ranks, types and Tags, pids and
/// Contexts, pointers and bytes.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "generic/base/bytes.hpp"
#include "generic/base/id_table.hpp"
#include "generic/base/values.hpp"
#include "generic/contexts.hpp"
#include "generic/message/match_spec.hpp"

namespace earl::nx {

inline constexpr std::int32_t all_nodes = -1;  ///< as a destination: all but the sender
inline constexpr std::int32_t any = -1;        ///< as a selector

/// NX knows 32-bit integers only. A program without prototypes leaves noise in the upper half of
/// an argument's register, and 0x80000007 reaches a `long` as a positive number.
template <class T>
constexpr auto narrow(T given) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<std::int32_t>(given);
  else
    return given;
}

/// A `long` argument, of which most calls read the lower half.
struct Word {
  long given = 0;
  constexpr operator std::int32_t() const { return static_cast<std::int32_t>(given); }
};

/// Narrows an argument as narrow() does, but for one that may be a length.
template <class T>
constexpr auto word(T given) {
  if constexpr (std::is_same_v<T, long>)
    return Word{given};
  else
    return narrow(given);
}

[[noreturn]] void refuse_length(long given);

/// A length or a count. One of 4 GiB and more is EQLEN, from a terabyte on it is no length but
/// noise (narrow()); one of 2 GiB and more is negative, which calls refuse.
class Length {
 public:
  constexpr Length(std::int32_t length) : length_(length) {}
  constexpr Length(Word word) : length_(word) {
    if (word.given >= too_long && word.given < noise) [[unlikely]]
      refuse_length(word.given);
  }
  constexpr operator std::int32_t() const { return length_; }

 private:
  static constexpr long too_long = 1L << 32;  ///< below, it may be a negative int
  static constexpr long noise = 1L << 40;

  std::int32_t length_;
};

/// One of a list of them.
template <class T>
constexpr std::int32_t length_in(T listed) {
  return Length{word(listed)};
}

/// The faults of arguments that cannot be translated. Each throws NxError.
[[noreturn]] void refuse_type(std::int32_t type);
[[noreturn]] void refuse_pid(std::int32_t pid);
[[noreturn]] void refuse_memory(std::int32_t count);

/// The type of a message to send. Negative: EQTYPE.
inline Tag tag_of(std::int32_t type) {
  if (type < 0) [[unlikely]]
    refuse_type(type);
  return Tag{type};
}

/// The meaning of a type selector (manual: typesel): a type, -1 for any ordinary one, or a mask. A
/// mask without bits: EQTYPE.
TagMatch tags_of(std::int32_t typesel);

/// Where messages to processes with this pid travel. Pid 0, which nearly every program uses, is
/// the context where the other front ends meet too.
Context context_of_pid(std::int32_t pid);
/// For reports; pid 0 goes without saying.
ContextName pid_in_reports(Context context);

/// Memory to send from and to receive into. EQLEN, EQPBUF.
inline Bytes bytes(void const* memory, std::int32_t count) {
  if (count < 0 || (count > 0 && !memory)) [[unlikely]]
    refuse_memory(count);
  return {static_cast<std::byte const*>(memory), static_cast<std::size_t>(count)};
}
inline MutableBytes mutable_bytes(void* memory, std::int32_t count) {
  if (count < 0 || (count > 0 && !memory)) [[unlikely]]
    refuse_memory(count);
  return {static_cast<std::byte*>(memory), static_cast<std::size_t>(count)};
}

/// A Fortran CHARACTER argument: blank padded, its length in a hidden argument. The caller's
/// memory.
std::string_view fortran_text(char const* text, std::size_t length);

/// The nodes that a process can name. The cube is the NX programs that one run or one spawn
/// started, numbered in the order of their Ranks; the host's number is size(), and processes of
/// other front ends have numbers above it.
class Cube {
 public:
  /// The cube of `me`. Every process it may consist of must be known (batch_known()).
  Cube(IdTable const& table, Rank me);
  /// The same with `nodes`, in the order of their Ranks.
  Cube(IdTable const& table, Rank me, std::vector<Rank> nodes);
  /// The cube that is this partition; `me` is a node of it or its host.
  Cube(IdTable const& table, Rank me, std::uint32_t partition);

  std::int32_t size() const { return size_; }
  std::int32_t me() const { return me_; }
  /// 0: the nodes were started by one run or spawn, and no more are loaded.
  std::uint32_t partition() const { return partition_; }
  /// The caller has no node in it.
  bool is_host() const { return partition_ != 0 && me_ == size_; }
  bool holds(std::int32_t node) const { return 0 <= node && node < size(); }

  /// The process that is `node`, in a cube that is no partition. EQNODE when there cannot be one.
  Rank rank_of(std::int32_t node) const {
    return has_row(node) ? nodes_[static_cast<std::size_t>(node)] : other_rank_of(node);
  }
  std::int32_t node_of(Rank rank) const {
    auto const node = number(rank) - first_;
    if (has_row(node) && nodes_[static_cast<std::size_t>(node)] == rank) [[likely]]
      return node;
    return other_node_of(rank);
  }
  /// `node` is one of nodes().
  bool has_row(std::int32_t node) const {
    return static_cast<std::size_t>(node) < nodes_.size();  // a negative one is a large size
  }

  /// Empty for a partition, whose nodes come and go.
  std::span<const Rank> nodes() const { return nodes_; }
  /// All but the caller; likewise.
  std::vector<Rank> others() const;
  /// The number of this cube in the job, to keep their objects apart.
  std::uint32_t batch() const { return batch_; }

 private:
  static constexpr std::int32_t foreign = -1;
  Rank other_rank_of(std::int32_t node) const;
  std::int32_t other_node_of(Rank rank) const;
  std::int32_t place_in_nodes(Rank rank) const;
  std::int32_t place_in_partition(Rank rank) const;
  std::int32_t first_foreign() const { return size() + 1; }

  IdTable table_;
  std::vector<Rank> nodes_{};  ///< by node, which is the order of Ranks; of a partition none
  std::int32_t first_ = 0;     ///< number of the first; mostly the others follow it without a gap
  std::int32_t me_ = 0;
  std::int32_t size_ = 0;
  std::uint32_t batch_ = 0;
  std::uint32_t partition_ = 0;
};

}  // namespace earl::nx
