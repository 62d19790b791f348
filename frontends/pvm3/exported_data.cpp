// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/pvm3/exported_data.hpp"

#include <sys/time.h>

#include <utility>

#include "exec/runtime/boot.hpp"

// Writable in PVM, and programs name them: their sizes are part of the binary interface, because an
// executable that names one holds a copy of it (copy relocation).
int pvm_errno = 0;
char const* pvm_errlist[37] = {
    "Error 0",
    "Error 1",
    "Bad parameter",
    "Parameter mismatch",
    "Value too large",
    "End of buffer",
    "No such host",
    "No such file",
    "Permission denied",
    "Error 9",
    "Malloc failed",
    "Error 11",
    "Can't decode message",
    "Error 13",
    "Can't contact local daemon",
    "No current buffer",
    "No such buffer",
    "Null group name",
    "Already in group",
    "No such group",
    "Not in group",
    "No such instance",
    "Host failed",
    "No parent task",
    "Not implemented",
    "Pvmd system error",
    "Version mismatch",
    "Out of resources",
    "Duplicate host",
    "Can't start pvmd",
    "Already in progress",
    "No such task",
    "Not Found",
    "Already Exists",
    "Hoster must run on master host",
    "Spawning parent set PvmNoParent",
    "Master Host IP Address is Loopback! (See pvm3/Readme)",
};
int pvm_nerr = 37;
int pvm_useruid = -1;
int pvmautoerr = 1;
int pvmdebmask = 0;
int pvmmytid = -1;
int pvmmyctx = 0;
int pvmtoplvl = 1;
int pvmrouteopt = PvmAllowDirect;
int pvmfrgsiz = 4080;
int pvmnoreset = 0;
Pvmtracer pvmtrc = {};
Pvmtracer pvmctrc = {};
void* pvm_inprecv = nullptr;
void const* earl_pvm_site = nullptr;

// The state that the native library keeps in these is elsewhere here, or does not exist: its
// messages, waits and siblings, the encoder and the buffers of its traces. They have PVM's values
// before a task enrols.
int pvmmyptid = -1;
int pvmmyupid = -1;
int pvmrescode = 0;
int pvmshowtaskid = 1;
int pvmmydsig = 0;
int pvmnoresetindex = -1;
int pvmnsibs = -1;
int pvmschedtid = 0;
int pvmtrcdesc = 0;
int pvmtrcsavekind = 0;
int pvmtrcsbf = 0;
int pvmtrcsbfsave = 0;
int pvmtrctmp = 0;
int pvmudpmtu = 4080;
int pvmmidhsiz = 0;
int* pvmsibtids = nullptr;
char* pvmmytaskname = nullptr;
void* pvmmboxclasses = nullptr;
void* pvmmidh = nullptr;
void* pvmrbuf = nullptr;
void* pvmrxlist = nullptr;
void* pvmsbuf = nullptr;
void* pvmtrccodef = nullptr;
void* pvmtrcmp = nullptr;
timeval pvmtrcztv = {};
void* waitlist = nullptr;

void const* earl_pvm_set_site(void const* site) {
  earl::Process* me = earl::boot::process();
  if (!me) [[unlikely]]
    me = earl::boot::late_process();
  return me ? std::exchange(me->cell(earl_pvm_site), site) : nullptr;
}
