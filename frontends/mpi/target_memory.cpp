// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/mpi/target_memory.hpp"

#include <algorithm>
#include <cstring>

#include "frontends/mpi/datatypes.hpp"
#include "frontends/mpi/predefined.hpp"

namespace earl::mpi {

void TargetMemory::write(Gather const& data) {
  std::size_t at = 0;
  each(data, [&](Bytes piece) { at += pattern_.copy_in(base_, at, piece.data(), piece.size()); });
}

void TargetMemory::read(Scatter const& into) const {
  if (into.contiguous()) {
    pattern_.copy_out(base_, 0, into.only().data(), std::min(size(), into.size()));
    return;
  }
  copy(read().bytes(), into);
}

Buffer TargetMemory::read() const {
  Buffer result{size()};
  pattern_.copy_out(base_, 0, result.data(), size());
  return result;
}

Gather TargetMemory::pieces() const { return memory_at<Bytes>(base_, pattern_); }

void TargetMemory::combine(Handle op, Handle element, Bytes operands) {
  if (op == MPI_NO_OP) return;
  if (op == MPI_REPLACE) return write(operands);
  auto const function = predefined_combine(op, element);
  if (auto const offset = pattern_.contiguous())
    return function(MutableBytes{base_ + *offset, size()}, operands);
  Buffer there = read();
  function(there.room(), operands);
  write(there.bytes());
}

void TargetMemory::swap_if_equal(Bytes old, Bytes expected, Bytes replacement) {
  if (std::memcmp(old.data(), expected.data(), size()) == 0) write(replacement);
}

}  // namespace earl::mpi
