// SPDX-License-Identifier: BSD-3-Clause
/// The data of one message while it is packed or read.
#pragma once

#include "generic/base/bytes.hpp"

namespace earl {

/// Bytes that grow at the end. Memory that came with a message is taken over, not copied.
class Body {
 public:
  Bytes bytes() const { return memory_.bytes().first(used_); }
  std::size_t size() const { return used_; }
  /// Room for `size` more bytes, to be filled by the caller. Throws Error (Fault::no_memory).
  MutableBytes append(std::size_t size) {
    if (size > memory_.size() - used_) [[unlikely]]
      grow(size);
    used_ += size;
    return memory_.room().subspan(used_ - size, size);
  }
  void append(Bytes bytes) { copy(bytes, append(bytes.size())); }
  void adopt(Buffer received);
  /// Empty again; a moderate amount of memory is kept for the next message.
  void clear();

 private:
  void grow(std::size_t more);

  Buffer memory_;
  std::size_t used_ = 0;
};

}  // namespace earl
