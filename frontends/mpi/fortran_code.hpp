// SPDX-License-Identifier: BSD-3-Clause
/// The calls of a Fortran program come by a library of their own (fortran/), which is compiled with
/// frame pointers: the site of a call is found above its frames.
#pragma once

#include <cstdint>

namespace earl::mpi {

/// A function's frame, as a frame pointer points to it.
struct CallFrame {
  CallFrame const* caller = nullptr;
  void* site = nullptr;  ///< the return address
};

/// Where the library's code lies; each rank on fibers has its own.
class FortranCode {
 public:
  FortranCode() = default;
  FortranCode(void const* begin, void const* end)
      : begin_(reinterpret_cast<std::uintptr_t>(begin)),
        size_(reinterpret_cast<std::uintptr_t>(end) - begin_) {}

  /// The place in the program that has led to `site`, from where a function with `frame` was
  /// called.
  void const* program_site(void const* site, CallFrame const* frame) const {
    while (holds(site)) [[unlikely]] {
        frame = frame->caller;
        site = __builtin_extract_return_addr(frame->site);
      }
    return site;
  }

 private:
  bool holds(void const* site) const {
    return reinterpret_cast<std::uintptr_t>(site) - begin_ < size_;
  }

  std::uintptr_t begin_ = 0;
  std::uintptr_t size_ = 0;
};

}  // namespace earl::mpi
