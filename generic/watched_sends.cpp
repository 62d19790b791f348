// SPDX-License-Identifier: BSD-3-Clause
#include "generic/watched_sends.hpp"

#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "generic/base/crc32c.hpp"

namespace earl {

namespace {

enum class Readable { yes, no, unknown };

/// Copies memory that the program may have given back.
Readable read(Bytes from, MutableBytes into) {
  iovec const here{into.data(), from.size()};
  iovec const there{const_cast<std::byte*>(from.data()), from.size()};
  auto const n = ::process_vm_readv(::getpid(), &here, 1, &there, 1, 0);
  if (n == static_cast<ssize_t>(from.size())) return Readable::yes;
  return n >= 0 || errno == EFAULT ? Readable::no : Readable::unknown;
}

}  // namespace

void WatchedSends::add(RequestId send, Gather const& memory) {
  Memory& one = sends_[static_cast<std::uint64_t>(send)];
  one = {};
  if (memory.patterned()) return;
  for (Bytes const piece : memory.list()) {
    one.pieces.push_back(piece);
    one.check = crc32c(piece, one.check);
  }
}

bool WatchedSends::take_altered(RequestId send) {
  auto const found = sends_.find(static_cast<std::uint64_t>(send));
  if (found == sends_.end()) return false;
  auto const memory = std::move(found->second);
  sends_.erase(found);
  std::array<std::byte, 4096> chunk;
  std::uint32_t check = 0;
  for (Bytes piece : memory.pieces)
    while (!piece.empty()) {
      auto const part = piece.first(std::min(piece.size(), chunk.size()));
      auto const readable = read(part, chunk);
      if (readable == Readable::unknown) return false;  // this system does not allow it
      if (readable == Readable::no) return true;
      check = crc32c(MutableBytes{chunk}.first(part.size()), check);
      piece = piece.subspan(part.size());
    }
  return check != memory.check;
}

}  // namespace earl
