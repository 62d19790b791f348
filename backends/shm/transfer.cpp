// SPDX-License-Identifier: BSD-3-Clause
#include "backends/shm/transfer.hpp"

#include <unistd.h>

#include <algorithm>

#include "backends/shm/await_sender.hpp"
#include "backends/shm/cooperative_copy.hpp"
#include "backends/shm/door.hpp"
#include "generic/base/error.hpp"

namespace earl::shm {

namespace {

/// Moves a slot on; false: it was not in the phase `from`.
bool change(Slot& slot, Remote const& remote, Phase from, Phase to) {
  std::uint64_t expected = state_of(remote.more, from);
  return slot.state.compare_exchange_strong(expected, state_of(remote.more, to),
                                            std::memory_order_acq_rel);
}

/// The first `size` bytes of a scatter list, in memory of its own; or a whole pattern.
class Front {
 public:
  Front(Scatter const& whole, std::size_t size) : size_(std::min(size, whole.size())) {
    if (size_ == whole.size() || whole.patterned()) {
      scatter_ = whole;
      return;
    }
    for (std::size_t left = size_; auto const& piece : whole.list()) {
      pieces_.push_back(piece.first(std::min(left, piece.size())));
      left -= pieces_.back().size();
    }
    scatter_ = Scatter{std::span<const MutableBytes>{pieces_}};
  }
  Scatter const& scatter() const { return scatter_; }
  std::size_t size() const { return size_; }

 private:
  std::size_t size_;
  std::vector<MutableBytes> pieces_;
  Scatter scatter_;
};

/// Fills the first `size` bytes of a pattern through memory that stays in the cache; `read(at,
/// room)` gets some of them and says whether it did.
template <class Read>
auto fill_pattern(Scatter const& to, std::size_t size, Read read) {
  constexpr std::size_t most = std::size_t{1} << 16;
  Buffer part{std::min(most, size)};
  auto done = Fetched::all;
  for (std::size_t at = 0; at < size && done == Fetched::all; at += part.size()) {
    part.shrink(size - at);
    done = read(at, part.room());
    if (done == Fetched::all) copy(part.bytes(), to, at);
  }
  return done;
}

/// By its receiver alone.
Fetched read_front(std::int32_t pid, std::uint64_t address, Front const& to) {
  if (!to.scatter().patterned()) return read_memory(pid, address, to.scatter());
  return fill_pattern(to.scatter(), to.size(), [&](std::size_t at, MutableBytes part) {
    return read_memory(pid, address + at, part);
  });
}

/// The sender copies its bytes aside right now: waits for that. False: it died over it.
bool wait_for_copy(Segment& segment, Slot const& slot, std::uint64_t copying, Rank sender) {
  return await_sender(segment, sender, 0,
                      [&] { return slot.state.load(std::memory_order_acquire) != copying; });
}

/// Marks a slot as claimed, so that its sender does not write there.
MessagePlace checked_place(Segment& segment, Rank from, Slot const& slot, Remote const& remote) {
  const MessagePlace own = slot.place;  // a copy: checked data must not change any more
  if (slot.seal != seal_of(segment.key(), remote.more, own))
    segment.damaged("the description of a long message of process {} has been overwritten",
                    number(from));
  return own;
}

/// Out of the memory of the process that offers; the slot is claimed.
Pulled from_sender(Segment& segment, Rank from, Slot& slot, Remote const& remote, Scatter const& to,
                   Receiver& receiver) {
  const MessagePlace place = checked_place(segment, from, slot, remote);
  // A process that ends does not close its offers, and its pid may be another's by now.
  if (has_ended(segment, from)) return Pulled::gone;
  const Front front{to, place.length};
  bool const cooperative = receiver.writable && front.size() >= least_cooperative &&
                           !to.patterned() && front.scatter().contiguous();
  switch (cooperative ? read_with_sender(segment, from, slot, remote.more, place, receiver.rank,
                                         front.scatter().only())
                      : read_front(static_cast<std::int32_t>(place.pid), place.address, front)) {
    case Fetched::all:
      // Killed meanwhile: EXEC says so before it gives the pid back to the system, so what was read
      // may be another's memory.
      if (has_ended(segment, from)) return Pulled::gone;
      slot.state.store(state_of(remote.more, Phase::finished), std::memory_order_release);
      return Pulled::done;
    case Fetched::lost:
      return Pulled::gone;
    case Fetched::refused:
      break;
  }
  receiver.readable = false;
  slot.state.store(state_of(remote.more, Phase::open), std::memory_order_release);
  return Pulled::cannot;
}

/// Out of the job's memory, which is not given back when the sender has ended.
void from_copy(Segment& segment, MessagePlace const& place, Rank from, Scatter const& room) {
  const Offset copy = place.copy;
  const std::uint64_t length = place.length;
  const Front to{room, length};
  if (!segment.taken(copy, length))
    segment.damaged("process {} keeps a message of {} bytes, more than there is", number(from),
                    length);
  if (to.scatter().patterned()) {
    fill_pattern(to.scatter(), to.size(), [&](std::size_t at, MutableBytes part) {
      segment.read(copy + at, part);
      return Fetched::all;
    });
  } else
    segment.read(copy, to.scatter());
  if (has_ended(segment, from)) segment.punch(copy, length / page * page);
}

}  // namespace

Remote Exposures::expose(Bytes bytes) {
  const Remote remote{arena_.take(sizeof(Slot)), ++generation_};
  Slot& slot = *new (segment_.address(remote.where)) Slot;
  Exposed& exposed = exposed_[remote.where];
  exposed = {.generation = remote.more, .bytes = bytes, .place = {}};
  describe(slot, exposed);
  slot.state.store(state_of(remote.more, Phase::open), std::memory_order_release);
  if (writes_ && bytes.size() >= least_cooperative) cooperative_.push_back(remote);
  return latest_ = remote;
}

void Exposures::describe(Slot& slot, Exposed& exposed, Offset copy) {
  exposed.place = {.address = reinterpret_cast<std::uint64_t>(exposed.bytes.data()),
                   .length = exposed.bytes.size(),
                   .copy = copy,
                   .pid = static_cast<std::uint64_t>(::getpid())};
  slot.place = exposed.place;
  slot.seal = seal_of(segment_.key(), exposed.generation, exposed.place);
}

bool Exposures::copy_exposed(Remote const& remote) {
  Slot& own = slot(remote);
  if (own.state.load(std::memory_order_relaxed) == state_of(remote.more, Phase::stored))
    return true;
  if (!change(own, remote, Phase::open, Phase::copying)) return false;
  Exposed& exposed = exposed_[remote.where];
  Offset copy = 0;
  try {
    copy = arena_.take(exposed.bytes.size());
    segment_.write(copy, exposed.bytes);
  } catch (...) {
    if (copy) arena_.give(copy, exposed.bytes.size());
    change(own, remote, Phase::copying, Phase::open);
    throw;
  }
  describe(own, exposed, copy);
  change(own, remote, Phase::copying, Phase::stored);
  return true;
}

bool Exposures::claimed(Remote const& remote) {
  const Phase phase = phase_of(slot(remote).state.load(std::memory_order_acquire));
  return phase == Phase::claimed || phase == Phase::finished;
}

void Exposures::unexpose(Remote const& remote) {
  if (auto const exposed = exposed_.extract(remote.where);
      exposed && exposed.mapped().place.copy != 0)
    arena_.give(exposed.mapped().place.copy, exposed.mapped().bytes.size());
  slot(remote).state.store(0, std::memory_order_release);
  arena_.give(remote.where, sizeof(Slot));
  if (latest_.where == remote.where) latest_ = {};
  if (!cooperative_.empty())
    std::erase_if(cooperative_, [&](Remote const& one) { return one.where == remote.where; });
}

bool Exposures::write_chunk() {
  for (auto const& remote : cooperative_) {
    if (!shm::has_chunk_to_write(slot(remote))) continue;
    writes_ = shm::write_chunk(segment_, slot(remote), remote.more, exposed_[remote.where].bytes);
    if (!writes_) cooperative_.clear();
    return true;
  }
  return false;
}

void Exposures::check() {
  for (auto const& [where, exposed] : exposed_) {
    auto const& slot = segment_.at<Slot>(where);
    auto const state = slot.state.load(std::memory_order_acquire);
    bool const sound = state >> 8 == exposed.generation && phase_of(state) <= Phase::finished &&
                       phase_of(state) != Phase::copying &&
                       slot.seal == seal_of(segment_.key(), exposed.generation, exposed.place) &&
                       slot.seal == seal_of(segment_.key(), exposed.generation, slot.place);
    if (!sound) segment_.damaged("the description of a long message at {:#x} has changed", where);
  }
}

bool Exposures::being_read() {
  return latest_.where != 0 &&
         phase_of(slot(latest_).state.load(std::memory_order_relaxed)) == Phase::claimed;
}

Pulled pull(Segment& segment, Rank from, Offer const& offer, Scatter const& to,
            Receiver& receiver) {
  Remote const& remote = offer.remote;
  if (remote.where == 0) return Pulled::cannot;  // its sender has not exposed it
  if (remote.where % alignof(Slot) != 0 || !segment.taken(remote.where, sizeof(Slot)))
    segment.damaged("process {} offers a message at {:#x}, where there is none", number(from),
                    remote.where);
  Slot& slot = segment.at<Slot>(remote.where);
  while (true) {
    const std::uint64_t state = slot.state.load(std::memory_order_acquire);
    if (state >> 8 != remote.more) return Pulled::gone;
    switch (phase_of(state)) {
      case Phase::open:
        if (!receiver.readable && !has_ended(segment, from)) return Pulled::cannot;
        if (!change(slot, remote, Phase::open, Phase::claimed)) break;
        return from_sender(segment, from, slot, remote, to, receiver);
      case Phase::copying:
        if (!wait_for_copy(segment, slot, state, from)) return Pulled::gone;
        break;
      case Phase::stored:
        if (!change(slot, remote, Phase::stored, Phase::claimed)) break;
        from_copy(segment, checked_place(segment, from, slot, remote), from, to);
        slot.state.store(state_of(remote.more, Phase::finished), std::memory_order_release);
        return Pulled::done;
      case Phase::claimed:
      case Phase::finished:
        return Pulled::gone;
      default:
        segment.damaged("a message that process {} offers is in no known phase ({})", number(from),
                        state & 0xff);
    }
  }
}

}  // namespace earl::shm
