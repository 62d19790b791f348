// SPDX-License-Identifier: BSD-3-Clause
/// A PVM task alone in its job, as each test case finds it: no active buffers, no waiting messages,
/// context 0, errors silent.
#pragma once

#include <pvm3.h>

#include <array>

extern "C" {
extern int pvm_errno;
int pvm_gettmask(int who, char* mask);
int pvm_settmask(int who, char* mask);
}

struct Task {
  Task() {
    pvm_setopt(PvmAutoErr, 0);
    pvm_setcontext(-1);
    while (pvm_nrecv(-1, -1) > 0) {
    }
    pvm_setcontext(0);
    pvm_freebuf(pvm_getsbuf());
    pvm_freebuf(pvm_getrbuf());
  }
  int tid = pvm_mytid();
};

/// Packed data can be read at once: the send buffer becomes the receive buffer.
inline int turn_around() {
  int const id = pvm_getsbuf();
  pvm_setrbuf(id);
  return id;
}

inline int length_of(int bufid) {
  int bytes = -1;
  pvm_bufinfo(bufid, &bytes, nullptr, nullptr);
  return bytes;
}

/// Sends the active send buffer to the caller itself and receives it.
inline int send_and_receive(int tag = 1) {
  pvm_send(pvm_mytid(), tag);
  return pvm_recv(-1, tag);
}
