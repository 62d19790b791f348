// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/nx/files/transfer.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>

#include "frontends/nx/errors.hpp"
#include "frontends/nx/translate.hpp"

namespace earl::nx {

namespace {

ssize_t once(int fd, Transfer const& transfer, std::size_t first, off_t const* offset) {
  auto const* pieces = transfer.pieces.data() + first;
  auto const count =
      static_cast<int>(std::min<std::size_t>(transfer.pieces.size() - first, IOV_MAX));
  bool const reads = transfer.direction == Direction::reading;
  if (offset)
    return reads ? ::preadv(fd, pieces, count, *offset) : ::pwritev(fd, pieces, count, *offset);
  return reads ? ::readv(fd, pieces, count) : ::writev(fd, pieces, count);
}

/// Takes `bytes` off the front of the pieces from `first` on; gives the first that is left.
std::size_t advance(std::vector<iovec>& pieces, std::size_t first, std::size_t bytes) {
  while (first < pieces.size() && bytes >= pieces[first].iov_len) bytes -= pieces[first++].iov_len;
  if (first < pieces.size()) {
    pieces[first].iov_base = static_cast<std::byte*>(pieces[first].iov_base) + bytes;
    pieces[first].iov_len -= bytes;
  }
  return first;
}

}  // namespace

Transfer transfer_of(Direction direction, void* memory, std::int32_t count) {
  const MutableBytes whole = mutable_bytes(memory, count);
  return {.direction = direction, .pieces = {{memory, whole.size()}}, .bytes = whole.size()};
}

Transfer transfer_of(Direction direction, iovec const* pieces, std::int32_t count) {
  if (count < 0 || (count > 0 && !pieces))
    throw NxError(EQPARAM, "the list of pieces has {} entries at {}: pass memory for 0 or more",
                  count, static_cast<void const*>(pieces));
  Transfer all{.direction = direction, .pieces = {pieces, pieces + count}};
  for (iovec const& piece : all.pieces) {
    all.bytes += piece.iov_len;
    if (piece.iov_len > INT_MAX || all.bytes > INT_MAX)
      throw NxError(EQLEN, "the {} pieces are longer than {} bytes", count, INT_MAX);
    mutable_bytes(piece.iov_base, static_cast<std::int32_t>(piece.iov_len));
  }
  return all;
}

TransferResult move_bytes(int fd, Transfer const& transfer, std::optional<std::int64_t> offset) {
  Transfer left = transfer;
  TransferResult moved;
  std::size_t first = advance(left.pieces, 0, 0);
  while (first < left.pieces.size()) {
    const off_t at = offset.value_or(0) + static_cast<off_t>(moved.bytes);
    auto const now = once(fd, left, first, offset ? &at : nullptr);
    if (now < 0 && errno == EINTR) continue;
    if (now < 0) moved.fault = errno;
    if (now <= 0) break;
    moved.bytes += static_cast<std::uint64_t>(now);
    first = advance(left.pieces, first, static_cast<std::size_t>(now));
  }
  return moved;
}

std::int32_t checked(TransferResult const& moved) {
  if (moved.fault != 0) throw NxError(moved.fault, "{}", system_message(moved.fault));
  return static_cast<std::int32_t>(moved.bytes);
}

void refuse_file() {
  auto const fault = errno;
  throw NxError(fault, "{}", system_message(fault));
}

}  // namespace earl::nx
