// SPDX-License-Identifier: BSD-3-Clause
/// Operations of reductions: predefined ones, and functions of the program's.
#pragma once

#include "frontends/mpi/counted.hpp"
#include "frontends/mpi/handles.hpp"
#include "generic/collectives/collectives.hpp"

namespace earl::mpi {

class State;
class TypeMap;

/// A function of the program's; Fortran's has the same shape.
struct UserOperation final : Counted {
  /// An MPI_User_function.
  using Function = void(void* in, void* inout, int* count, Handle* datatype);

  UserOperation(Function* what, bool does_commute) : function(what), commutes(does_commute) {}

  Function* function;
  bool commutes;
};

/// Combines items of one datatype, packed one behind the other. Stays where it is.
class Combining {
 public:
  /// Classes OP and TYPE.
  Combining(State& me, Handle op, Handle datatype);
  Combining(Combining const&) = delete;
  Combining& operator=(Combining const&) = delete;

  Combine const& combine() const { return combine_; }

 private:
  static void call_user(void* with, std::byte* into, std::byte const* from, std::size_t bytes);
  void call_unpacked(std::byte* into, std::byte const* from, int count);

  Combine combine_{};
  Ref<UserOperation> user_{};
  Handle datatype_;
  TypeMap const* map_ = nullptr;
};

}  // namespace earl::mpi
