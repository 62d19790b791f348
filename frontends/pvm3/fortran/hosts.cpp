// SPDX-License-Identifier: BSD-3-Clause
// The virtual machine, options and signals, from Fortran.
#include "frontends/pvm3/fortran/site.hpp"
#include "frontends/pvm3/fortran/strings.hpp"

using namespace earl::pvm::fortran;

namespace {

// pvmfconfig() gives one host per call: this is the one it gave last.
int last_host = -1;

}  // namespace

extern "C" {

/// One host per call, and round again; nhost = -1 starts anew.
void pvmfconfig_(int* nhost, int* narch, int* dtid, char* name, char* arch, int* speed, int* info,
                 Length name_length, Length arch_length) {
  Site const site;

  if (*nhost == -1) last_host = -1;
  struct pvmhostinfo* hosts = nullptr;
  *info = pvm_config(nhost, narch, &hosts);
  if (*info < 0 || *nhost < 1) return;
  last_host = last_host + 1 < *nhost ? last_host + 1 : 0;
  struct pvmhostinfo const& host = hosts[last_host];
  *dtid = host.hi_tid;
  give(name, name_length, host.hi_name);
  give(arch, arch_length, host.hi_arch);
  *speed = host.hi_speed;
  *info = 1;
}

/// PVM's values: the result for that host, its id or an error.
void pvmfaddhost_(char* host, int* info, Length length) {
  Site const site;

  *info = with_text(host, length, [](char* name) {
    int result = PvmSysErr;
    int const count = pvm_addhosts(&name, 1, &result);
    return count < 0 ? count : result;
  });
}

void pvmfdelhost_(char* host, int* info, Length length) {
  Site const site;

  *info = with_text(host, length, [](char* name) {
    int result = PvmSysErr;
    int const count = pvm_delhosts(&name, 1, &result);
    return count < 0 ? count : result;
  });
}

void pvmfmstat_(char* host, int* status, Length length) {
  Site const site;

  *status = with_text(host, length, pvm_mstat);
}

void pvmfarchcode_(char* arch, int* code, Length length) {
  Site const site;

  *code = with_text(arch, length, pvm_archcode);
}

void pvmftidtohost_(int* tid, int* dtid) {
  Site const site;
  *dtid = pvm_tidtohost(*tid);
}
void pvmfhalt_(int* info) {
  Site const site;
  *info = pvm_halt();
}

void pvmfstartpvmd_(char* arguments, int* block, int* info, Length length) {
  Site const site;

  *info = with_text(arguments, length, [&](char* all) { return pvm_start_pvmd(1, &all, *block); });
}

void pvmfhostsync_(int* host, int* clock_sec, int* clock_usec, int* delta_sec, int* delta_usec,
                   int* info) {
  Site const site;

  struct timeval clock = {};
  struct timeval delta = {};
  *info = pvm_hostsync(*host, &clock, &delta);
  *clock_sec = static_cast<int>(clock.tv_sec);
  *clock_usec = static_cast<int>(clock.tv_usec);
  *delta_sec = static_cast<int>(delta.tv_sec);
  *delta_usec = static_cast<int>(delta.tv_usec);
}

void pvmfnotify_(int* what, int* tag, int* count, int* tids, int* info) {
  Site const site;

  *info = pvm_notify(*what, *tag, *count, tids);
}

void pvmfsetopt_(int* what, int* value, int* previous) {
  Site const site;
  *previous = pvm_setopt(*what, *value);
}
void pvmfgetopt_(int* what, int* value) {
  Site const site;
  *value = pvm_getopt(*what);
}

void pvmfadvise_(int* route, int* info) {
  Site const site;
  *info = pvm_advise(*route);
}

void pvmfserror_(int* how, int* previous) {
  Site const site;
  *previous = pvm_serror(*how);
}

}  // extern "C"
