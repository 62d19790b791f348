// SPDX-License-Identifier: BSD-3-Clause
/// MPI-3, 11.3: operations on the memory of other members.
#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "frontends/mpi/predefined.hpp"
#include "frontends/mpi/window_calls.hpp"

namespace earl::mpi {

namespace {

constexpr ArgumentNames origin_names{"origin_addr", "origin_count", "origin_datatype"};
constexpr ArgumentNames fetched_names{"result_addr", "result_count", "result_datatype"};
constexpr ArgumentNames target_names{"target_disp", "target_count", "target_datatype"};

/// The arguments that describe memory of the origin.
struct OriginData {
  void const* address;
  int count;
  Handle datatype;
};
struct FetchRoom {
  void* address;
  int count;
  Handle datatype;
};
/// And of the target.
struct TargetData {
  int rank;
  MPI_Aint displacement;
  int count;
  Handle datatype;
};

/// Class RMA_SYNC.
void check_access_epoch(Window const& window, int target) {
  Epochs const& epochs = window.epochs;
  bool const is_started =
      epochs.started && epochs.started->number_of(window.scope->local->rank_of(target)) >= 0;
  if (!epochs.fenced && !epochs.is_locked_all() && !epochs.is_locked(target) && !is_started)
    throw MpiError(ErrorClass::rma_sync,
                   "win is in no access epoch for rank {}: call MPI_Win_fence, MPI_Win_start or "
                   "MPI_Win_lock first",
                   target);
}

/// Classes DISP and RMA_RANGE.
void check_range(Window const& window, TargetData const& target, TypeMap const& map) {
  if (window.dynamic()) return;
  if (target.displacement < 0)
    throw MpiError(ErrorClass::disp, "target_disp is {}: pass 0 or more", target.displacement);
  if (target.count == 0 || map.size() == 0) return;
  Exposed const& there = window.exposed[static_cast<std::size_t>(target.rank)];
  std::ptrdiff_t const reach = map.extent() * (target.count - 1);
  // No memory is that large: nothing overflows.
  constexpr auto farthest = std::numeric_limits<std::int64_t>::max() / 4;
  std::int64_t const base =
      std::min<std::int64_t>(target.displacement, farthest / there.unit) * there.unit;
  std::int64_t const begin = base + map.true_lower() + std::min<std::ptrdiff_t>(0, reach);
  std::int64_t const end =
      base + map.true_lower() + map.true_extent() + std::max<std::ptrdiff_t>(0, reach);
  if (begin < 0 || end > there.size)
    throw MpiError(ErrorClass::rma_range,
                   "target_disp is {}, bytes {} to {} of rank {}'s window, which has {}: stay "
                   "inside",
                   target.displacement, begin, end, target.rank, there.size);
}

/// The request for an operation on `bytes` bytes, without its data; null: there is no target.
/// Classes RANK, RMA_SYNC, COUNT, TYPE, DISP, RMA_RANGE and ARG.
struct Reached {
  AccessHead head{};
  LayoutWords words{};
};
std::optional<Reached> reached(State& me, Window const& window, TargetData const& target,
                               std::size_t bytes) {
  check_member(window, target.rank, "target_rank");
  std::size_t const count = checked_count(target.count, target_names);
  TypeMap const& map = committed(me, target.datatype, target_names.datatype);
  if (target.rank == MPI_PROC_NULL) return std::nullopt;
  check_access_epoch(window, target.rank);
  check_range(window, target, map);
  auto const layout = map.layout().repeated(count, map.extent());
  if (layout.size() != bytes)
    throw MpiError(ErrorClass::arg,
                   "target_count and target_datatype are {} bytes, the origin's are {}: pass as "
                   "many",
                   layout.size(), bytes);
  Reached result{.head = {.displacement = target.displacement}};
  write(layout, result.words);
  return result;
}

/// Bytes one behind the other, copied where they have holes.
class Flat {
 public:
  explicit Flat(Gather const& pieces)
      : copy_(pieces.contiguous() ? Buffer{} : Buffer{pieces}),
        bytes_(pieces.contiguous() ? pieces.only() : copy_.bytes()) {}

  Bytes bytes() const { return bytes_; }

 private:
  Buffer copy_;
  Bytes bytes_;
};

void start_access(Window& window, int target, Reached const& request, Bytes data) {
  window.ask(target, request.head, request.words, data);
  window.epochs.set_dirty(target, true);
}

/// Posts the receive of the data that an operation reads. Null `result`: the window waits for it.
void expect_data(State& me, Window& window, int target, Incoming room, Handle* result) {
  RequestId const posted =
      me.process().start_receive({.source = window.scope->local->rank_of(target),
                                  .context = window.scope->context,
                                  .tag = TagMatch::exactly(tag_of(WindowTag::data))},
                                 room.pieces);
  if (!result) {
    window.fetches.push_back({.request = posted, .kept = std::move(room.kept), .target = target});
    return;
  }
  Request request{.core = posted, .comm = window.scope};
  request.keep(std::move(room.kept));
  *result = me.requests().open(std::move(request));
}

/// A request that is complete.
void open_complete(State& me, Window const& window, Handle* result) {
  if (result) *result = me.requests().open(Request{.comm = window.scope});
}

// `result` of these: where the request goes of the forms that have one; else null.

void put(State& me, Window& window, OriginData const& origin, TargetData const& target,
         Handle* result) {
  Borrowed<Bytes> const data{me, origin.address, origin.count, origin.datatype, origin_names};
  auto request = reached(me, window, target, data.pieces().size());
  if (request) {
    request->head.access = Access::put;
    start_access(window, target.rank, *request, Flat{data.pieces()}.bytes());
  }
  open_complete(me, window, result);
}

void get(State& me, Window& window, FetchRoom const& origin, TargetData const& target,
         Handle* result) {
  auto room = incoming(me, origin.address, origin.count, origin.datatype, origin_names);
  auto request = reached(me, window, target, room.pieces.size());
  if (!request) return open_complete(me, window, result);
  request->head.access = Access::get;
  expect_data(me, window, target.rank, std::move(room), result);
  start_access(window, target.rank, *request, {});
}

/// The predefined datatype that a datatype consists of. Class TYPE: there are several.
Handle element_of(State& me, Handle datatype, char const* argument) {
  TypeMap const& map = committed(me, datatype, argument);
  if (builtin::find(datatype)) return datatype;
  auto const* const basic = map.signature().uniform();
  Handle const element = basic ? builtin::by_number(basic->id) : 0;
  if (element == 0)
    throw MpiError(ErrorClass::type,
                   "{} is {:#x}, which consists of several predefined datatypes: pass one of one",
                   argument, handle::bits(datatype));
  return element;
}

/// Class OP.
void check_accumulates(Handle op, Handle element) {
  if (op == MPI_REPLACE || op == MPI_NO_OP) return;
  if (!predefined_combine(op, element).function)
    throw MpiError(ErrorClass::op,
                   "op is {:#x}: no predefined operation on datatype {:#x} is called so",
                   handle::bits(op), handle::bits(element));
}

void accumulate(State& me, Window& window, OriginData const& origin, TargetData const& target,
                Handle op, Handle* result) {
  Borrowed<Bytes> const data{me, origin.address, origin.count, origin.datatype, origin_names};
  Handle const element = element_of(me, target.datatype, target_names.datatype);
  check_accumulates(op, element);
  auto request = reached(me, window, target, data.pieces().size());
  if (request) {
    request->head.access = Access::accumulate;
    request->head.operation = code_of_operation(op);
    request->head.element = builtin::code_of(element);
    start_access(window, target.rank, *request, Flat{data.pieces()}.bytes());
  }
  open_complete(me, window, result);
}

/// With MPI_NO_OP the origin's data say nothing.
void get_accumulate(State& me, Window& window, OriginData const& origin, FetchRoom const& into,
                    TargetData const& target, Handle op, Handle* result) {
  bool const has_data = op != MPI_NO_OP;
  Borrowed<Bytes> const data{me, has_data ? origin.address : nullptr, has_data ? origin.count : 0,
                             has_data ? origin.datatype : MPI_BYTE, origin_names};
  Handle const element = element_of(me, target.datatype, target_names.datatype);
  check_accumulates(op, element);
  auto room = incoming(me, into.address, into.count, into.datatype, fetched_names);
  auto request = reached(me, window, target, has_data ? data.pieces().size() : room.pieces.size());
  if (!request) return open_complete(me, window, result);
  if (room.pieces.size() < (has_data ? data.pieces().size() : 0))
    throw MpiError(ErrorClass::arg, "result_count leaves room for {} bytes of {}: pass as many",
                   room.pieces.size(), data.pieces().size());
  request->head.access = Access::get_accumulate;
  request->head.operation = code_of_operation(op);
  request->head.element = builtin::code_of(element);
  expect_data(me, window, target.rank, std::move(room), result);
  start_access(window, target.rank, *request, Flat{data.pieces()}.bytes());
}

/// Class TYPE: it is none that is predefined.
void check_predefined(Handle datatype) {
  if (!builtin::find(datatype))
    throw MpiError(ErrorClass::type, "datatype is {:#x}: pass a predefined one",
                   handle::bits(datatype));
}

void compare_and_swap(State& me, Window& window, void const* origin, void const* compared,
                      void* into, Handle datatype, int rank, MPI_Aint displacement) {
  check_predefined(datatype);
  Borrowed<Bytes> const expected{me, compared, 1, datatype, {.buffer = "compare_addr"}};
  Borrowed<Bytes> const data{me, origin, 1, datatype, origin_names};
  auto room = incoming(me, into, 1, datatype, fetched_names);
  auto request = reached(me, window, {rank, displacement, 1, datatype}, room.pieces.size());
  if (!request) return;
  request->head.access = Access::compare_and_swap;
  Flat const first{expected.pieces()}, second{data.pieces()};
  std::array const both{first.bytes(), second.bytes()};
  Buffer const operands{Gather{both}};
  expect_data(me, window, rank, std::move(room), nullptr);
  start_access(window, rank, *request, operands.bytes());
}

}  // namespace
}  // namespace earl::mpi

namespace mpi = earl::mpi;
using mpi::require;
using mpi::State;
using mpi::Window;

extern "C" int PMPI_Put(void const* origin_addr, int origin_count, MPI_Datatype origin_datatype,
                        int target_rank, MPI_Aint target_disp, int target_count,
                        MPI_Datatype target_datatype, MPI_Win win) {
  return mpi::call_on_window("MPI_Put", win, [&](State& me, Window& window) {
    mpi::put(me, window, {origin_addr, origin_count, origin_datatype},
             {target_rank, target_disp, target_count, target_datatype}, nullptr);
  });
}
EARL_MPI(Put)

extern "C" int PMPI_Rput(void const* origin_addr, int origin_count, MPI_Datatype origin_datatype,
                         int target_rank, MPI_Aint target_disp, int target_count,
                         MPI_Datatype target_datatype, MPI_Win win, MPI_Request* request) {
  return mpi::call_on_window("MPI_Rput", win, [&](State& me, Window& window) {
    mpi::put(me, window, {origin_addr, origin_count, origin_datatype},
             {target_rank, target_disp, target_count, target_datatype},
             &require(request, "request"));
  });
}
EARL_MPI(Rput)

extern "C" int PMPI_Get(void* origin_addr, int origin_count, MPI_Datatype origin_datatype,
                        int target_rank, MPI_Aint target_disp, int target_count,
                        MPI_Datatype target_datatype, MPI_Win win) {
  return mpi::call_on_window("MPI_Get", win, [&](State& me, Window& window) {
    mpi::get(me, window, {origin_addr, origin_count, origin_datatype},
             {target_rank, target_disp, target_count, target_datatype}, nullptr);
  });
}
EARL_MPI(Get)

extern "C" int PMPI_Rget(void* origin_addr, int origin_count, MPI_Datatype origin_datatype,
                         int target_rank, MPI_Aint target_disp, int target_count,
                         MPI_Datatype target_datatype, MPI_Win win, MPI_Request* request) {
  return mpi::call_on_window("MPI_Rget", win, [&](State& me, Window& window) {
    mpi::get(me, window, {origin_addr, origin_count, origin_datatype},
             {target_rank, target_disp, target_count, target_datatype},
             &require(request, "request"));
  });
}
EARL_MPI(Rget)

extern "C" int PMPI_Accumulate(void const* origin_addr, int origin_count,
                               MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp,
                               int target_count, MPI_Datatype target_datatype, MPI_Op op,
                               MPI_Win win) {
  return mpi::call_on_window("MPI_Accumulate", win, [&](State& me, Window& window) {
    mpi::accumulate(me, window, {origin_addr, origin_count, origin_datatype},
                    {target_rank, target_disp, target_count, target_datatype}, op, nullptr);
  });
}
EARL_MPI(Accumulate)

extern "C" int PMPI_Raccumulate(void const* origin_addr, int origin_count,
                                MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp,
                                int target_count, MPI_Datatype target_datatype, MPI_Op op,
                                MPI_Win win, MPI_Request* request) {
  return mpi::call_on_window("MPI_Raccumulate", win, [&](State& me, Window& window) {
    mpi::accumulate(me, window, {origin_addr, origin_count, origin_datatype},
                    {target_rank, target_disp, target_count, target_datatype}, op,
                    &require(request, "request"));
  });
}
EARL_MPI(Raccumulate)

extern "C" int PMPI_Get_accumulate(void const* origin_addr, int origin_count,
                                   MPI_Datatype origin_datatype, void* result_addr,
                                   int result_count, MPI_Datatype result_datatype, int target_rank,
                                   MPI_Aint target_disp, int target_count,
                                   MPI_Datatype target_datatype, MPI_Op op, MPI_Win win) {
  return mpi::call_on_window("MPI_Get_accumulate", win, [&](State& me, Window& window) {
    mpi::get_accumulate(me, window, {origin_addr, origin_count, origin_datatype},
                        {result_addr, result_count, result_datatype},
                        {target_rank, target_disp, target_count, target_datatype}, op, nullptr);
  });
}
EARL_MPI(Get_accumulate)

extern "C" int PMPI_Rget_accumulate(void const* origin_addr, int origin_count,
                                    MPI_Datatype origin_datatype, void* result_addr,
                                    int result_count, MPI_Datatype result_datatype, int target_rank,
                                    MPI_Aint target_disp, int target_count,
                                    MPI_Datatype target_datatype, MPI_Op op, MPI_Win win,
                                    MPI_Request* request) {
  return mpi::call_on_window("MPI_Rget_accumulate", win, [&](State& me, Window& window) {
    mpi::get_accumulate(me, window, {origin_addr, origin_count, origin_datatype},
                        {result_addr, result_count, result_datatype},
                        {target_rank, target_disp, target_count, target_datatype}, op,
                        &require(request, "request"));
  });
}
EARL_MPI(Rget_accumulate)

extern "C" int PMPI_Fetch_and_op(void const* origin_addr, void* result_addr, MPI_Datatype datatype,
                                 int target_rank, MPI_Aint target_disp, MPI_Op op, MPI_Win win) {
  return mpi::call_on_window("MPI_Fetch_and_op", win, [&](State& me, Window& window) {
    mpi::check_predefined(datatype);
    mpi::get_accumulate(me, window, {origin_addr, 1, datatype}, {result_addr, 1, datatype},
                        {target_rank, target_disp, 1, datatype}, op, nullptr);
  });
}
EARL_MPI(Fetch_and_op)

extern "C" int PMPI_Compare_and_swap(void const* origin_addr, void const* compare_addr,
                                     void* result_addr, MPI_Datatype datatype, int target_rank,
                                     MPI_Aint target_disp, MPI_Win win) {
  return mpi::call_on_window("MPI_Compare_and_swap", win, [&](State& me, Window& window) {
    mpi::compare_and_swap(me, window, origin_addr, compare_addr, result_addr, datatype, target_rank,
                          target_disp);
  });
}
EARL_MPI(Compare_and_swap)
