// SPDX-License-Identifier: BSD-3-Clause
// Insides of the native library that are exported by accident: its descriptors, control messages,
// fragments, message buffers in the making, routes, waits and trace buffers. Their arguments mean
// nothing here. Each says so in PVM's own manner.
#include "frontends/pvm3/call.hpp"

using namespace earl;

/// One that gives a code: PvmNotImpl.
#define EARL_PVM_INSIDE(name) \
  int name(void) { return pvm::not_yet(#name); }

/// One that gives something made or found: null.
#define EARL_PVM_INSIDE_OBJECT(name) \
  void* name(void) {                 \
    pvm::not_yet(#name);             \
    return nullptr;                  \
  }

extern "C" {

// clang-format off
EARL_PVM_INSIDE(check_routeadd)
EARL_PVM_INSIDE(check_routedelete)
EARL_PVM_INSIDE(enc_trc_fin)
EARL_PVM_INSIDE(enc_trc_hdr)
EARL_PVM_INSIDE(fr_unref)
EARL_PVM_INSIDE(i_dump)
EARL_PVM_INSIDE(mesg_input)
EARL_PVM_INSIDE(mroute)
EARL_PVM_INSIDE(msendrecv)
EARL_PVM_INSIDE(ogm_complete)
EARL_PVM_INSIDE(pmsg_decmore)
EARL_PVM_INSIDE(pmsg_dump)
EARL_PVM_INSIDE(pmsg_extend)
EARL_PVM_INSIDE(pmsg_pack)
EARL_PVM_INSIDE(pmsg_packbody)
EARL_PVM_INSIDE(pmsg_setenc)
EARL_PVM_INSIDE(pmsg_setlen)
EARL_PVM_INSIDE(pmsg_unpack)
EARL_PVM_INSIDE(pmsg_unref)
EARL_PVM_INSIDE(post_routedelete)
EARL_PVM_INSIDE(pvm_fd_add)
EARL_PVM_INSIDE(pvm_fd_delete)
EARL_PVM_INSIDE(pvm_tc_noop)
EARL_PVM_INSIDE(pvm_tc_settmask)
EARL_PVM_INSIDE(pvm_tc_settrace)
EARL_PVM_INSIDE(pvm_tc_settrcbuf)
EARL_PVM_INSIDE(pvm_tc_settrcopt)
EARL_PVM_INSIDE(pvm_tc_siblings)
EARL_PVM_INSIDE(pvmendtask)
EARL_PVM_INSIDE(pvmmcast)
EARL_PVM_INSIDE(pvmreset)
EARL_PVM_INSIDE(pvmsettaskname)
EARL_PVM_INSIDE(tev_fin)
EARL_PVM_INSIDE(tev_flush)
EARL_PVM_INSIDE(tev_init)
EARL_PVM_INSIDE(tobuf_dump)
EARL_PVM_INSIDE(ttpcb_dead)
EARL_PVM_INSIDE(ttpcb_delete)
EARL_PVM_INSIDE(ttpcb_dump)
EARL_PVM_INSIDE(ttpcb_dumpall)
EARL_PVM_INSIDE(umbuf_dump)
EARL_PVM_INSIDE(umbuf_free)
EARL_PVM_INSIDE(umbuf_list)
EARL_PVM_INSIDE(wait_delete)
EARL_PVM_INSIDE(wait_dump)
EARL_PVM_INSIDE(wait_dumpall)
EARL_PVM_INSIDE(wait_init)
EARL_PVM_INSIDE_OBJECT(fr_new)
EARL_PVM_INSIDE_OBJECT(fr_snew)
EARL_PVM_INSIDE_OBJECT(midtobuf)
EARL_PVM_INSIDE_OBJECT(pmsg_new)
EARL_PVM_INSIDE_OBJECT(ttpcb_creat)
EARL_PVM_INSIDE_OBJECT(ttpcb_find)
EARL_PVM_INSIDE_OBJECT(ttpcb_new)
EARL_PVM_INSIDE_OBJECT(umbuf_new)
EARL_PVM_INSIDE_OBJECT(wait_find)
EARL_PVM_INSIDE_OBJECT(wait_get)
EARL_PVM_INSIDE_OBJECT(wait_new)
// clang-format on

}  // extern "C"
