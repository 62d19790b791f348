// SPDX-License-Identifier: BSD-3-Clause
/// The variables a PVM program can see. They are defined in exported_data.cpp and written only
/// through Process::cell(), so that on fibers each rank has its own.
#pragma once

#include "frontends/pvm3/include/pvm3.h"
#include "generic/process.hpp"

extern "C" {

/// Where the trace and the output of a task go: pvmtev.h's Pvmtracer.
struct Pvmtracer {
  int trctid, trcctx, trctag;
  int outtid, outctx, outtag;
  int trcbuf, trcopt;
  char tmask[36];
};

extern int pvm_errno;                ///< the last error
extern char const* pvm_errlist[37];  ///< texts, at minus the code
extern int pvm_nerr;
extern int pvm_useruid;
extern int pvmautoerr;  ///< PvmAutoErr itself
extern int pvmdebmask;  ///< PvmDebugMask itself
extern int pvmmytid;    ///< -1 while not enrolled
extern int pvmmyctx;    ///< the current context itself
extern int pvmtoplvl;
extern int pvmrouteopt;  ///< PvmRoute itself
extern int pvmfrgsiz;    ///< PvmFragSize itself
extern int pvmnoreset;   ///< PvmNoReset itself
extern Pvmtracer pvmtrc, pvmctrc;
extern void* pvm_inprecv;

// Between Earl's own libraries:
extern void const* earl_pvm_site;  ///< the Fortran program's place of the call under way, or null
/// For libfpvm3. Returns the one before.
void const* earl_pvm_set_site(void const* site);

}  // extern "C"

namespace earl::pvm {

/// For api_call(): the program's place of a call.
struct SiteOfProgram {
  void const* operator()(Process& me, void const* site) const {
    void const* const fortran = me.cell(earl_pvm_site);
    return fortran ? fortran : site;
  }
};

}  // namespace earl::pvm
