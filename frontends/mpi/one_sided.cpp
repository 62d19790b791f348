// SPDX-License-Identifier: BSD-3-Clause
/// MPI-3, 11.3: operations on the memory of other members.
#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "frontends/mpi/predefined.hpp"
#include "frontends/mpi/target_memory.hpp"
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

/// The target's part in an operation on `bytes` bytes; null: there is no target. Classes RANK,
/// RMA_SYNC, COUNT, TYPE, DISP, RMA_RANGE and ARG.
struct Reached {
  int target = 0;
  MPI_Aint displacement = 0;
  TypeMap const* map = nullptr;
  std::size_t count = 0;
};
std::optional<Reached> reached(State& me, Window const& window, TargetData const& target,
                               std::size_t bytes) {
  check_member(window, target.rank, "target_rank");
  std::size_t const count = checked_count(target.count, target_names);
  TypeMap const& map = committed(me, target.datatype, target_names.datatype);
  if (target.rank == MPI_PROC_NULL) return std::nullopt;
  check_access_epoch(window, target.rank);
  check_range(window, target, map);
  std::size_t const size = count * map.size();
  if (size != bytes)
    throw MpiError(ErrorClass::arg,
                   "target_count and target_datatype are {} bytes, the origin's are {}: pass as "
                   "many",
                   size, bytes);
  return Reached{target.rank, target.displacement, &map, count};
}

/// For an operation that begins: the memory, which all members have mapped. Programs repeat also
/// operations until they find a value: those that have requests need no flush.
TargetMemory start_directly(Window& window, Reached const& reached) {
  window.direct.let_others_run(window.process);
  window.epochs.set_dirty(reached.target, true);
  Exposed const& there = window.exposed[static_cast<std::size_t>(reached.target)];
  return {Pattern{reached.map->layout(), reached.count, reached.map->extent()},
          window.shared_memory(reached.target) + reached.displacement * there.unit};
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

void start_access(Window& window, Reached const& reached, AccessHead head, Bytes data) {
  LayoutWords words;
  write(reached.map->layout().repeated(reached.count, reached.map->extent()), words);
  head.displacement = reached.displacement;
  head.padding = reached.map->padding();
  window.ask(reached.target, head, words, data);
  window.epochs.set_dirty(reached.target, true);
}

/// A request to a target that combines data.
AccessHead combining(Access access, Handle op, Handle element) {
  return {
      .access = access, .operation = code_of_operation(op), .element = builtin::code_of(element)};
}

/// Posts the receive of the data that an operation reads. The window waits for it when its target
/// is flushed; a request at `result`, if that is not null, is complete then, too.
void expect_data(State& me, Window& window, int target, Incoming room, Handle* result) {
  RequestId const posted =
      me.process().start_receive({.source = window.scope->local->rank_of(target),
                                  .context = window.scope->context,
                                  .tag = TagMatch::exactly(tag_of(WindowTag::data))},
                                 room.pieces);
  if (!result)
    return window.add_fetch({.request = posted, .kept = std::move(room.kept), .target = target});
  Request request{.core = posted, .comm = window.scope};
  request.keep(std::move(room.kept));
  *result = me.requests().open(std::move(request));
  window.add_fetch({.request = posted, .target = target, .handle = *result});
}

/// A request that is complete.
void open_complete(State& me, Window const& window, Handle* result) {
  if (result) *result = me.requests().open(Request{.comm = window.scope});
}

/// Accumulates into the target's memory, and gives what was there before if `into` is not null.
void accumulate_directly(Window& window, Reached const& reached, Handle op, Handle element,
                         Bytes data, Scatter const* into) {
  TargetMemory memory = start_directly(window, reached);
  DirectAccess::Combining const alone{window.direct, window.process, reached.target};
  if (into) memory.read(*into);
  memory.combine(op, element, data);
}

// `result` of these: where the request goes of the forms that have one; else null.

void put(State& me, Window& window, OriginData const& origin, TargetData const& target,
         Handle* result) {
  Borrowed<Bytes> const data{me, origin.address, origin.count, origin.datatype, origin_names};
  auto const there = reached(me, window, target, data.pieces().size());
  if (there) {
    if (window.direct.in_use())
      start_directly(window, *there).write(data.pieces());
    else
      start_access(window, *there, {.access = Access::put}, Flat{data.pieces()}.bytes());
  }
  open_complete(me, window, result);
}

void get(State& me, Window& window, FetchRoom const& origin, TargetData const& target,
         Handle* result) {
  auto room = incoming(me, origin.address, origin.count, origin.datatype, origin_names);
  auto const there = reached(me, window, target, room.pieces.size());
  if (!there) return open_complete(me, window, result);
  if (window.direct.in_use()) {
    start_directly(window, *there).read(room.pieces);
    return open_complete(me, window, result);
  }
  expect_data(me, window, target.rank, std::move(room), result);
  start_access(window, *there, {.access = Access::get}, {});
}

/// The predefined datatype that a datatype consists of. Class TYPE: there are several.
Handle element_of(State& me, Handle datatype, char const* argument) {
  TypeMap const& map = committed(me, datatype, argument);
  if (builtin::find(datatype)) return datatype;
  Handle const element = builtin::by_code(map.element());
  if (element == 0)
    throw MpiError(ErrorClass::type,
                   "{} is {}, which consists of several predefined datatypes: pass one of one",
                   argument, datatype_text(me, datatype));
  return element;
}

/// Class OP.
void check_accumulates(Handle op, Handle element) {
  if (op == MPI_REPLACE || op == MPI_NO_OP) return;
  auto const name = name_of_operation(op);
  if (name.empty())
    throw MpiError(ErrorClass::op, "op is {:#x}: pass a predefined operation", handle::bits(op));
  if (!predefined_combine(op, element).function)
    throw MpiError(ErrorClass::op, "op is {}, which {} does not have: pass one that it has", name,
                   builtin::name_of(element));
}

void accumulate(State& me, Window& window, OriginData const& origin, TargetData const& target,
                Handle op, Handle* result) {
  Borrowed<Bytes> const data{me, origin.address, origin.count, origin.datatype, origin_names};
  Handle const element = element_of(me, target.datatype, target_names.datatype);
  check_accumulates(op, element);
  auto const there = reached(me, window, target, data.pieces().size());
  if (there) {
    if (window.direct.in_use())
      accumulate_directly(window, *there, op, element, Flat{data.pieces()}.bytes(), nullptr);
    else
      start_access(window, *there, combining(Access::accumulate, op, element),
                   Flat{data.pieces()}.bytes());
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
  auto const there =
      reached(me, window, target, has_data ? data.pieces().size() : room.pieces.size());
  if (!there) return open_complete(me, window, result);
  if (room.pieces.size() < (has_data ? data.pieces().size() : 0))
    throw MpiError(ErrorClass::arg, "result_count leaves room for {} bytes of {}: pass as many",
                   room.pieces.size(), data.pieces().size());
  if (window.direct.in_use()) {
    accumulate_directly(window, *there, op, element, Flat{data.pieces()}.bytes(), &room.pieces);
    return open_complete(me, window, result);
  }
  expect_data(me, window, target.rank, std::move(room), result);
  start_access(window, *there, combining(Access::get_accumulate, op, element),
               Flat{data.pieces()}.bytes());
}

/// Class TYPE: it is none that is predefined.
void check_predefined(State& me, Handle datatype) {
  if (!builtin::find(datatype))
    throw MpiError(ErrorClass::type, "datatype is {}: pass a predefined one",
                   datatype_text(me, datatype));
}

/// Class TYPE: it is none that MPI_Compare_and_swap takes, integers, truth values and bytes.
void check_swaps(State& me, Handle datatype) {
  check_predefined(me, datatype);
  bool const has_bits = static_cast<bool>(predefined_combine(MPI_BAND, datatype).function);
  bool const has_truth = static_cast<bool>(predefined_combine(MPI_LAND, datatype).function);
  if (!has_bits && !has_truth)
    throw MpiError(ErrorClass::type, "datatype is {}: pass one of integers, truth values or bytes",
                   datatype_text(me, datatype));
}

void compare_and_swap(State& me, Window& window, void const* origin, void const* compared,
                      void* into, Handle datatype, int rank, MPI_Aint displacement) {
  check_swaps(me, datatype);
  Borrowed<Bytes> const expected{me, compared, 1, datatype, {.buffer = "compare_addr"}};
  Borrowed<Bytes> const data{me, origin, 1, datatype, origin_names};
  auto room = incoming(me, into, 1, datatype, fetched_names);
  auto const there = reached(me, window, {rank, displacement, 1, datatype}, room.pieces.size());
  if (!there) return;
  Flat const first{expected.pieces()}, second{data.pieces()};
  if (window.direct.in_use()) {
    TargetMemory memory = start_directly(window, *there);
    DirectAccess::Combining const alone{window.direct, me.process(), rank};
    Buffer const old = memory.read();
    memory.swap_if_equal(old.bytes(), first.bytes(), second.bytes());
    copy(old.bytes(), room.pieces);
    return;
  }
  std::array const both{first.bytes(), second.bytes()};
  Buffer const operands{Gather{both}};
  expect_data(me, window, rank, std::move(room), nullptr);
  start_access(window, *there, {.access = Access::compare_and_swap}, operands.bytes());
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
    mpi::check_predefined(me, datatype);
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
