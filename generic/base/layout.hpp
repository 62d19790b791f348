// SPDX-License-Identifier: BSD-3-Clause
/// Memory that is a pattern: runs of equal blocks at a fixed stride, nested, one after the other.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "generic/base/padding.hpp"

namespace earl {

/// The bytes of some memory that make up a value, in order; offsets count from an origin that the
/// layout does not know. Equal layouts may be made of different runs.
class MemoryLayout {
 public:
  /// `count` units, each `stride` bytes behind the one before; a unit is a block of `unit` bytes,
  /// or all that `inner` says. Strides may be negative or zero.
  struct Run {
    std::ptrdiff_t offset = 0;  ///< of the first unit, from the layout's origin
    std::size_t at = 0;         ///< bytes of the layout that come before it
    std::size_t unit = 0;       ///< bytes
    std::size_t count = 1;
    std::ptrdiff_t stride = 0;
    std::shared_ptr<MemoryLayout const> inner{};

    bool block() const { return count == 1 && !inner; }
    std::size_t size() const { return unit * count; }
  };

  MemoryLayout() = default;  ///< no bytes
  static MemoryLayout block(std::size_t bytes);

  /// `count` times this, each `stride` bytes behind the one before.
  MemoryLayout repeated(std::size_t count, std::ptrdiff_t stride) const;
  /// Appends the layout `next`, `offset` bytes further on.
  void append(MemoryLayout const& next, std::ptrdiff_t offset);

  std::size_t size() const { return size_; }
  std::span<const Run> runs() const { return runs_; }
  /// Where the bytes begin that lie one behind the other; null: they do not.
  std::optional<std::ptrdiff_t> contiguous() const;

 private:
  void add(Run run);

  std::vector<Run> runs_{};
  std::size_t size_ = 0;
};

/// `count` values of one layout, each `extent` bytes behind the one before; refers to the layout.
class Pattern {
 public:
  Pattern() = default;
  Pattern(MemoryLayout const& layout, std::size_t count, std::ptrdiff_t extent);
  /// Blocks of `unit` bytes, which need no layout.
  static Pattern of_blocks(std::size_t unit, std::size_t count, std::ptrdiff_t stride);
  /// The same memory, some of whose bytes are padding: copy_out() gives zeros for them.
  Pattern with(Padding const& padding) const {
    Pattern pattern = *this;
    pattern.padding_ = padding;
    return pattern;
  }

  std::size_t size() const { return unit_ * count_; }  ///< bytes
  Padding const& padding() const { return padding_; }
  /// Like MemoryLayout::contiguous(); null with padding, too, which one piece could not tell.
  std::optional<std::ptrdiff_t> contiguous() const;

  /// Copies up to `most` bytes of the pattern at `base`, those from the `at`-th on, to `to`. Says
  /// how many.
  std::size_t copy_out(std::byte const* base, std::size_t at, std::byte* to,
                       std::size_t most) const;
  /// The other way round.
  std::size_t copy_in(std::byte* base, std::size_t at, std::byte const* from,
                      std::size_t most) const;

 private:
  MemoryLayout const* inner_ = nullptr;  ///< null: units are blocks
  std::size_t unit_ = 0;
  std::size_t count_ = 0;
  std::ptrdiff_t offset_ = 0;
  std::ptrdiff_t stride_ = 0;
  Padding padding_{};
};

}  // namespace earl
