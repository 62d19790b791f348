// SPDX-License-Identifier: BSD-3-Clause
/// Thread-local variables, of which each rank has its own although all ranks run in one thread.
///
/// Variables of a library lie in a block of the rank's, which the rank's copy of the library refers
/// to. A program expects its own at a fixed distance from the thread pointer: they are copied to
/// the room that `earl` keeps there when the rank's turn begins, and out of it when that ends. So
/// nothing may read or write them by their address while another rank runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "backends/fibers/image.hpp"
#include "generic/base/bytes.hpp"

namespace earl::fibers {

/// Why a program's thread-local variables keep it out of a shared process; empty: they do not.
std::string objection_to_thread_locals(Image const& program);

/// A program's own, of one rank.
struct ProgramThreadLocals {
  std::byte* place = nullptr;  ///< while the rank runs
  std::byte* saved = nullptr;  ///< while it does not
  std::size_t size = 0;        ///< 0: the program has none

  void enter() const { std::memcpy(place, saved, size); }
  void leave() const { std::memcpy(saved, place, size); }
  bool overlaps(Bytes bytes) const {
    return size != 0 && bytes.data() < place + size && place < bytes.data() + bytes.size();
  }
};

class ThreadLocals {
 public:
  /// Room for those of all images.
  explicit ThreadLocals(std::vector<std::unique_ptr<Image>> const& images);

  /// Where an image's variables are when its rank runs.
  std::uintptr_t block(std::size_t image) const { return blocks_[image]; }
  /// Gives the variables their first values, once the copies at `bases` are relocated.
  void fill(std::vector<std::unique_ptr<Image>> const& images,
            std::vector<std::uintptr_t> const& bases);
  ProgramThreadLocals const& of_program() const { return of_program_; }

 private:
  std::unique_ptr<std::byte[]> memory_;
  std::vector<std::uintptr_t> blocks_;
  ProgramThreadLocals of_program_{};
};

/// For a relocation that asks for a function: gives the distance of the address in the descriptor's
/// second word from the thread pointer. To be called as the machine's TLS descriptors are.
extern "C" [[gnu::visibility("hidden")]] void earl_thread_local_distance();

}  // namespace earl::fibers
