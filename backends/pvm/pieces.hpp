/// A packet as native PVM packs it.
#pragma once

#include <sys/uio.h>

#include <array>
#include <span>

#include "generic/bytes.hpp"

namespace earl::pvm_machine {

/// A head and a payload, piece by piece; very many pieces are put together first. Refers to both.
class PackedPieces {
 public:
  PackedPieces(Bytes head, Gather const& payload) {
    add(head);
    if (payload.list().size() < pieces_.size()) {
      for (Bytes const piece : payload.list()) add(piece);
    } else {
      flat_ = Buffer{payload};
      add(flat_.bytes());
    }
  }

  iovec const* data() const { return pieces_.data(); }
  int count() const { return count_; }

 private:
  void add(Bytes piece) {
    pieces_[static_cast<std::size_t>(count_++)] = {const_cast<std::byte*>(piece.data()),
                                                   piece.size()};
  }

  std::array<iovec, 8> pieces_{};
  int count_ = 0;
  Buffer flat_;
};

}  // namespace earl::pvm_machine
