/* SPDX-License-Identifier: BSD-3-Clause */
/* Native PVM 3 as Earl's port sees it: the one symbol of the module earl-pvm.so, in which libpvm3.a
 * is linked with all its own symbols hidden. Plain C, no Earl in it: so the calls inside libpvm3
 * cannot meet the front end that exports the same names, and the port can be tested without PVM. */
#ifndef EARL_BACKENDS_PVM_NATIVE_H
#define EARL_BACKENDS_PVM_NATIVE_H

#include <stddef.h>
#include <sys/uio.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { earl_pvm_version = 3 };

/* The result of receive(). */
enum earl_pvm_event {
  earl_pvm_nothing,
  earl_pvm_message, /* `size` bytes of task `tid` are in the room */
  earl_pvm_shared,  /* likewise, of a send_all() */
  earl_pvm_exit     /* task `tid` is gone, and nothing of it comes any more by the daemon */
};

/* The caller's knowledge before receive(). */
enum earl_pvm_expected {
  earl_pvm_perhaps,
  earl_pvm_some, /* one of descriptors() has been found readable since the last call */
  earl_pvm_one   /* likewise, and only one message is on its way to this task */
};

struct earl_pvm_arrival {
  enum earl_pvm_event event;
  int tid;
  size_t size;
};

struct earl_pvm_host {
  char const* name; /* as the daemons call it; valid until the next call of any kind */
  int is_ours;      /* this process runs there */
};

/* Results below 0 are PVM's error numbers. One thread, never from a signal handler. */
struct earl_pvm_native {
  int version;
  /* Enrols with the daemon at this socket; messages travel in `context`. Gives the task id. */
  int (*enrol)(char const* socket, int context, int direct);
  /* The pieces as one message, in order per receiver; they may be reused on return. May wait for
   * the daemon (for the receiver, on a direct route), no other. To a dead task: 0. */
  int (*send)(int tid, struct iovec const* pieces, int count);
  /* Likewise, the same to each task. */
  int (*send_all)(int* tids, int tasks, struct iovec const* pieces, int count);
  /* The next message, whole; more than `size` bytes are cut. Never waits for one to begin. */
  int (*receive)(enum earl_pvm_expected, void* room, size_t size, struct earl_pvm_arrival* arrival);
  /* Asks for one earl_pvm_exit of that task, also if it is gone already. */
  int (*watch)(int tid);
  /* The descriptors that may become readable when something arrives; valid until the next call of
     any kind. */
  int (*descriptors)(int** list);
  /* The n-th host of the virtual machine. 0: there is none. */
  int (*host)(int n, struct earl_pvm_host* host);
  /* Leaves PVM: all that was sent has been taken over by the daemon on return. */
  int (*leave)(void);
};

extern struct earl_pvm_native const earl_pvm;

#ifdef __cplusplus
}
#endif

#endif
