// SPDX-License-Identifier: BSD-3-Clause
#include "backends/shm/segment.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <utility>

#include "generic/base/error.hpp"
#include "generic/system/mapping_hint.hpp"

#ifndef MFD_NOEXEC_SEAL  // since Linux 6.3, and newer than Debian 12's headers
#define MFD_NOEXEC_SEAL 0x8U
#endif

namespace earl::shm {

namespace {

int make_file() {
  constexpr unsigned flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
  int descriptor = ::memfd_create("earl job", flags | MFD_NOEXEC_SEAL);
  if (descriptor < 0 && errno == EINVAL) descriptor = ::memfd_create("earl job", flags);
  if (descriptor < 0) throw Error("no shared memory for a job: {}", system_message(errno));
  return descriptor;
}

/// The file is sparse, but a limit on the size of files counts holes too, and kills a process that
/// ignores it.
void check_file_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < file_size)
    throw Error(
        "the limit on file sizes (ulimit -f, {} bytes) is too low for a job's shared memory; "
        "set it to unlimited",
        limit.rlim_cur);
}

Layout layout_in(int descriptor) {
  struct stat facts {};
  Head head;
  if (::fstat(descriptor, &facts) != 0 || !S_ISREG(facts.st_mode) ||
      ::pread(descriptor, &head, sizeof head, 0) != sizeof head || head.magic != segment_magic)
    throw Error("descriptor {} is not the shared memory of an Earl job", descriptor);
  if (head.version != segment_version)
    throw Error("the job's shared memory has version {}, this Earl has {}; use one Earl for all",
                head.version, segment_version);
  if (head.capacity == 0 || head.capacity > most_processes ||
      static_cast<Offset>(facts.st_size) != file_size)
    throw Error("the job's shared memory is damaged ({} bytes, {} processes)", facts.st_size,
                head.capacity);
  return Layout{head.capacity};
}

/// Patterns are written through memory of this size, bytes.
constexpr std::size_t chunk_of_pattern = std::size_t{1} << 16;

/// The system's view of a list of pieces, a bounded number at a time.
template <class Piece>
class Vectors {
 public:
  explicit Vectors(Pieces<Piece> const& pieces) : pieces_(pieces.list()) {}

  /// The next step, without the steps done; empty: nothing.
  std::span<iovec const> next(std::size_t done) {
    while (!pieces_.empty() && within_ + done >= pieces_.front().size()) {
      done -= pieces_.front().size() - within_;
      within_ = 0;
      pieces_ = pieces_.subspan(1);
    }
    within_ += done;
    std::size_t n = 0;
    for (auto const& piece : pieces_.first(std::min(pieces_.size(), std::size(list_)))) {
      const std::size_t skip = n == 0 ? within_ : 0;
      list_[n++] = {const_cast<std::byte*>(piece.data()) + skip, piece.size() - skip};
    }
    return {list_, n};
  }

 private:
  std::span<const Piece> pieces_;
  std::size_t within_ = 0;  ///< bytes done of the first piece
  iovec list_[16]{};
};

/// Runs preadv or pwritev until all pieces are done.
template <class Piece, class Call>
void transfer_all(Pieces<Piece> const& pieces, Offset offset, Call const& call) {
  Vectors<Piece> vectors{pieces};
  std::size_t done = 0;
  for (auto list = vectors.next(0); !list.empty(); list = vectors.next(done)) {
    const ssize_t n = call(list, static_cast<off_t>(offset));
    if (n < 0 && errno != EINTR)
      throw Error(Fault::no_memory, "no memory for a message of {} bytes: {}", pieces.size(),
                  system_message(errno));
    done = n < 0 ? 0 : static_cast<std::size_t>(n);
    offset += done;
  }
}

}  // namespace

Segment Segment::create(std::uint32_t capacity) {
  check_file_limit();
  Segment segment{make_file(), Layout{capacity}};
  if (::ftruncate(segment.descriptor_, static_cast<off_t>(file_size)) != 0)
    throw Error("no shared memory for {} processes: {}", capacity, system_message(errno));
  // Growing and shrinking would both pull the ground from under the others' mappings.
  ::fcntl(segment.descriptor_, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
  Head& head = segment.head();
  std::uint64_t noise = 0;
  if (::getrandom(&noise, sizeof noise, 0) != sizeof noise)
    throw Error("no random numbers: {}", system_message(errno));
  head.version = segment_version;
  head.capacity = segment.layout_.capacity;
  // Unwritten memory holds zeros: no position that a ring can reach may look like them.
  head.key = (noise & 0x3fff'ffff'ffff) | 0x4000'0000'0000;
  head.next_extent = segment.layout_.extents;
  head.magic = segment_magic;
  segment.key_ = head.key;
  return segment;
}

Segment::Segment(int descriptor, Layout const& layout) : descriptor_(descriptor), layout_(layout) {}

Segment::Segment(int descriptor) : Segment(descriptor, layout_in(descriptor)) {
  key_ = head().key;
  ::fcntl(descriptor_, F_SETFD, FD_CLOEXEC);
}

Segment::Segment(Segment&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      layout_(other.layout_),
      key_(other.key_),
      windows_(std::exchange(other.windows_, {})) {
  owner_ = std::exchange(other.owner_, nullptr);
}

Segment::~Segment() {
  for (auto* base : windows_)
    if (base) ::munmap(base, window);
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::byte* Segment::map(std::size_t n) {
  EARL_CHECK(n < file_size / window, "window {} of the job's memory", n);
  if (n >= windows_.size()) windows_.resize(n + 1);
  void* const base = ::mmap(mapping_hint(window), window, PROT_READ | PROT_WRITE, MAP_SHARED,
                            descriptor_, static_cast<off_t>(n * window));
  if (base == MAP_FAILED)
    throw Error(Fault::no_memory, "cannot map the job's shared memory: {}", system_message(errno));
  ::madvise(base, window, MADV_DONTDUMP);  // a process's core is not the job's
  return windows_[n] = static_cast<std::byte*>(base);
}

bool Segment::taken(Offset offset, std::uint64_t size) {
  const Offset end = std::min(head().next_extent.load(std::memory_order_acquire), file_size);
  return offset >= layout_.extents && offset <= end && size <= end - offset;
}

Offset Segment::take(std::uint64_t size) {
  size = round_up(size, extent);
  auto const count = static_cast<std::uint32_t>(std::min<std::uint64_t>(size / extent, ~0U));
  Offset offset = count <= longest_run ? take_free_run(count) : 0;
  if (offset == 0) offset = head().next_extent.fetch_add(size, std::memory_order_relaxed);
  if (offset < layout_.extents || offset % extent != 0)
    damaged("its free part begins at {:#x}, which is invalid", offset);
  if (offset >= file_size || size > file_size - offset)
    throw Error(Fault::no_memory, "the job's shared memory ({} bytes) is used up", file_size);
  if (!owner_) return offset;
  auto const number = number_of(offset);
  run(number).count.store(count, std::memory_order_relaxed);
  run(number).next.store(owner_->runs.load(std::memory_order_relaxed), std::memory_order_relaxed);
  owner_->runs.store(static_cast<std::uint32_t>(number + 1), std::memory_order_release);
  return offset;
}

/// 0: none of that length is free.
Offset Segment::take_free_run(std::uint32_t count) {
  auto& first = head().free_runs[count];
  auto seen = first.load(std::memory_order_acquire);
  while (static_cast<std::uint32_t>(seen) != 0) {
    auto const number = static_cast<std::uint32_t>(seen) - 1;
    if (!taken(extent_at(number), std::uint64_t{count} * extent))
      damaged("extent {} is marked as free", number);
    // Read from one that another process has just taken, this may be anything: then it is not
    // stored.
    auto const next = run(number).next.load(std::memory_order_relaxed);
    if (first.compare_exchange_weak(seen, ((seen >> 32) + 1) << 32 | next,
                                    std::memory_order_acq_rel, std::memory_order_acquire))
      return extent_at(number);
  }
  return 0;
}

void Segment::free_run(std::uint64_t number, std::uint32_t count) {
  auto& first = head().free_runs[count];
  auto seen = first.load(std::memory_order_relaxed);
  do {
    run(number).next.store(static_cast<std::uint32_t>(seen), std::memory_order_relaxed);
  } while (!first.compare_exchange_weak(seen, ((seen >> 32) + 1) << 32 | (number + 1),
                                        std::memory_order_acq_rel, std::memory_order_relaxed));
}

/// All data left there by the process is checked: a part that does not fit stays unused.
void Segment::free_runs_of(Rank rank) {
  auto next = door(rank).runs.exchange(0);
  for (auto most = number_of(head().next_extent.load()); next != 0 && most != 0; --most) {
    std::uint64_t number = next - 1;
    auto const all = run(number).count.load(std::memory_order_relaxed);
    if (all == 0 || !taken(extent_at(number), std::uint64_t{all} * extent)) return;
    next = run(number).next.load(std::memory_order_relaxed);
    punch(extent_at(number), std::uint64_t{all} * extent);
    for (auto left = all; left != 0;) {
      auto const count = std::min(left, longest_run);
      free_run(number, count);
      number += count;
      left -= count;
    }
  }
}

void Segment::report_damage(std::string const& found) {
  if (head().damaged.exchange(1) != 0) {
    const timespec second{1, 0};
    ::nanosleep(&second, nullptr);
  }
  throw MemoryDamage(found);
}

void Segment::reserve(Offset offset, std::uint64_t size) {
  int failure = 0;
  do {
    failure = ::posix_fallocate(descriptor_, static_cast<off_t>(offset), static_cast<off_t>(size));
  } while (failure == EINTR);
  if (failure != 0)
    throw Error(Fault::no_memory, "no memory for {} bytes of messages: {}", size,
                system_message(failure));
}

void Segment::punch(Offset offset, std::uint64_t size) {
  ::fallocate(descriptor_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset),
              static_cast<off_t>(size));
}

void Segment::write(Offset offset, Gather const& from) {
  if (from.patterned()) {
    Buffer chunk{std::min(chunk_of_pattern, from.size())};
    for (std::size_t at = 0; at < from.size(); at += chunk.size()) {
      chunk.shrink(copy(from, chunk.room(), at));
      write(offset + at, chunk.bytes());
    }
    return;
  }
  transfer_all(from, offset, [&](auto list, off_t at) {
    return ::pwritev(descriptor_, list.data(), static_cast<int>(list.size()), at);
  });
}

void Segment::read(Offset offset, Scatter const& to) {
  transfer_all(to, offset, [&](auto list, off_t at) {
    return ::preadv(descriptor_, list.data(), static_cast<int>(list.size()), at);
  });
}

}  // namespace earl::shm
