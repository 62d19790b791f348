// SPDX-License-Identifier: BSD-3-Clause
// Insides of the native libgpvm3 that are exported by accident: questions to the group server, and
// the tables that it and its clients keep. Each says that they are not here.
#include <fmt/format.h>

#include "frontends/common/stub.hpp"
#include "frontends/pvm3/group_call.hpp"

using namespace earl;

namespace {

[[gnu::always_inline]] inline int refuse(char const* name) {
  note_stub();
  return pvm::group_call(name, [&](Process& me) -> int {
    if (me.cell(pvmautoerr) != 0)
      me.print_line(fmt::format(
          "libpvm: {}(): it asks PVM's group server, and EXEC keeps the groups here", name));
    return PvmNotImpl;
  });
}

}  // namespace

/// One that gives a code: PvmNotImpl.
#define EARL_PVM_GROUP_INSIDE(name) \
  int name(void) { return refuse(#name); }

/// One that gives something made or found: null.
#define EARL_PVM_GROUP_INSIDE_OBJECT(name) \
  void* name(void) {                       \
    refuse(#name);                         \
    return nullptr;                        \
  }

extern "C" {

int gstid = -1;
void* pvmgs_tmout = nullptr;

// clang-format off
EARL_PVM_GROUP_INSIDE(pvm_gsdump)
EARL_PVM_GROUP_INSIDE(pvm_grphostinfo)
EARL_PVM_GROUP_INSIDE(pvm_grpvhostinfo)
EARL_PVM_GROUP_INSIDE(gs_barrier)
EARL_PVM_GROUP_INSIDE(gs_cachegroup)
EARL_PVM_GROUP_INSIDE(gs_delete_group)
EARL_PVM_GROUP_INSIDE(gs_delhost)
EARL_PVM_GROUP_INSIDE(gs_getgstid)
EARL_PVM_GROUP_INSIDE(gs_getinst)
EARL_PVM_GROUP_INSIDE(gs_gettid)
EARL_PVM_GROUP_INSIDE(gs_gsize)
EARL_PVM_GROUP_INSIDE(gs_hash_clear)
EARL_PVM_GROUP_INSIDE(gs_hash_init)
EARL_PVM_GROUP_INSIDE(gs_host_all)
EARL_PVM_GROUP_INSIDE(gs_host_char)
EARL_PVM_GROUP_INSIDE(gs_join)
EARL_PVM_GROUP_INSIDE(gs_leave)
EARL_PVM_GROUP_INSIDE(gs_newhost)
EARL_PVM_GROUP_INSIDE(gs_newstaticcache)
EARL_PVM_GROUP_INSIDE(gs_pkstaticinfo)
EARL_PVM_GROUP_INSIDE(gs_register)
EARL_PVM_GROUP_INSIDE(gs_static)
EARL_PVM_GROUP_INSIDE(gs_struct_destroy)
EARL_PVM_GROUP_INSIDE(gs_tidlist)
EARL_PVM_GROUP_INSIDE(int_query_server)
EARL_PVM_GROUP_INSIDE_OBJECT(gs_get_tidlist)
EARL_PVM_GROUP_INSIDE_OBJECT(gs_group)
EARL_PVM_GROUP_INSIDE_OBJECT(gs_hash_name)
EARL_PVM_GROUP_INSIDE_OBJECT(gs_list_insert)
EARL_PVM_GROUP_INSIDE_OBJECT(gs_struct_init)
// clang-format on

}  // extern "C"
