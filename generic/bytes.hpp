/// Memory a message is sent from, lands in, or is owned by.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <utility>

namespace earl {

using Bytes = std::span<const std::byte>;
using Room = std::span<std::byte>;

template <class T>
Bytes bytes_of(T const& value) {
  return std::as_bytes(std::span{&value, 1});
}

/// A list of memory pieces that make up one message, in order. Refers to memory it does not own;
/// a single piece is held inside, so the common case needs no array.
template <class Piece>
class Pieces {
 public:
  Pieces() = default;
  Pieces(Piece one) : one_(one), size_(one.size()) {}  // NOLINT(google-explicit-constructor)
  /// `many` must live as long as this list.
  explicit Pieces(std::span<const Piece> many) : many_(many) {
    for (auto const& piece : many) size_ += piece.size();
  }

  std::size_t size() const { return size_; }  ///< bytes in all
  bool empty() const { return size_ == 0; }
  std::span<const Piece> list() const { return many_.data() ? many_ : std::span{&one_, 1}; }
  bool contiguous() const { return many_.size() <= 1; }
  /// The only piece. Asked of contiguous lists only.
  Piece only() const { return many_.data() ? (many_.empty() ? Piece{} : many_[0]) : one_; }

 private:
  Piece one_{};
  std::span<const Piece> many_{};
  std::size_t size_ = 0;
};

using Gather = Pieces<Bytes>;
using Scatter = Pieces<Room>;

/// Copies as many bytes as fit from `from` to `to`, both from the start; says how many.
inline std::size_t copy(Bytes from, Room to) {
  const std::size_t n = from.size() < to.size() ? from.size() : to.size();
  if (n != 0) std::memcpy(to.data(), from.data(), n);
  return n;
}

/// Copies `from` into the scattered memory `to`, starting `at` bytes into it; what does not fit is
/// cut. Says how many bytes were written.
std::size_t copy(Bytes from, Scatter const& to, std::size_t at = 0);
/// Copies the gathered bytes one after the other into `to`.
std::size_t copy(Gather const& from, Room to);

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
  Room room() { return {data_.get(), size_}; }
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
