// SPDX-License-Identifier: BSD-3-Clause
/// Parts that all collectives share: their memory, and the root's member.
#pragma once

#include "frontends/mpi/state.hpp"

namespace earl::mpi {

/// Memory of the program, the same amount for each member or not.
struct Sent {
  void const* buffer;
  int count;
  Handle datatype;
};
struct Received {
  void* buffer;
  int count;
  Handle datatype;
};

inline std::byte const* bytes_at(void const* memory) {
  return static_cast<std::byte const*>(memory);
}
inline std::byte* bytes_at(void* memory) { return static_cast<std::byte*>(memory); }

/// The member that `root` names; class ROOT.
std::size_t member(Communicator const& comm, int root);

}  // namespace earl::mpi
