/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the fibers back end puts the thread-local variables of the running rank's program. A program's
   own code expects them just below the thread pointer, so this must be all that `earl` itself has of
   such variables: the back end refuses programs with some if it is not. */
#define ROOM (64 * 1024)

__attribute__((visibility("default"), used, aligned(4096))) __thread char
    earl_thread_local_room[ROOM];
__attribute__((visibility("default"), used)) unsigned long const earl_thread_local_room_size = ROOM;
