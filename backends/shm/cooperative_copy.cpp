// SPDX-License-Identifier: BSD-3-Clause
#include "backends/shm/cooperative_copy.hpp"

#include <unistd.h>

#include <algorithm>

#include "backends/shm/await_sender.hpp"
#include "backends/shm/door.hpp"

namespace earl::shm {

namespace {

/// Measured: a system call for fewer bytes costs too much, and with more at a time one end waits
/// longer for the other at the end.
constexpr std::uint64_t smallest_chunk = std::uint64_t{32} << 10;
constexpr std::uint64_t largest_chunk = std::uint64_t{64} << 10;
/// Looks at a sender that writes the last chunk, before the CPU is given away.
constexpr int looks_before_yield = 20'000;

/// Chunks are claimed from both sides in one word, so that each is copied by one end only.
struct Claims {
  std::uint32_t front = 0;  ///< the receiver's
  std::uint32_t back = 0;   ///< the sender's

  static Claims of(std::uint64_t word) {
    return {static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word >> 32)};
  }
  std::uint64_t word() const { return std::uint64_t{back} << 32 | front; }
  std::uint64_t sum() const { return std::uint64_t{front} + back; }
};

/// A message as both ends divide it.
class Chunks {
 public:
  explicit Chunks(std::uint64_t size)
      : size_(size), chunk_(std::clamp(size / 2, smallest_chunk, largest_chunk)) {}

  std::uint64_t count() const { return (size_ + chunk_ - 1) / chunk_; }
  std::uint64_t offset(std::uint64_t n) const { return n * chunk_; }
  std::uint64_t size(std::uint64_t n) const { return std::min(chunk_, size_ - offset(n)); }

 private:
  std::uint64_t size_;
  std::uint64_t chunk_;
};

/// Claims one more chunk by `claim(claims)`. False: none is left, or the receiver takes no help.
template <class Claim>
bool claim_chunk(Slot& slot, std::uint64_t chunks, Claims& before, Claim claim) {
  auto word = slot.claims.load(std::memory_order_acquire);
  while (word != no_cooperation) {
    before = Claims::of(word);
    if (before.sum() >= chunks) return false;
    Claims next = before;
    claim(next);
    if (slot.claims.compare_exchange_weak(word, next.word(), std::memory_order_acq_rel,
                                          std::memory_order_acquire))
      return true;
  }
  return false;
}

/// The sender has begun `chunks` of them. False: it has ended before it had written them all.
bool await_writes(Segment& segment, Rank from, Slot const& slot, std::uint32_t chunks) {
  return await_sender(segment, from, looks_before_yield,
                      [&] { return slot.written.load(std::memory_order_acquire) >= chunks; });
}

ReceiverPlace checked_target(Segment& segment, Slot const& slot, std::uint64_t generation,
                             std::size_t most) {
  const ReceiverPlace target = slot.target;  // a copy: checked data must not change any more
  if (slot.target_seal != seal_of(segment.key(), generation, target) || target.length > most)
    segment.damaged("the description of a receive buffer of process {} has been overwritten",
                    target.rank);
  return target;
}

}  // namespace

Fetched read_with_sender(Segment& segment, Rank from, Slot& slot, std::uint64_t generation,
                         MessagePlace const& place, Rank receiver, MutableBytes to) {
  auto const pid = static_cast<std::int32_t>(place.pid);
  const Chunks chunks{to.size()};
  slot.target = {.address = reinterpret_cast<std::uint64_t>(to.data()),
                 .length = to.size(),
                 .pid = static_cast<std::uint64_t>(::getpid()),
                 .rank = number(receiver)};
  slot.target_seal = seal_of(segment.key(), generation, slot.target);
  slot.written.store(0, std::memory_order_relaxed);
  slot.unwritten.store(0, std::memory_order_relaxed);
  slot.claims.store(Claims{}.word(), std::memory_order_release);

  auto const read = [&](std::uint64_t n) {
    return read_memory(pid, place.address + chunks.offset(n),
                       to.subspan(chunks.offset(n), chunks.size(n)));
  };
  auto done = Fetched::all;
  Claims before;
  while (done == Fetched::all &&
         claim_chunk(slot, chunks.count(), before, [](Claims& claims) { ++claims.front; }))
    done = read(before.front);

  // The sender claims no more; what it has begun must end before the memory is the program's.
  auto const last = slot.claims.exchange(no_cooperation, std::memory_order_acq_rel);
  auto const claims = Claims::of(last);
  if (last == no_cooperation || claims.sum() > chunks.count())
    segment.damaged("the copying state of a long message of process {} has been overwritten",
                    number(from));
  if (!await_writes(segment, from, slot, claims.back)) return Fetched::lost;
  if (slot.unwritten.load(std::memory_order_relaxed) == 0) return done;
  for (auto n = chunks.count() - claims.back; n < chunks.count() && done == Fetched::all; ++n)
    done = read(n);
  return done;
}

bool has_chunk_to_write(Slot const& slot) {
  auto const word = slot.claims.load(std::memory_order_acquire);
  return word != no_cooperation && Claims::of(word).sum() < Chunks{slot.target.length}.count();
}

bool write_chunk(Segment& segment, Slot& slot, std::uint64_t generation, Bytes message) {
  if (slot.claims.load(std::memory_order_acquire) == no_cooperation) return true;
  auto const target = checked_target(segment, slot, generation, message.size());
  const Chunks chunks{target.length};
  Claims before;
  if (!claim_chunk(slot, chunks.count(), before, [](Claims& claims) { ++claims.back; }))
    return true;
  auto const n = chunks.count() - 1 - before.back;
  auto const bytes = message.subspan(chunks.offset(n), chunks.size(n));
  // The pid of a receiver that has ended may be another process's once EXEC has reaped it.
  auto const done = has_ended(segment, Rank{target.rank})
                        ? Fetched::lost
                        : write_memory(static_cast<std::int32_t>(target.pid),
                                       target.address + chunks.offset(n), bytes);
  if (done != Fetched::all) slot.unwritten.store(1, std::memory_order_relaxed);
  slot.written.fetch_add(1, std::memory_order_release);
  return done != Fetched::refused;
}

}  // namespace earl::shm
