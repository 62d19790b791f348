// SPDX-License-Identifier: BSD-3-Clause
/// A head and a payload as the system and native libraries take them.
#pragma once

#include <sys/uio.h>

#include <array>
#include <span>

#include "generic/base/bytes.hpp"

namespace earl {

/// Refers to both; a payload of very many pieces, or of a pattern, is put together first.
class Iovecs {
 public:
  Iovecs(Bytes head, Gather const& payload) {
    add(head);
    if (!payload.patterned() && payload.list().size() < all_.size()) {
      for (Bytes const piece : payload.list()) add(piece);
    } else {
      flat_ = Buffer{payload};
      add(flat_.bytes());
    }
  }
  Iovecs(Iovecs const&) = delete;
  Iovecs& operator=(Iovecs const&) = delete;

  std::span<iovec const> all() const { return std::span{all_}.first(count_); }

 private:
  void add(Bytes piece) { all_[count_++] = {const_cast<std::byte*>(piece.data()), piece.size()}; }

  std::array<iovec, 12> all_{};
  std::size_t count_ = 0;
  Buffer flat_;
};

}  // namespace earl
