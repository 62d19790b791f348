/* SPDX-License-Identifier: BSD-3-Clause */
/* The native header of the smallest front end: three calls. */
#ifndef MINI_H
#define MINI_H

#ifdef __cplusplus
extern "C" {
#endif

/* The caller's number, from 0. */
int mini_rank(void);
/* Sends bytes to another process. Returns 0; -1: there is no such process. */
int mini_send(int to, void const *data, int bytes);
/* Receives the oldest message, of any process, and cuts it to `room` bytes. Returns its length. */
int mini_receive(void *data, int room);

#ifdef __cplusplus
}
#endif

#endif
