// What the native library exports by accident. Each says so in PVM's own manner and returns
// PvmNotImpl.
#include "frontends/pvm3/call.hpp"

using namespace earl;
using pvm::not_yet;

extern "C" {

// --- Insides of the native library that are exported by accident: its descriptors, its control
// messages. Their arguments mean nothing here.
int pvm_fd_add(int, int) { return not_yet("pvm_fd_add"); }
int pvm_fd_delete(int, int) { return not_yet("pvm_fd_delete"); }
int pvm_tc_noop(int) { return not_yet("pvm_tc_noop"); }
int pvm_tc_settmask(int) { return not_yet("pvm_tc_settmask"); }
int pvm_tc_settrace(int) { return not_yet("pvm_tc_settrace"); }
int pvm_tc_settrcbuf(int) { return not_yet("pvm_tc_settrcbuf"); }
int pvm_tc_settrcopt(int) { return not_yet("pvm_tc_settrcopt"); }
int pvm_tc_siblings(int) { return not_yet("pvm_tc_siblings"); }
int pvmendtask(void) { return not_yet("pvmendtask"); }
int pvmreset(int, int, int, int) { return not_yet("pvmreset"); }

}  // extern "C"
