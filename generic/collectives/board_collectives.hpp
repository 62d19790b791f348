// SPDX-License-Identifier: BSD-3-Clause
/// Collectives of a group that has a board: short data in the board's lines, longer data through
/// its staging memory. All members see alike whether they take place here. Results have the same
/// bits as in messages.
#pragma once

#include "generic/collectives/group_board.hpp"

namespace earl::on_board {

/// Equal parts of memory, one for each member: in a list, or one behind the other.
template <class Piece>
class EqualParts {
 public:
  EqualParts(std::span<Pieces<Piece> const> each, std::size_t size) : each_(each), size_(size) {}
  EqualParts(Piece all, std::size_t members) : all_(all), size_(all.size() / members) {}

  std::size_t size() const { return size_; }  ///< bytes of one
  Pieces<Piece> operator[](std::size_t member) const {
    return each_.empty() ? Pieces<Piece>{all_.subspan(member * size_, size_)} : each_[member];
  }

 private:
  std::span<Pieces<Piece> const> each_{};
  Piece all_{};
  std::size_t size_;
};

/// False: the members exchange messages. As in collectives.hpp otherwise.
bool all_gather(GroupBoard& board, CollectiveCall const& call, Tag tag, Gather const& mine,
                std::span<const Scatter> rooms);
bool all_gather(GroupBoard& board, CollectiveCall const& call, Tag tag, Bytes mine,
                EqualParts<MutableBytes> const& rooms);
/// `rooms` are as long as `parts`, in all members; the own part stays where it is.
bool all_to_all(GroupBoard& board, CollectiveCall const& call, Tag tag,
                EqualParts<Bytes> const& parts, EqualParts<MutableBytes> const& rooms);
/// `unit`: bytes that must stay together.
bool all_reduce(GroupBoard& board, CollectiveCall const& call, Tag tag, Bytes mine,
                MutableBytes result, Combine const& combine, std::size_t unit);
bool broadcast(GroupBoard& board, CollectiveCall const& call, Tag tag, MutableBytes data);

}  // namespace earl::on_board
