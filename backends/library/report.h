/* How what a library's launcher has started reports to who waits for it: it says texts, and stays
 * until the other end hangs up. */
#ifndef EARL_BACKENDS_LIBRARY_REPORT_H
#define EARL_BACKENDS_LIBRARY_REPORT_H

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* To the socket that a variable names; -1: nobody is there. */
static int connect_to(char const* variable) {
  struct sockaddr_un address;
  char const* const path = getenv(variable);
  int const fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  memset(&address, 0, sizeof address);
  address.sun_family = AF_UNIX;
  if (fd < 0 || !path || strlen(path) >= sizeof address.sun_path) return -1;
  strcpy(address.sun_path, path);
  return connect(fd, (struct sockaddr*)&address, sizeof address) == 0 ? fd : -1;
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
static int tell(int fd, char* const* texts) {
  for (; *texts; ++texts)
    if (**texts && !write_all(fd, *texts, strlen(*texts) + 1)) return 0;
  return write_all(fd, "", 1);
}

static void stay(int fd) {
  char end;
  while (read(fd, &end, 1) > 0) {
  }
}

#endif
