#include "frontends/pvm3/exported_data.hpp"

// Natively writable, and programs name them: their sizes are part of the binary interface, because
// an executable that names one holds a copy of it (copy relocation).
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
Pvmtracer pvmtrc = {};
Pvmtracer pvmctrc = {};
void* pvm_inprecv = nullptr;
