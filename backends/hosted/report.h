/* SPDX-License-Identifier: BSD-3-Clause */
/* How children of a library's launcher report to the process that waits for them: they send texts,
 * and stay until the other end closes the connection. */
#ifndef EARL_BACKENDS_LIBRARY_REPORT_H
#define EARL_BACKENDS_LIBRARY_REPORT_H

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* -1: no process is there. */
static int connect_at(char const* path) {
  struct sockaddr_un address;
  int const fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  memset(&address, 0, sizeof address);
  address.sun_family = AF_UNIX;
  if (fd < 0 || strlen(path) >= sizeof address.sun_path) return -1;
  strcpy(address.sun_path, path);
  return connect(fd, (struct sockaddr*)&address, sizeof address) == 0 ? fd : -1;
}

/* To the socket that a variable names; a number is a line that is there already. */
static int connect_to(char const* variable) {
  char const* const text = getenv(variable);
  if (!text) return -1;
  return *text == '/' ? connect_at(text) : atoi(text);
}

static int write_all(int fd, char const* bytes, size_t size) {
  while (size > 0) {
    ssize_t const written = send(fd, bytes, size, MSG_NOSIGNAL);
    if (written <= 0) return 0;
    bytes += written;
    size -= (size_t)written;
  }
  return 1;
}

/* Every text with its final zero; an empty one is the last. */
static int report(int fd, char* const* texts) {
  for (; *texts; ++texts)
    if (**texts && !write_all(fd, *texts, strlen(*texts) + 1)) return 0;
  return write_all(fd, "", 1);
}

/* Returns the last byte received there, the exit code; 0 without one. */
static int stay(int fd) {
  unsigned char code = 0;
  while (read(fd, &code, 1) > 0) {
  }
  return code;
}

#endif
