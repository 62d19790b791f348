// SPDX-License-Identifier: BSD-3-Clause
/// The C++ unwinder asks the system's loader for the tables of the code at an address, and
/// debug/symbols for its file. The loader does not know the programs of a shared process; this
/// executable is asked first. C++ exceptions of ranks need that: __register_frame_info(), the other
/// way, makes libgcc sort the tables of every rank. So does backtrace(3) of waiting ranks; crash
/// reports register the rank's code with libunwind instead.
#include "exec/launcher/commands/frames.hpp"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <climits>

#if defined(DLFO_STRUCT_HAS_EH_DBASE)

namespace earl::exec {

namespace {

using Find = int (*)(void*, dl_find_object*);

/// The file that it was about.
struct LastAnswer {
  link_map map{};
  std::array<char, PATH_MAX> name{};

  link_map* of(Loaded const& loaded) {
    *std::copy_n(loaded.path.data(), std::min(loaded.path.size(), name.size() - 1), name.data()) =
        0;
    map.l_addr = loaded.base;
    map.l_name = name.data();
    return &map;
  }
};

LastAnswer last_answer;
SharedProcess const* shared_process_here = nullptr;
Find find_next = nullptr;

Find next() {
  if (!find_next) find_next = reinterpret_cast<Find>(::dlsym(RTLD_NEXT, "_dl_find_object"));
  return find_next;
}

}  // namespace

void show_frames(SharedProcess const* shared_process) {
  next();
  shared_process_here = shared_process;
}

}  // namespace earl::exec

extern "C" [[gnu::visibility("default")]] int _dl_find_object(void* address,
                                                              dl_find_object* found) noexcept {
  using namespace earl;
  auto const loaded =
      exec::shared_process_here
          ? exec::shared_process_here->loaded_at(reinterpret_cast<std::uintptr_t>(address))
          : std::nullopt;
  if (!loaded || !loaded->frames) {
    auto* const find = exec::next();
    return find ? find(address, found) : -1;
  }
  *found = {};
  found->dlfo_map_start = reinterpret_cast<void*>(loaded->base);
  found->dlfo_map_end = reinterpret_cast<void*>(loaded->base + loaded->size);
  found->dlfo_link_map = exec::last_answer.of(*loaded);
  found->dlfo_eh_frame = const_cast<void*>(loaded->frames);
  return 0;
}

#else

namespace earl::exec {

void show_frames(SharedProcess const*) {}

}  // namespace earl::exec

#endif
