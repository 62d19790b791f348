// SPDX-License-Identifier: BSD-3-Clause
// Process control and information, from Fortran.
#include "frontends/pvm3/fortran/site.hpp"
#include "frontends/pvm3/fortran/strings.hpp"

using namespace earl::pvm::fortran;

namespace {

// pvmftasks() gives one task per call: this is the one it gave last.
int last_task = -1;

}  // namespace

extern "C" {

void pvmsleep(int seconds);

void pvmfmytid_(int* tid) {
  Site const site;
  *tid = pvm_mytid();
}
void pvmfexit_(int* info) {
  Site const site;
  *info = pvm_exit();
}
void pvmfparent_(int* tid) {
  Site const site;
  *tid = pvm_parent();
}
void pvmfkill_(int* tid, int* info) {
  Site const site;
  *info = pvm_kill(*tid);
}
void pvmfsendsig_(int* tid, int* signal, int* info) {
  Site const site;
  *info = pvm_sendsig(*tid, *signal);
}
void pvmfpstat_(int* tid, int* status) {
  Site const site;
  *status = pvm_pstat(*tid);
}
void pvmfsleep_(int* seconds) {
  Site const site;
  pvmsleep(*seconds);
}

/// '*' as `where` means anywhere.
void pvmfspawn_(char* task, int* flag, char* where, int* ntask, int* tids, int* numt,
                Length task_length, Length where_length) {
  Site const site;

  Text<> place(where, where_length);
  *numt = with_text(task, task_length, [&](char* name) {
    char* const anywhere = place.is("*") ? nullptr : place.get();
    return place.fits() ? pvm_spawn(name, nullptr, *flag, anywhere, *ntask, tids) : PvmBadParam;
  });
}

/// Outside the list, tid is an error; index -1 only counts.
void pvmfsiblings_(int* ntids, int* index, int* tid) {
  Site const site;

  int* tids = nullptr;
  *ntids = pvm_siblings(&tids);
  *tid = *index >= 0 && *index < *ntids ? tids[*index] : PvmNoTask;
}

/// One task per call, and round again; ntask = -1 starts anew.
void pvmftasks_(int* where, int* ntask, int* tid, int* ptid, int* dtid, int* flag, char* aout,
                int* info, Length aout_length) {
  Site const site;

  if (*ntask == -1) last_task = -1;
  struct pvmtaskinfo* tasks = nullptr;
  *info = pvm_tasks(*where, ntask, &tasks);
  if (*info < 0 || *ntask < 1) return;
  last_task = last_task + 1 < *ntask ? last_task + 1 : 0;
  struct pvmtaskinfo const& task = tasks[last_task];
  *tid = task.ti_tid;
  *ptid = task.ti_ptid;
  *dtid = task.ti_host;
  *flag = task.ti_flag;
  give(aout, aout_length, task.ti_a_out);
  *info = 1;
}

/// Always on the standard output: Fortran has no other file to give.
void pvmfcatchout_(int* onoff, int* info) {
  Site const site;
  *info = pvm_catchout(*onoff ? stdout : nullptr);
}

void pvmfperror_(char* message, int* info, Length length) {
  Site const site;

  *info = with_text(message, length, pvm_perror);
}

}  // extern "C"
