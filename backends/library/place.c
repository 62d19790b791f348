/* What a native library's launcher starts instead of the program: it keeps a process's place. EXEC
 * gets what the launcher has given it (variables, and a descriptor where it hands one down), passes
 * it to the process that it starts itself, and hangs up when the job is over.
 * usage: earl-place SOCKET VARIABLE, the one with the descriptor's number; empty: there is none */
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

extern char** environ;

static int connect_to(char const* path) {
  struct sockaddr_un address;
  int const fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  memset(&address, 0, sizeof address);
  address.sun_family = AF_UNIX;
  if (fd < 0 || strlen(path) >= sizeof address.sun_path) return -1;
  strcpy(address.sun_path, path);
  return connect(fd, (struct sockaddr*)&address, sizeof address) == 0 ? fd : -1;
}

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

static int write_all(int fd, char const* bytes, size_t size) {
  while (size > 0) {
    ssize_t const written = send(fd, bytes, size, MSG_NOSIGNAL);
    if (written <= 0) return 0;
    bytes += written;
    size -= (size_t)written;
  }
  return 1;
}

/* Every variable with its final zero; an empty one is the last. */
static int tell_environment(int fd) {
  char** variable;
  for (variable = environ; *variable; ++variable)
    if (!write_all(fd, *variable, strlen(*variable) + 1)) return 0;
  return write_all(fd, "", 1);
}

int main(int count, char** arguments) {
  int const fd = count == 3 ? connect_to(arguments[1]) : -1;
  char end;
  if (fd < 0 || !begin(fd, arguments[2]) || !tell_environment(fd)) return 1;
  while (read(fd, &end, 1) > 0) {
  }
  return 0;
}
