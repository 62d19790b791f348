// SPDX-License-Identifier: BSD-3-Clause
#include "generic/base/layout.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

namespace earl {

namespace {

/// Copies from memory that is a pattern to bytes one after the other.
struct Out {
  using Flat = std::byte*;
  using Memory = std::byte const*;
  template <std::size_t size>
  static void block(Memory memory, Flat flat) {
    std::memcpy(flat, memory, size);
  }
  static void bytes(Memory memory, Flat flat, std::size_t size) { std::memcpy(flat, memory, size); }
};

/// The other way round.
struct In {
  using Flat = std::byte const*;
  using Memory = std::byte*;
  template <std::size_t size>
  static void block(Memory memory, Flat flat) {
    std::memcpy(memory, flat, size);
  }
  static void bytes(Memory memory, Flat flat, std::size_t size) { std::memcpy(memory, flat, size); }
};

/// The common part of Run and Pattern, with the memory it is about.
template <class Way>
struct Units {
  typename Way::Memory first = nullptr;
  std::size_t unit = 0;
  std::size_t count = 0;
  std::ptrdiff_t stride = 0;
  MemoryLayout const* inner = nullptr;
};

/// The memory of a run. `base` may be null: offsets from MPI's MPI_BOTTOM are addresses.
template <class Memory>
Memory at_offset(Memory base, std::ptrdiff_t offset) {
  return reinterpret_cast<Memory>(reinterpret_cast<std::uintptr_t>(base) +
                                  static_cast<std::uintptr_t>(offset));
}

/// A distance that may lead out of the memory between two units is never a pointer.
template <class Memory>
Memory further(Memory memory, std::ptrdiff_t stride, std::size_t units) {
  return memory + stride * static_cast<std::ptrdiff_t>(units);
}

/// Several at a time: then each piece costs its load and its store, as in a loop whose stride the
/// compiler knows.
template <class Way, std::size_t size>
void copy_blocks_of(typename Way::Memory memory, std::ptrdiff_t stride, typename Way::Flat flat,
                    std::size_t count) {
  constexpr std::size_t step = 4;
  std::size_t i = 0;
  for (; i + step <= count; i += step) {
    auto const group = further(memory, stride, i);
    auto* const bytes = flat + size * i;
    Way::template block<size>(group, bytes);
    Way::template block<size>(group + stride, bytes + size);
    Way::template block<size>(group + 2 * stride, bytes + 2 * size);
    Way::template block<size>(group + 3 * stride, bytes + 3 * size);
  }
  for (; i < count; ++i) Way::template block<size>(further(memory, stride, i), flat + size * i);
}

template <class Way>
void copy_blocks(Units<Way> const& units, std::size_t first, typename Way::Flat flat,
                 std::size_t count) {
  if (count == 0) return;
  auto const memory = further(units.first, units.stride, first);
  switch (units.unit) {
    case 1:
      return copy_blocks_of<Way, 1>(memory, units.stride, flat, count);
    case 2:
      return copy_blocks_of<Way, 2>(memory, units.stride, flat, count);
    case 4:
      return copy_blocks_of<Way, 4>(memory, units.stride, flat, count);
    case 8:
      return copy_blocks_of<Way, 8>(memory, units.stride, flat, count);
    case 16:
      return copy_blocks_of<Way, 16>(memory, units.stride, flat, count);
    default:
      for (std::size_t i = 0; i < count; ++i)
        Way::bytes(further(memory, units.stride, i), flat + units.unit * i, units.unit);
  }
}

template <class Way>
void copy_layout(MemoryLayout const& layout, typename Way::Memory base, std::size_t at,
                 typename Way::Flat flat, std::size_t size);

/// Bytes `within` to `within + size` of the `index`-th unit.
template <class Way>
void copy_part(Units<Way> const& units, std::size_t index, std::size_t within,
               typename Way::Flat flat, std::size_t size) {
  auto const memory = further(units.first, units.stride, index);
  if (units.inner)
    copy_layout<Way>(*units.inner, memory, within, flat, size);
  else
    Way::bytes(memory + within, flat, size);
}

template <class Way>
void copy_whole(Units<Way> const& units, std::size_t first, typename Way::Flat flat,
                std::size_t count) {
  if (!units.inner) return copy_blocks(units, first, flat, count);
  auto const runs = units.inner->runs();
  if (runs.size() == 1 && !runs[0].inner) {  // rows of blocks
    auto const& row = runs[0];
    for (std::size_t i = 0; i < count; ++i) {
      auto const memory = at_offset(further(units.first, units.stride, first + i), row.offset);
      copy_blocks<Way>({memory, row.unit, row.count, row.stride}, 0, flat + units.unit * i,
                       row.count);
    }
    return;
  }
  for (std::size_t i = 0; i < count; ++i)
    copy_layout<Way>(*units.inner, further(units.first, units.stride, first + i), 0,
                     flat + units.unit * i, units.unit);
}

/// `size` bytes from the `at`-th on; there are as many.
template <class Way>
void copy_units(Units<Way> const& units, std::size_t at, typename Way::Flat flat,
                std::size_t size) {
  if (size == 0) return;
  // Divisions would take as long as the copies of some pieces.
  if (at == 0 && size == units.unit * units.count) return copy_whole(units, 0, flat, units.count);
  std::size_t index = at / units.unit;
  if (const std::size_t within = at % units.unit; within != 0) {
    const std::size_t part = std::min(size, units.unit - within);
    copy_part(units, index++, within, flat, part);
    flat += part;
    size -= part;
  }
  const std::size_t whole = size / units.unit;
  copy_whole(units, index, flat, whole);
  if (const std::size_t rest = size % units.unit; rest != 0)
    copy_part(units, index + whole, 0, flat + units.unit * whole, rest);
}

template <class Way>
void copy_layout(MemoryLayout const& layout, typename Way::Memory base, std::size_t at,
                 typename Way::Flat flat, std::size_t size) {
  auto const runs = layout.runs();
  auto run = runs.begin();
  if (at != 0)
    run =
        std::prev(std::ranges::upper_bound(runs, at, std::ranges::less{}, &MemoryLayout::Run::at));
  for (; size != 0; ++run) {
    const std::size_t within = at - run->at;
    const std::size_t part = std::min(size, run->size() - within);
    copy_units<Way>(
        {at_offset(base, run->offset), run->unit, run->count, run->stride, run->inner.get()},
        within, flat, part);
    flat += part;
    size -= part;
    at += part;
  }
}

using Run = MemoryLayout::Run;

bool same_shape(Run const& one, Run const& other) {
  return one.unit == other.unit && !one.inner && !other.inner;
}

/// Makes `next` a part of `last`, where both together are one run.
bool joined(Run& last, Run const& next) {
  if (last.block() && next.block() &&
      next.offset == last.offset + static_cast<std::ptrdiff_t>(last.unit)) {
    last.unit += next.unit;
    return true;
  }
  if (last.count < 2 || next.count != 1 || !same_shape(last, next) ||
      next.offset != further(last.offset, last.stride, last.count))
    return false;
  ++last.count;
  return true;
}

/// Two blocks of one size become a run, which others may join.
bool paired(Run& last, Run const& next) {
  if (!last.block() || !next.block() || last.unit != next.unit) return false;
  last.count = 2;
  last.stride = next.offset - last.offset;
  return true;
}

}  // namespace

MemoryLayout MemoryLayout::block(std::size_t bytes) {
  MemoryLayout layout;
  layout.add({.unit = bytes});
  return layout;
}

void MemoryLayout::add(Run run) {
  if (run.size() == 0) return;
  run.at = size_;
  size_ += run.size();
  if (!runs_.empty() && joined(runs_.back(), run)) return;
  // Now that nothing joins the last block any more.
  if (auto const n = runs_.size();
      n > 1 && (joined(runs_[n - 2], runs_[n - 1]) || paired(runs_[n - 2], runs_[n - 1])))
    runs_.pop_back();
  runs_.push_back(std::move(run));
}

void MemoryLayout::append(MemoryLayout const& next, std::ptrdiff_t offset) {
  for (Run run : next.runs_) {
    run.offset += offset;
    add(std::move(run));
  }
}

MemoryLayout MemoryLayout::repeated(std::size_t count, std::ptrdiff_t stride) const {
  MemoryLayout all;
  if (count == 0 || size_ == 0) return all;
  if (count == 1) return *this;
  Run run{.unit = size_, .count = count, .stride = stride};
  if (runs_.size() == 1 && runs_[0].block()) {
    run.offset = runs_[0].offset;
    if (stride == static_cast<std::ptrdiff_t>(size_)) {
      run.unit = size_ * count;
      run.count = 1;
    }
  } else if (runs_.size() == 1 && stride == further(0L, runs_[0].stride, runs_[0].count)) {
    run = runs_[0];
    run.count *= count;
  } else {
    run.inner = std::make_shared<MemoryLayout const>(*this);
  }
  all.add(std::move(run));
  return all;
}

std::optional<std::ptrdiff_t> MemoryLayout::contiguous() const {
  if (runs_.empty()) return 0;
  if (runs_.size() == 1 && runs_[0].block()) return runs_[0].offset;
  return std::nullopt;
}

Pattern::Pattern(MemoryLayout const& layout, std::size_t count, std::ptrdiff_t extent)
    : inner_(&layout),
      unit_(layout.size()),
      count_(layout.size() == 0 ? 0 : count),
      stride_(extent) {
  auto const runs = layout.runs();
  if (runs.size() != 1) return;
  MemoryLayout::Run const& only = runs[0];
  bool const block = only.block();
  if (!block && count != 1 && extent != further(0L, only.stride, only.count)) return;
  inner_ = only.inner.get();
  unit_ = only.unit;
  count_ = count * only.count;
  offset_ = only.offset;
  stride_ = block ? extent : only.stride;
}

Pattern Pattern::of_blocks(std::size_t unit, std::size_t count, std::ptrdiff_t stride) {
  Pattern pattern;
  pattern.unit_ = unit;
  pattern.count_ = unit == 0 ? 0 : count;
  pattern.stride_ = stride;
  return pattern;
}

std::optional<std::ptrdiff_t> Pattern::contiguous() const {
  if (count_ == 0) return 0;
  if (!padding_.none()) return std::nullopt;
  bool const close = count_ == 1 || stride_ == static_cast<std::ptrdiff_t>(unit_);
  if (!close) return std::nullopt;
  if (!inner_) return offset_;
  return count_ == 1 ? inner_->contiguous() : std::nullopt;
}

std::size_t Pattern::copy_out(std::byte const* base, std::size_t at, std::byte* to,
                              std::size_t most) const {
  const std::size_t size = at < Pattern::size() ? std::min(most, Pattern::size() - at) : 0;
  copy_units<Out>({at_offset(base, offset_), unit_, count_, stride_, inner_}, at, to, size);
  padding_.clear({to, size}, at);
  return size;
}

std::size_t Pattern::copy_in(std::byte* base, std::size_t at, std::byte const* from,
                             std::size_t most) const {
  const std::size_t size = at < Pattern::size() ? std::min(most, Pattern::size() - at) : 0;
  copy_units<In>({at_offset(base, offset_), unit_, count_, stride_, inner_}, at, from, size);
  return size;
}

}  // namespace earl
