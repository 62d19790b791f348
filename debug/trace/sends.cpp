// SPDX-License-Identifier: BSD-3-Clause
#include "debug/trace/sends.hpp"

// No library at run time.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <utility>

namespace earl::trace {

namespace {

// A row begins with one of these, or the place of its first message.
constexpr std::uint8_t other_tag = Shapes::most;  ///< more than the place; the tag follows
constexpr std::uint8_t expected_row = 254;
constexpr std::uint8_t new_shape = 255;  ///< length, destination and tag follow

/// Bytes of a piece that are looked at in full.
constexpr std::size_t whole = 4096;
/// Blocks of a longer message: the first, the last, and one in so many.
constexpr std::size_t block = 1024;
constexpr std::uint64_t one_of = 64;
constexpr std::size_t cache_line = 64;

std::uint64_t add(std::uint64_t hash, Bytes bytes) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), hash);
}

/// Reads a block ahead: those that are hashed lie too far apart for the CPU to do it by itself.
/// Inlined always, as gcc takes a function that only prefetches for one without effects.
[[gnu::always_inline]] inline void prefetch(Bytes piece, std::size_t at) {
  at = std::min(at, piece.size() - block);
  for (auto const end = at + block; at < end; at += cache_line)
    __builtin_prefetch(piece.data() + at);
}

std::uint64_t add_piece(std::uint64_t hash, Bytes piece, std::uint64_t turn) {
  if (piece.size() <= whole) return add(hash, piece);
  constexpr auto stride = one_of * block;
  auto const add_block = [&](std::size_t at) {
    hash = add(hash, piece.subspan(at, std::min(block, piece.size() - at)));
  };
  auto at = (turn % one_of) * block;
  prefetch(piece, at + stride);
  add_block(0);
  for (; at < piece.size(); at += stride) {
    prefetch(piece, at + 2 * stride);
    add_block(at);
  }
  add_block(piece.size() - block);
  return hash;
}

}  // namespace

std::uint64_t hash_of_many(Gather const& payload, std::uint64_t turn) {
  std::uint64_t hash = 0;
  // The bytes that may be compared are not known.
  if (payload.patterned() && payload.pattern().padding().unknown()) return hash;
  each(payload, [&](Bytes piece) { hash = add_piece(hash, piece, turn); });
  return hash;
}

Sent sent_to(CollectiveOp const& op, std::uint64_t turn) {
  std::uint64_t hash = 0;
  for (Gather const& part : op.contribution) hash = hash * 31 + content_hash(part, turn);
  return {.length = op.bytes,
          .dest = static_cast<std::int32_t>(op.root),
          .tag = static_cast<std::int32_t>(op.number),
          .check = static_cast<std::uint16_t>(hash)};
}

std::uint8_t Shapes::place_of(Sent const& sent) const {
  for (std::uint8_t i = 0; i < size_; ++i)
    if (all_[i].dest == sent.dest && all_[i].tag == sent.tag && all_[i].length == sent.length)
      return i;
  return most;
}

std::uint8_t Shapes::place_but_for_tag(Sent const& sent) const {
  auto const alike = [&](Shape const& shape) {
    return shape.dest == sent.dest && shape.length == sent.length;
  };
  auto const expected = all_[last_].next;
  if (expected < size_ && alike(all_[expected])) return expected;
  for (std::uint8_t i = 0; i < size_; ++i)
    if (alike(all_[i])) return i;
  return most;
}

void Shapes::go_to(std::uint8_t place, std::int32_t tag) {
  Shape& shape = all_[place];
  shape.step = static_cast<std::int32_t>(static_cast<std::uint32_t>(tag) -
                                         static_cast<std::uint32_t>(shape.tag));
  shape.tag = tag;
  all_[last_].next = place;
  last_ = place;
}

void Shapes::add(Sent const& sent) {
  auto const place = size_ < most ? size_++ : std::exchange(oldest_, (oldest_ + 1) % most);
  all_[place] = {.length = sent.length, .dest = sent.dest, .tag = sent.tag, .next = place};
  all_[last_].next = place;
  last_ = place;
}

void Sends::end_row() {
  if (row_at_ != 0) bytes_[row_at_ - 1] = static_cast<std::byte>((size_ - row_at_) / 2);
}

void Sends::add_in_new_row(Sent const& sent) {
  end_row();
  Put to(bytes_.data() + size_);
  auto const place = shapes_.place_of(sent);
  auto const alike = shapes_.place_but_for_tag(sent);
  if (shapes_.take(sent)) {
    to.byte(expected_row);
  } else if (place != Shapes::most) {
    to.byte(place);
    shapes_.go_to(place);
  } else if (alike != Shapes::most) {
    to.byte(other_tag + alike);
    to.signed_number(sent.tag);
    shapes_.go_to(alike, sent.tag);
  } else {
    to.byte(new_shape);
    to.number(sent.length);
    to.signed_number(sent.dest);
    to.signed_number(sent.tag);
    shapes_.add(sent);
  }
  to.byte(0);  // the length of the row
  size_ += static_cast<std::uint32_t>(to.size());
  row_at_ = size_;
  auto const room = bytes_.size() > size_ + longest ? bytes_.size() - size_ - longest : 0;
  row_left_ = static_cast<std::uint32_t>(std::min(most_in_row, room / 2 + 1));
  put(sent.check);
}

void Sends::clear() {
  shapes_.clear();
  row_left_ = size_ = row_at_ = 0;
}

namespace {

/// The first message of a row; false: the bytes hold none.
bool read_first(Get& from, Shapes& shapes) {
  auto const code = from.byte();
  auto const place = static_cast<std::uint8_t>(code % other_tag);
  if (code == new_shape) {
    Sent sent;
    sent.length = from.number();
    sent.dest = static_cast<std::int32_t>(from.signed_number());
    sent.tag = static_cast<std::int32_t>(from.signed_number());
    shapes.add(sent);
  } else if (code == expected_row) {
    shapes.take(shapes.expected());
  } else if (code / other_tag > 1 || place >= shapes.size()) {
    return false;
  } else if (code < other_tag) {
    shapes.go_to(place);
  } else {
    shapes.go_to(place, static_cast<std::int32_t>(from.signed_number()));
  }
  return from.ok();
}

}  // namespace

std::optional<Sent> SendsAhead::take_of_next() {
  Sent sent;
  while (!reader_.next(sent)) {
    if (texts_.empty()) return std::nullopt;
    reader_ = SendsReader(std::move(texts_.front()));
    texts_.pop_front();
  }
  return sent;
}

bool SendsReader::begin_row() {
  Get from(std::as_bytes(std::span{text_}).subspan(at_));
  auto const before = from.left();
  bool const begun = before != 0 && read_first(from, shapes_);
  const std::size_t length = begun ? from.byte() : 0;
  if (length == 0 || from.left() < 2 * length) {
    at_ = text_.size();  // nothing is read behind damage
    return false;
  }
  at_ += before - from.left();
  row_left_ = length;
  return true;
}

}  // namespace earl::trace
