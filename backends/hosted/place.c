/* SPDX-License-Identifier: BSD-3-Clause */
/* The placeholder that a native library's launcher starts instead of the program: it keeps a
 * process's place. It passes to EXEC what the launcher has given it (variables, and a descriptor
 * where it hands one down); EXEC gives them to the process that it starts itself, and closes its
 * end when the job is over. Before, it may send the exit code with which the place is to end.
 * usage: earl-place VARIABLE, the one with the descriptor's number; empty: there is none */
#include "backends/hosted/report.h"

extern char** environ;

/* One byte, with the launcher's descriptor if there is one. */
static int begin(int fd, char const* variable) {
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(sizeof(int))];
  } control;
  char greeting = 'p';
  struct iovec piece;
  struct msghdr message;
  char const* const handed = *variable ? getenv(variable) : NULL;
  int const number = handed ? atoi(handed) : -1;
  memset(&message, 0, sizeof message);
  memset(&control, 0, sizeof control);
  piece.iov_base = &greeting;
  piece.iov_len = 1;
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  if (handed) {
    message.msg_control = &control;
    message.msg_controllen = sizeof control;
    control.header.cmsg_level = SOL_SOCKET;
    control.header.cmsg_type = SCM_RIGHTS;
    control.header.cmsg_len = CMSG_LEN(sizeof number);
    memcpy(CMSG_DATA(&control.header), &number, sizeof number);
  }
  return sendmsg(fd, &message, MSG_NOSIGNAL) == 1;
}

int main(int count, char** arguments) {
  int const fd = count == 2 ? connect_to("EARL_PLACES") : -1;
  if (fd < 0 || !begin(fd, arguments[1]) || !report(fd, environ)) return 1;
  return stay(fd);
}
