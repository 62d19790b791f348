// SPDX-License-Identifier: BSD-3-Clause
/// Memory a message is sent from, lands in, or is owned by.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

#include "generic/base/layout.hpp"

namespace earl {

using Bytes = std::span<const std::byte>;
using MutableBytes = std::span<std::byte>;

/// Each bit of it is part of a value. Bytes between members have none of their own: sent,
/// hashed or recorded, they would differ from run to run.
template <class T>
concept Unpadded = std::has_unique_object_representations_v<T> || std::is_same_v<T, float> ||
    std::is_same_v<T, double>;

template <Unpadded T>
Bytes bytes_of(T const& value) {
  return std::as_bytes(std::span{&value, 1});
}
template <Unpadded T>
MutableBytes writable_bytes_of(T& value) {
  return std::as_writable_bytes(std::span{&value, 1});
}

/// The memory that makes up one message: one piece, a list of pieces in order, or a pattern. Refers
/// to memory it does not own; a single piece is held inside, so the common case needs no array.
template <class Piece>
class Pieces {
 public:
  using Byte = typename Piece::element_type;

  Pieces() = default;
  Pieces(Piece one) : one_(one), size_(one.size()) {}  // NOLINT(google-explicit-constructor)
  /// `many` must live as long as this.
  explicit Pieces(std::span<const Piece> many) : many_(many.data()), count_(many.size()) {
    for (auto const& piece : many) size_ += piece.size();
  }
  /// `pattern`, and the layout it refers to, must live as long as this.
  Pieces(Byte* base, Pattern const& pattern) : one_(base, 0), size_(pattern.size()) {
    if (auto const start = pattern.contiguous()) {
      one_ = Piece{size_ == 0 ? nullptr : base + *start, size_};
      return;
    }
    many_ = &pattern;
    count_ = as_pattern;
  }

  std::size_t size() const { return size_; }  ///< bytes in all
  bool empty() const { return size_ == 0; }
  bool contiguous() const { return count_ <= 1; }
  /// Whether this is neither one piece nor a list.
  bool patterned() const { return count_ == as_pattern; }
  /// For a layout that is not patterned.
  std::span<const Piece> list() const {
    return many_ ? std::span{static_cast<Piece const*>(many_), count_} : std::span{&one_, 1};
  }
  /// The only piece. Asked of contiguous ones only.
  Piece only() const {
    if (!many_) [[likely]]
      return one_;
    return count_ == 0 ? Piece{} : *static_cast<Piece const*>(many_);
  }
  /// For a patterned layout.
  Pattern const& pattern() const { return *static_cast<Pattern const*>(many_); }
  Byte* base() const { return one_.data(); }

 private:
  static constexpr std::size_t as_pattern = ~std::size_t{0};

  Piece one_{};
  void const* many_ = nullptr;  ///< a list of `count_` pieces, or a Pattern
  std::size_t count_ = 0;
  std::size_t size_ = 0;
};

using Gather = Pieces<Bytes>;
using Scatter = Pieces<MutableBytes>;

/// Copies as many bytes as fit from `from` to `to`, both from the start; says how many.
inline std::size_t copy(Bytes from, MutableBytes to) {
  const std::size_t n = from.size() < to.size() ? from.size() : to.size();
  if (n != 0) std::memcpy(to.data(), from.data(), n);
  return n;
}

/// Copies `from` into the scattered memory `to`, starting `at` bytes into it; bytes that do not fit
/// are cut. Returns how many bytes were written.
std::size_t copy(Bytes from, Scatter const& to, std::size_t at = 0);
/// Copies the gathered bytes from the `at`-th on, one after the other, into `to`; says how many.
std::size_t copy(Gather const& from, MutableBytes to, std::size_t at = 0);

/// From the start of one to the start of the other, as many as fit; says how many.
std::size_t copy(Gather const& from, Scatter const& to);

/// Bytes that each() hands over of a pattern at a time.
inline constexpr std::size_t pattern_chunk = 4096;

/// Calls `use(Bytes)` for one part after the other: a list's pieces, or copies of a pattern's.
template <class Use>
void each(Gather const& from, Use use) {
  if (!from.patterned()) {
    for (Bytes const piece : from.list()) use(piece);
    return;
  }
  std::byte chunk[pattern_chunk];
  for (std::size_t at = 0; at < from.size();) {
    const std::size_t size = copy(from, MutableBytes{chunk}, at);
    use(Bytes{chunk, size});
    at += size;
  }
}

/// Owned bytes, uninitialised at first. Moves, never copies. Small ones come from a free list of
/// the calling Process when taken through Pool.
class Buffer {
 public:
  Buffer() = default;
  /// Throws Error (Fault::no_memory) when the machine has no more.
  explicit Buffer(std::size_t size);
  explicit Buffer(Gather const& contents) : Buffer(contents.size()) { copy(contents, room()); }

  std::byte* data() { return data_.get(); }
  std::byte const* data() const { return data_.get(); }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Bytes bytes() const { return {data_.get(), size_}; }
  MutableBytes room() { return {data_.get(), size_}; }
  /// Forgets all bytes after the first `size`.
  void shrink(std::size_t size) { size_ = size < size_ ? size : size_; }

 private:
  struct Free {
    void operator()(std::byte* memory) const;
  };
  std::unique_ptr<std::byte, Free> data_;
  std::size_t size_ = 0;
};

}  // namespace earl
