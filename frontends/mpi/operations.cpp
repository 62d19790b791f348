// SPDX-License-Identifier: BSD-3-Clause
/// Standard, 4.9: operations of reductions.
#include "frontends/mpi/operations.hpp"

#include <cstdint>
#include <cstring>

#include "frontends/mpi/call.hpp"
#include "frontends/mpi/predefined.hpp"

namespace earl::mpi {

namespace {

/// Items as the program's function expects them, in memory of their own.
class Items {
 public:
  Items(TypeMap const& map, std::byte const* packed, int count)
      : pattern_(map.pattern(static_cast<std::size_t>(count))),
        // An item's data may begin before it and end behind it.
        memory_(reach(map, count)),
        base_(memory_.data() + before(map, count)) {
    pattern_.copy_in(base_, 0, packed, pattern_.size());
  }
  std::byte* base() { return base_; }
  void pack(std::byte* to) const { pattern_.copy_out(base_, 0, to, pattern_.size()); }

 private:
  static std::ptrdiff_t span_of(TypeMap const& map, int count) {
    return map.extent() * (count > 0 ? count - 1 : 0);
  }
  static std::size_t before(TypeMap const& map, int count) {
    auto const first = map.true_lower() + std::min<std::ptrdiff_t>(0, span_of(map, count));
    return static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, -first) + 15) / 16 * 16;
  }
  static std::size_t reach(TypeMap const& map, int count) {
    auto const last =
        map.true_lower() + map.true_extent() + std::max<std::ptrdiff_t>(0, span_of(map, count));
    return before(map, count) + static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, last)) + 1;
  }

  Pattern pattern_;
  Buffer memory_;
  std::byte* base_;
};

[[noreturn, gnu::cold, gnu::noinline]] void refuse_operation(State& me, Handle op,
                                                             Handle datatype) {
  throw MpiError(ErrorClass::op, "op is {}: there is no such operation on datatype {}",
                 operation_text(op), datatype_text(me, datatype));
}

}  // namespace

Combining::Combining(State& me, Handle op, Handle datatype)
    : datatype_(datatype), map_(&committed(me, datatype)) {
  if (handle::is_predefined_operation(op)) {
    combine_ = predefined_combine(op, datatype);
    combine_.padding = map_->padding();
    if (combine_.function) return;
    refuse_operation(me, op, datatype);
  }
  auto* const user = me.operations().find(op);
  if (!user) handle::refuse(op, Kind::operation, "op");
  user_ = *user;
  // Not to be cut: BLACS' functions combine as many elements as the program's call names, whatever
  // their argument says. MPICH does not cut those either.
  combine_ = {.function = call_user, .with = this, .padding = map_->padding()};
}

/// in = what lower members have; inout = in op inout. The core needs `from` no more.
void Combining::call_user(void* with, std::byte* into, std::byte const* from, std::size_t bytes) {
  auto& self = *static_cast<Combining*>(with);
  if (bytes == 0) return;
  int count = static_cast<int>(bytes / self.map_->size());
  if (!self.map_->dense() || self.map_->true_lower() != 0)
    return self.call_unpacked(into, from, count);
  auto* const inout = const_cast<std::byte*>(from);
  Handle datatype = self.datatype_;
  self.user_->function(into, inout, &count, &datatype);
  std::memcpy(into, inout, bytes);
}

void Combining::call_unpacked(std::byte* into, std::byte const* from, int count) {
  Items in(*map_, into, count);
  Items inout(*map_, from, count);
  Handle datatype = datatype_;
  user_->function(in.base(), inout.base(), &count, &datatype);
  inout.pack(into);
}

}  // namespace earl::mpi

namespace mpi = earl::mpi;
using mpi::State;

extern "C" int PMPI_Op_create(MPI_User_function* function, int commute, MPI_Op* op) {
  return mpi::call("MPI_Op_create", MPI_COMM_WORLD, [&](State& me) {
    mpi::require(op, "op");
    if (!function)
      throw mpi::MpiError(mpi::ErrorClass::arg, "function is a null pointer: pass a function");
    *op = me.operations().open(mpi::make<mpi::UserOperation>(function, commute != 0));
  });
}
EARL_MPI(Op_create)

extern "C" int PMPI_Op_free(MPI_Op* op) {
  return mpi::call("MPI_Op_free", MPI_COMM_WORLD, [&](State& me) {
    mpi::require(op, "op");
    if (mpi::handle::is_predefined_operation(*op))
      throw mpi::MpiError(mpi::ErrorClass::op, "op is {}, a predefined one: it cannot be freed",
                          mpi::operation_text(*op));
    if (!me.operations().find(*op)) mpi::handle::refuse(*op, mpi::Kind::operation, "op");
    me.operations().close(*op);
    *op = MPI_OP_NULL;
  });
}
EARL_MPI(Op_free)
