// SPDX-License-Identifier: BSD-3-Clause
/// One process's view of the job's memory.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "backends/shm/layout.hpp"
#include "generic/base/bytes.hpp"
#include "generic/system/memory_damage.hpp"

namespace earl::shm {

/// Owns the descriptor and the mapped windows. Windows stay mapped as long as this object lives, so
/// pointers into them stay good.
class Segment {
 public:
  /// Makes the memory of a new job. Throws Error when the host cannot.
  static Segment create(std::uint32_t capacity);
  /// Takes over the descriptor that create() made in EXEC. Throws Error when it is something else.
  explicit Segment(int descriptor);
  Segment(Segment&& other) noexcept;
  Segment& operator=(Segment&&) = delete;
  ~Segment();

  int descriptor() const { return descriptor_; }
  Layout const& layout() const { return layout_; }
  Head& head() { return at<Head>(0); }
  /// Head::key as it was when this object was made.
  std::uint64_t key() const { return key_; }
  Door& door(Rank rank) { return at<Door>(layout_.door(rank)); }
  /// The rank that ended as the n-th; of the last `capacity` only. May be anything: see damaged().
  Rank dead(std::uint32_t n) {
    return Rank{
        at<Shared<std::int32_t>>(layout_.ended_list_entry(n)).load(std::memory_order_acquire)};
  }

  /// The object at `offset`, which must not cross a window.
  template <class T>
  T& at(Offset offset) {
    return *reinterpret_cast<T*>(address(offset));
  }
  std::byte* address(Offset offset) {
    const std::size_t n = offset / window;
    std::byte* base = n < windows_.size() ? windows_[n] : nullptr;
    if (!base) [[unlikely]]
      base = map(n);
    return base + offset % window;
  }

  /// Whether `size` bytes at `offset` are in the part that processes take extents from. For
  /// offsets that another process names.
  bool taken(Offset offset, std::uint64_t size);
  /// `size` free bytes of the job, whole extents, all zeros; they are `owner`'s if one
  /// was named. Throws Error (no_memory).
  Offset take(std::uint64_t size);
  void belong_to(Rank owner) { owner_ = &door(owner); }
  /// EXEC's: frees the memory of a process that has ended and of which no process uses anything any
  /// more.
  void free_runs_of(Rank rank);
  /// Makes sure that writing these bytes cannot fault. Throws Error (no_memory).
  void reserve(Offset offset, std::uint64_t size);
  /// Gives the memory back; the bytes read as zeros from now on.
  void punch(Offset offset, std::uint64_t size);

  /// Copies without mapping, any length. Throws Error (no_memory).
  void write(Offset offset, Gather const& from);
  void read(Offset offset, Scatter const& to);

  /// For words that no Earl process writes. The first process that finds some reports it; the
  /// others wait a second for the end of the job before they do. Throws MemoryDamage.
  template <class... Args>
  [[noreturn, gnu::cold, gnu::noinline]] void damaged(fmt::format_string<Args...> found,
                                                      Args&&... args) {
    report_damage(fmt::format(found, std::forward<Args>(args)...));
  }

 private:
  Segment(int descriptor, Layout const& layout);
  [[noreturn]] void report_damage(std::string const& found);
  std::byte* map(std::size_t n);
  Offset extent_at(std::uint64_t number) const { return layout_.extents + number * extent; }
  std::uint64_t number_of(Offset offset) const { return (offset - layout_.extents) / extent; }
  Run& run(std::uint64_t number) { return at<Run>(layout_.run(number)); }
  Offset take_free_run(std::uint32_t count);
  void free_run(std::uint64_t number, std::uint32_t count);

  Door* owner_ = nullptr;
  int descriptor_ = -1;
  Layout layout_;
  std::uint64_t key_ = 0;
  std::vector<std::byte*> windows_;
};

}  // namespace earl::shm
