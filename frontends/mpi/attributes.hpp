// SPDX-License-Identifier: BSD-3-Clause
/// Attributes of communicators.
#pragma once

#include <vector>

#include "frontends/mpi/counted.hpp"
#include "frontends/mpi/handles.hpp"

namespace earl::mpi {

class State;
struct Communicator;

/// A key and what is done with its values.
struct Keyval final : Counted {
  using Copy = int(Handle, int, void*, void*, void*, int*);
  using Delete = int(Handle, int, void*, void*);

  int handle = 0;  ///< stays what it was when the program has freed it
  Copy* copy = nullptr;
  Delete* remove = nullptr;
  void* extra = nullptr;
};

/// An attribute of one communicator; they are kept in the order in which they were put.
struct Attribute {
  Ref<Keyval> key{};
  void* value = nullptr;
};
using Attributes = std::vector<Attribute>;

/// The values that MPI_Attr_get gives pointers to.
struct PredefinedAttributes {
  int tag_ub = 0, host = 0, io = 0, wtime_is_global = 0, last_used_code = 0;
};

/// Calls the copy functions; throws MpiError when one fails. `copy` has no attributes yet.
void copy_attributes(Communicator& from, Communicator& copy);
/// Calls the delete functions of all, the youngest first. Throws MpiError when one fails, and the
/// rest stays.
void delete_attributes(Communicator& comm);

}  // namespace earl::mpi
