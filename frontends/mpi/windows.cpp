// SPDX-License-Identifier: BSD-3-Clause
/// MPI-3, 11.2: making windows, and what they are.
#include "frontends/mpi/windows.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "frontends/mpi/attributes.hpp"
#include "frontends/mpi/new_communicators.hpp"
#include "frontends/mpi/text.hpp"
#include "frontends/mpi/window_calls.hpp"
#include "generic/base/round_up.hpp"
#include "generic/collectives/collectives.hpp"
#include "generic/collectives/group_memory.hpp"
#include "generic/contexts.hpp"
#include "generic/system/heap.hpp"

namespace earl::mpi {

Window& window_of(State& me, Handle win, char const* argument) {
  if (auto* const found = me.later().windows.find(win)) return **found;
  handle::refuse(win, Kind::window, argument);
}

void check_member(Window const& window, int number, char const* argument) {
  if (number != MPI_PROC_NULL && !window.scope->local->holds(number))
    refuse_rank(*window.scope, number, argument);
}

namespace {

/// The memory that a window is made of.
struct WindowMemory {
  void* base = nullptr;
  MPI_Aint size = 0;
  int unit = 1;
  int flavor = MPI_WIN_FLAVOR_CREATE;
};

/// Classes SIZE, DISP and BASE.
void check_window(WindowMemory const& memory) {
  if (memory.size < 0) throw MpiError(ErrorClass::size, "size is {}: pass 0 or more", memory.size);
  if (memory.unit <= 0)
    throw MpiError(ErrorClass::disp, "disp_unit is {}: pass 1 or more", memory.unit);
  if (memory.flavor == MPI_WIN_FLAVOR_CREATE && !memory.base && memory.size > 0)
    throw MpiError(ErrorClass::base, "base is a null pointer: pass memory of {} bytes",
                   memory.size);
}

constexpr char const* apart_key = "alloc_shared_noncontig";

/// The info keys of windows, with the values that they have before the program gives others.
Info initial_hints() {
  return {{"no_locks", "false"},
          {"accumulate_ordering", "rar,raw,war,waw"},
          {"accumulate_ops", "same_op_no_op"},
          {"same_size", "false"},
          {"same_disp_unit", "false"},
          {apart_key, "false"}};
}

/// Other keys are ignored, and values that are no truth values where such belong.
void take_hints(Info& known, Info const& hints) {
  auto const is_truth = [](std::string const& text) { return text == "true" || text == "false"; };
  for (auto const& [key, value] : hints)
    for (auto& one : known)
      if (one.first == key && (!is_truth(one.second) || is_truth(value))) one.second = value;
}

/// Where memory lies is settled.
void change_hints(Window& window, Info hints) {
  std::erase_if(hints, [](auto const& one) { return one.first == apart_key; });
  take_hints(window.info, hints);
}

/// Each member's memory may begin on a page of its own: what MPI_Win_allocate_shared gives is in
/// one piece, unless an info key says so.
bool may_be_apart(Window const& window) {
  if (window.flavor != MPI_WIN_FLAVOR_SHARED) return true;
  std::pair<std::string, std::string> const key{apart_key, "true"};
  return std::ranges::find(window.info, key) != window.info.end();
}

/// The begin of the next page, or this one's.
std::int64_t on_page(std::int64_t at) {
  constexpr std::size_t page = 4096;
  return static_cast<std::int64_t>(round_up(static_cast<std::size_t>(at), page));
}

/// Where each member's memory begins, behind `begin` bytes, and the end of all. Class SIZE: the sum
/// has no number.
std::vector<std::int64_t> offsets_of(std::int64_t begin, std::span<std::int64_t const> sizes,
                                     bool apart) {
  std::vector<std::int64_t> offsets{begin};
  for (auto const size : sizes) {
    constexpr auto most = std::numeric_limits<std::int64_t>::max() / 4;
    if (size > most - offsets.back())
      throw MpiError(ErrorClass::size, "the members' sizes are more than {} together: pass less",
                     most);
    auto const end = offsets.back() + size;
    offsets.push_back(apart ? on_page(end) : end);
  }
  return offsets;
}

/// All members' wishes and abilities, before they share memory.
struct SharingPlan {
  std::vector<std::int64_t> sizes{};
  bool apart = true;   ///< all let their memory begin on a page of its own
  bool direct = true;  ///< no member has a debugger, which would not see direct accesses
};

/// Collective.
SharingPlan agree_on_sharing(Window& window) {
  std::array<std::int64_t, 3> const mine{window.size, may_be_apart(window) ? 1 : 0,
                                         window.process.debugger() ? 0 : 1};
  auto const all = earl::all_gather(window.process, window.scope->group(), bytes_of(mine));
  SharingPlan plan;
  for (std::size_t at = 0; at < all.size(); at += sizeof mine) {
    std::array<std::int64_t, 3> one{};
    std::memcpy(one.data(), all.data() + at, sizeof one);
    plan.sizes.push_back(one[0]);
    plan.apart = plan.apart && one[1] == 1;
    plan.direct = plan.direct && one[2] == 1;
  }
  return plan;
}

/// Collective. Memory that all members reach, one part for each. Classes SIZE and, in all members
/// alike, RMA_SHARED: they cannot share any.
void share_memory(Window& window, SharingPlan const& plan) {
  std::size_t const members = plan.sizes.size();
  std::size_t const locks = plan.direct ? DirectAccess::room_for_locks(members) : 0;
  window.offsets = offsets_of(on_page(static_cast<std::int64_t>(locks)), plan.sizes, plan.apart);
  auto const bytes = std::max<std::int64_t>(window.offsets.back(), 1);
  Group const group = window.scope->group();
  try {
    window.shared = earl::share_memory(window.process, group, static_cast<std::size_t>(bytes));
  } catch (Error const& error) {
    throw MpiError(ErrorClass::rma_shared, "{}", error.what());
  }
  window.base = window.shared_memory(static_cast<int>(group.me));
  if (plan.direct) window.direct.use(window.shared.get(), members);
}

/// Whether they can.
bool shares_memory(Window& window, SharingPlan const& plan) {
  try {
    share_memory(window, plan);
    return true;
  } catch (MpiError const& error) {
    if (error.error_class() == ErrorClass::rma_shared) return false;
    throw;
  }
}

/// Collective. Memory that the members share if they then reach it directly, else each one's own.
void allocate_memory(Window& window) {
  auto const plan = agree_on_sharing(window);
  if (plan.direct && shares_memory(window, plan)) return;
  auto const size = static_cast<std::size_t>(std::max<MPI_Aint>(window.size, 1));
  window.allocated = heap::program_malloc(size);
  if (!window.allocated)
    throw MpiError(ErrorClass::other, "cannot allocate {} bytes: out of memory", window.size);
  window.base = static_cast<std::byte*>(window.allocated);
}

Ref<Communicator> scope_of(State& me, Communicator const& comm) {
  auto scope = make<Communicator>();
  scope->local = comm.local;
  scope->collective_id = agreed_id(me, comm, 0);
  scope->context = context_of(Space::user, scope->collective_id);
  scope->errhandler = me.errhandler(MPI_ERRORS_ARE_FATAL);
  return scope;
}

/// Returns when all members are ready to serve.
void exchange_sizes(Window& window) {
  Exposed const mine{.size = window.size, .unit = window.unit};
  auto const all = earl::all_gather(window.process, window.scope->group(), bytes_of(mine));
  window.exposed.resize(all.size() / sizeof mine);
  std::memcpy(window.exposed.data(), all.data(), all.size());
}

/// Collective over `comm`.
Window& open_window(State& me, Communicator const& comm, Info const* info,
                    WindowMemory const& memory) {
  auto window = make<Window>(me.process(), scope_of(me, comm));
  Window& made = *window;
  made.base = static_cast<std::byte*>(memory.base);
  made.size = memory.size;
  made.unit = memory.unit;
  made.flavor = memory.flavor;
  made.info = initial_hints();
  if (info) take_hints(made.info, *info);
  if (memory.flavor == MPI_WIN_FLAVOR_SHARED) share_memory(made, agree_on_sharing(made));
  if (memory.flavor == MPI_WIN_FLAVOR_ALLOCATE) allocate_memory(made);
  if (!made.direct.in_use()) made.serve();
  made.scope->handle = me.later().windows.open(std::move(window));
  exchange_sizes(made);
  return made;
}

void create_window(State& me, Communicator const& comm, Handle info, WindowMemory const& memory,
                   Handle* result) {
  Handle& win = require(result, "win");
  check_window(memory);
  auto const* const hints = info_or_null(me, info);
  win = open_window(me, comm, hints, memory).scope->handle;
}

/// MPI_Win_allocate and MPI_Win_allocate_shared.
void allocate_window(State& me, Communicator const& comm, Handle info, WindowMemory const& memory,
                     void* baseptr, Handle* result) {
  void*& base = require(static_cast<void**>(baseptr), "baseptr");
  require(result, "win");
  check_window(memory);
  auto const* const hints = info_or_null(me, info);
  Window& window = open_window(me, comm, hints, memory);
  base = window.base;
  *result = window.scope->handle;
}

/// Class RMA_SYNC.
void check_no_epoch(Window const& window) {
  Epochs const& epochs = window.epochs;
  if (epochs.has_locks() || epochs.is_locked_all())
    throw MpiError(ErrorClass::rma_sync, "win is locked: unlock it first");
  if (epochs.started || window.is_posted)
    throw MpiError(ErrorClass::rma_sync,
                   "win is started or posted: call MPI_Win_complete and MPI_Win_wait first");
  if (epochs.fenced && epochs.is_any_dirty())
    throw MpiError(ErrorClass::rma_sync,
                   "win has operations since MPI_Win_fence: call that again first");
}

void free_window(State& me, Window& window) {
  check_no_epoch(window);
  window.flush_all();
  earl::barrier(me.process(), window.scope->group());
  delete_attributes(*window.scope);
  Context const collectives = context_of(Space::collective, window.scope->collective_id);
  me.later().windows.close(window.scope->handle);
  me.process().contexts().remove(collectives);
}

Window& dynamic_window(Window& window) {
  if (!window.dynamic())
    throw MpiError(ErrorClass::rma_flavor,
                   "win is not of MPI_Win_create_dynamic: attach memory to one that is");
  return window;
}

void attach_memory(Window& window, void* base, MPI_Aint size) {
  if (size < 0) throw MpiError(ErrorClass::size, "size is {}: pass 0 or more", size);
  if (!base && size > 0)
    throw MpiError(ErrorClass::base, "base is a null pointer: pass memory of {} bytes", size);
  auto const begin = reinterpret_cast<std::uintptr_t>(base);
  auto const end = begin + static_cast<std::uintptr_t>(size);
  auto const next = window.attached.lower_bound(begin);
  bool const meets = (next != window.attached.end() && next->first < end) ||
                     (next != window.attached.begin() && begin < std::prev(next)->second);
  if (meets)
    throw MpiError(ErrorClass::rma_attach, "base is {:#x}: some of its {} bytes are attached",
                   begin, size);
  window.attached[begin] = end;
}

void detach_memory(Window& window, void const* base) {
  if (window.attached.erase(reinterpret_cast<std::uintptr_t>(base)) == 0)
    throw MpiError(
        ErrorClass::rma_attach,
        "base is {:#x}, where nothing is attached: pass an address given to MPI_Win_attach",
        reinterpret_cast<std::uintptr_t>(base));
}

void shared_query(Window& window, int rank, MPI_Aint* size, int* unit, void* baseptr) {
  if (window.flavor != MPI_WIN_FLAVOR_SHARED)
    throw MpiError(ErrorClass::rma_flavor,
                   "win is not of MPI_Win_allocate_shared: ask for one that is");
  check_member(window, rank, "rank");
  auto const has_memory = [](Exposed const& part) { return part.size > 0; };
  auto const first = std::ranges::find_if(window.exposed, has_memory);
  bool const is_empty = first == window.exposed.end();
  // MPI_PROC_NULL means the first member that has memory.
  auto const member = static_cast<std::size_t>(
      rank != MPI_PROC_NULL ? rank : (is_empty ? 0 : first - window.exposed.begin()));
  Exposed const& part = window.exposed[member];
  require(size, "size") = static_cast<MPI_Aint>(part.size);
  require(unit, "disp_unit") = static_cast<int>(part.unit);
  require(static_cast<void**>(baseptr), "baseptr") =
      part.size > 0 ? window.shared_memory(static_cast<int>(member)) : nullptr;
}

void set_window_name(Window& window, char const* name) {
  auto& text = window.scope->name;
  text.assign(&require(name, "win_name"));
  if (text.size() >= MPI_MAX_OBJECT_NAME) text.resize(MPI_MAX_OBJECT_NAME - 1);
}

}  // namespace
}  // namespace earl::mpi

namespace mpi = earl::mpi;
using mpi::require;
using mpi::State;
using mpi::Window;

extern "C" int PMPI_Win_create(void* base, MPI_Aint size, int disp_unit, MPI_Info info,
                               MPI_Comm comm, MPI_Win* win) {
  return mpi::call("MPI_Win_create", comm, [&](State& me) {
    mpi::create_window(me, me.intracommunicator(comm), info,
                       {.base = base, .size = size, .unit = disp_unit}, win);
  });
}
EARL_MPI(Win_create)

extern "C" int PMPI_Win_allocate(MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm,
                                 void* baseptr, MPI_Win* win) {
  return mpi::call("MPI_Win_allocate", comm, [&](State& me) {
    mpi::allocate_window(me, me.intracommunicator(comm), info,
                         {.size = size, .unit = disp_unit, .flavor = MPI_WIN_FLAVOR_ALLOCATE},
                         baseptr, win);
  });
}
EARL_MPI(Win_allocate)

extern "C" int PMPI_Win_allocate_shared(MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm,
                                        void* baseptr, MPI_Win* win) {
  return mpi::call("MPI_Win_allocate_shared", comm, [&](State& me) {
    mpi::allocate_window(me, me.intracommunicator(comm), info,
                         {.size = size, .unit = disp_unit, .flavor = MPI_WIN_FLAVOR_SHARED},
                         baseptr, win);
  });
}
EARL_MPI(Win_allocate_shared)

extern "C" int PMPI_Win_create_dynamic(MPI_Info info, MPI_Comm comm, MPI_Win* win) {
  return mpi::call("MPI_Win_create_dynamic", comm, [&](State& me) {
    mpi::create_window(me, me.intracommunicator(comm), info, {.flavor = MPI_WIN_FLAVOR_DYNAMIC},
                       win);
  });
}
EARL_MPI(Win_create_dynamic)

extern "C" int PMPI_Win_attach(MPI_Win win, void* base, MPI_Aint size) {
  return mpi::call_on_window("MPI_Win_attach", win, [&](State&, Window& window) {
    mpi::attach_memory(mpi::dynamic_window(window), base, size);
  });
}
EARL_MPI(Win_attach)

extern "C" int PMPI_Win_detach(MPI_Win win, void const* base) {
  return mpi::call_on_window("MPI_Win_detach", win, [&](State&, Window& window) {
    mpi::detach_memory(mpi::dynamic_window(window), base);
  });
}
EARL_MPI(Win_detach)

extern "C" int PMPI_Win_shared_query(MPI_Win win, int rank, MPI_Aint* size, int* disp_unit,
                                     void* baseptr) {
  return mpi::call_on_window("MPI_Win_shared_query", win, [&](State&, Window& window) {
    mpi::shared_query(window, rank, size, disp_unit, baseptr);
  });
}
EARL_MPI(Win_shared_query)

extern "C" int PMPI_Win_free(MPI_Win* win) {
  return mpi::call_on_window("MPI_Win_free", win ? *win : MPI_WIN_NULL,
                             [&](State& me, Window& window) {
                               mpi::free_window(me, window);
                               *win = MPI_WIN_NULL;
                             });
}
EARL_MPI(Win_free)

extern "C" int PMPI_Win_get_group(MPI_Win win, MPI_Group* group) {
  return mpi::call_on_window("MPI_Win_get_group", win, [&](State& me, Window& window) {
    require(group, "group") = me.open_group(window.scope->local);
  });
}
EARL_MPI(Win_get_group)

extern "C" int PMPI_Win_set_name(MPI_Win win, char const* win_name) {
  return mpi::call_on_window("MPI_Win_set_name", win, [&](State&, Window& window) {
    mpi::set_window_name(window, win_name);
  });
}
EARL_MPI(Win_set_name)

extern "C" int PMPI_Win_get_name(MPI_Win win, char* win_name, int* resultlen) {
  return mpi::call_on_window("MPI_Win_get_name", win, [&](State&, Window& window) {
    mpi::write_text(win_name, resultlen, window.scope->name, MPI_MAX_OBJECT_NAME);
  });
}
EARL_MPI(Win_get_name)

extern "C" int PMPI_Win_set_info(MPI_Win win, MPI_Info info) {
  return mpi::call_on_window("MPI_Win_set_info", win, [&](State& me, Window& window) {
    if (auto const* const hints = mpi::info_or_null(me, info)) mpi::change_hints(window, *hints);
  });
}
EARL_MPI(Win_set_info)

extern "C" int PMPI_Win_get_info(MPI_Win win, MPI_Info* info_used) {
  return mpi::call_on_window("MPI_Win_get_info", win, [&](State& me, Window& window) {
    mpi::Info copy = window.info;
    require(info_used, "info_used") = me.later().infos.open(std::move(copy));
  });
}
EARL_MPI(Win_get_info)
