// SPDX-License-Identifier: BSD-3-Clause
#include "debug/trace/sends.hpp"

// No library at run time.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>

namespace earl::trace {

namespace {

/// Bytes of a piece that are looked at in full.
constexpr std::size_t whole = 4096;
/// Blocks of a longer message: the first, the last, and one in so many.
constexpr std::size_t block = 1024;
constexpr std::uint64_t one_of = 64;

std::uint64_t add(std::uint64_t hash, Bytes bytes) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), hash);
}

std::uint64_t add_piece(std::uint64_t hash, Bytes piece, std::uint64_t turn) {
  if (piece.size() <= whole) return add(hash, piece);
  auto const add_block = [&](std::size_t at) {
    hash = add(hash, piece.subspan(at, std::min(block, piece.size() - at)));
  };
  add_block(0);
  for (auto at = (turn % one_of) * block; at < piece.size(); at += one_of * block) add_block(at);
  add_block(piece.size() - block);
  return hash;
}

}  // namespace

std::uint64_t content_hash(Gather const& payload, std::uint64_t turn) {
  std::uint64_t hash = 0;
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

void read_sends(std::string_view text, std::deque<Sent>& to) {
  for (Get from(std::as_bytes(std::span{text})); !from.at_end();) {
    Sent sent;
    auto const low = from.byte();
    sent.check = static_cast<std::uint16_t>(from.byte() << 8 | low);
    sent.length = from.number();
    sent.dest = static_cast<std::int32_t>(from.signed_number());
    sent.tag = static_cast<std::int32_t>(from.signed_number());
    if (!from.ok()) return;
    to.push_back(sent);
  }
}

}  // namespace earl::trace
