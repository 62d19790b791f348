// SPDX-License-Identifier: BSD-3-Clause
#include "backends/shm/process_memory.hpp"

#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <iterator>
#include <string_view>

namespace earl::shm {

namespace {

/// One system call reads no more than this: a process that is being ended or debugged notices.
constexpr std::size_t most_at_once = std::size_t{1} << 20;

/// The first so many bytes of a list of pieces, and then the ones behind them.
class Cursor {
 public:
  explicit Cursor(Scatter const& to) : rest_(to.list()) {}

  /// Up to `most` bytes that have not been given yet.
  std::span<iovec const> next(std::size_t most) {
    std::size_t n = 0;
    while (!rest_.empty() && most != 0 && n < std::size(list_)) {
      MutableBytes const piece = rest_.front().subspan(within_);
      const std::size_t size = std::min(piece.size(), most);
      if (size != 0) list_[n++] = {piece.data(), size};
      most -= size;
      within_ += size;
      if (size < piece.size()) break;
      rest_ = rest_.subspan(1);
      within_ = 0;
    }
    return {list_, n};
  }

 private:
  std::span<const MutableBytes> rest_;
  std::size_t within_ = 0;
  iovec list_[16]{};
};

std::size_t bytes_in(std::span<iovec const> list) {
  std::size_t sum = 0;
  for (auto const& piece : list) sum += piece.iov_len;
  return sum;
}

/// From the result `n` of a system call that was to copy `size` bytes.
Fetched outcome(ssize_t n, std::size_t size) {
  if (n < 0 && (errno == EPERM || errno == ENOSYS || errno == EACCES)) return Fetched::refused;
  return n == static_cast<ssize_t>(size) ? Fetched::all : Fetched::lost;
}

}  // namespace

Fetched read_memory(std::int32_t pid, std::uint64_t address, Scatter const& to) {
  Cursor cursor{to};
  for (auto list = cursor.next(most_at_once); !list.empty(); list = cursor.next(most_at_once)) {
    const std::size_t size = bytes_in(list);
    const iovec remote{reinterpret_cast<void*>(address), size};
    auto const done =
        outcome(::process_vm_readv(pid, list.data(), list.size(), &remote, 1, 0), size);
    if (done != Fetched::all) return done;
    address += size;
  }
  return Fetched::all;
}

Fetched write_memory(std::int32_t pid, std::uint64_t address, Bytes from) {
  const iovec local{const_cast<std::byte*>(from.data()), from.size()};
  const iovec remote{reinterpret_cast<void*>(address), from.size()};
  return outcome(::process_vm_writev(pid, &local, 1, &remote, 1, 0), from.size());
}

bool may_read_memory() {
  const std::uint64_t cookie = 0x6561'726c;
  std::uint64_t seen = 0;
  return read_memory(::getpid(), reinterpret_cast<std::uint64_t>(&cookie),
                     MutableBytes{writable_bytes_of(seen)}) == Fetched::all &&
         seen == cookie;
}

bool may_be_written_to() {
  char const* const preloaded = std::getenv("LD_PRELOAD");
  return preloaded == nullptr ||
         std::string_view{preloaded}.find("vgpreload_") == std::string_view::npos;
}

}  // namespace earl::shm
