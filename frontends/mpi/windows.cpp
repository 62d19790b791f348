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

/// The info key says so: each member's memory may begin on a page of its own.
bool may_be_apart(Info const* info) {
  if (!info) return false;
  return std::ranges::find(*info, std::pair<std::string, std::string>{"alloc_shared_noncontig",
                                                                      "true"}) != info->end();
}

constexpr std::int64_t page = 4096;

/// Where each member's memory begins, and the end of all. Class SIZE: the sum has no number.
std::vector<std::int64_t> offsets_of(std::span<std::int64_t const> sizes, bool apart) {
  std::vector<std::int64_t> offsets{0};
  for (auto const size : sizes) {
    constexpr auto most = std::numeric_limits<std::int64_t>::max() / 4;
    if (size > most - offsets.back())
      throw MpiError(ErrorClass::size, "the members' sizes are more than {} together: pass less",
                     most);
    auto const end = offsets.back() + size;
    offsets.push_back(apart ? (end + page - 1) / page * page : end);
  }
  return offsets;
}

/// Collective. Memory that all members reach, one part for each. Classes SIZE and RMA_SHARED.
void share_memory(Window& window) {
  Group const group = window.scope->group();
  std::array<std::int64_t, 2> const mine{window.size, may_be_apart(&window.info) ? 1 : 0};
  auto const all = earl::all_gather(window.process, group, bytes_of(mine));
  std::vector<std::int64_t> sizes;
  bool apart = true;
  for (std::size_t at = 0; at < all.size(); at += sizeof mine) {
    std::array<std::int64_t, 2> one{};
    std::memcpy(one.data(), all.data() + at, sizeof one);
    sizes.push_back(one[0]);
    apart = apart && one[1] == 1;
  }
  window.offsets = offsets_of(sizes, apart);
  try {
    window.shared = earl::share_memory(
        window.process, group,
        static_cast<std::size_t>(std::max<std::int64_t>(window.offsets.back(), 1)));
  } catch (Error const& error) {
    throw MpiError(ErrorClass::rma_shared, "{}", error.what());
  }
  window.base = window.shared.get() + window.offsets[group.me];
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
  if (info) made.info = *info;
  if (memory.flavor == MPI_WIN_FLAVOR_SHARED) share_memory(made);
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

void allocate_shared_window(State& me, Communicator const& comm, Handle info,
                            WindowMemory const& memory, void* baseptr, Handle* result) {
  void*& base = require(static_cast<void**>(baseptr), "baseptr");
  require(result, "win");
  check_window(memory);
  auto const* const hints = info_or_null(me, info);
  Window& window = open_window(me, comm, hints, memory);
  base = window.base;
  *result = window.scope->handle;
}

void allocate_window(State& me, Communicator const& comm, Handle info, WindowMemory memory,
                     void* baseptr, Handle* result) {
  void*& base = require(static_cast<void**>(baseptr), "baseptr");
  require(result, "win");
  check_window(memory);
  memory.base = heap::program_malloc(static_cast<std::size_t>(std::max<MPI_Aint>(memory.size, 1)));
  if (!memory.base)
    throw MpiError(ErrorClass::other, "cannot allocate {} bytes: out of memory", memory.size);
  auto const* const hints = info_or_null(me, info);
  Window& window = open_window(me, comm, hints, memory);
  window.allocated = memory.base;
  base = memory.base;
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
  require(static_cast<void**>(baseptr), "baseptr") = window.shared.get() + window.offsets[member];
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
    mpi::allocate_shared_window(me, me.intracommunicator(comm), info,
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
    if (auto const* const hints = mpi::info_or_null(me, info)) window.info = *hints;
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
