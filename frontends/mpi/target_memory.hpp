// SPDX-License-Identifier: BSD-3-Clause
/// The memory that a one-sided operation is about: its origin may have it mapped, or its target
/// serves a message.
#pragma once

#include "frontends/mpi/handles.hpp"
#include "generic/base/bytes.hpp"
#include "generic/base/layout.hpp"

namespace earl::mpi {

class TargetMemory {
 public:
  TargetMemory(Pattern const& pattern, std::byte* base) : pattern_(pattern), base_(base) {}

  std::size_t size() const { return pattern_.size(); }
  void write(Gather const& data);
  void read(Scatter const& into) const;
  Buffer read() const;
  /// To be sent as it is, while this exists.
  Gather pieces() const;
  /// The elements have the datatype `element`. MPI_NO_OP and MPI_REPLACE, too.
  void combine(Handle op, Handle element, Bytes operands);
  /// `old` is what is there.
  void swap_if_equal(Bytes old, Bytes expected, Bytes replacement);

 private:
  Pattern pattern_;
  std::byte* base_;
};

}  // namespace earl::mpi
