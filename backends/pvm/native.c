/* SPDX-License-Identifier: BSD-3-Clause */
#include "backends/pvm/native.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <pvm3.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

enum { tag_data = 1, tag_exit = 2, tag_shared = 3 };

/* More than the longest message the port sends: PVM's default of 4080 cuts one into many, each of
 * which costs the daemon as much as a message. */
static int const fragment = 40 * 1000;

/* One process is one task: libpvm3 itself has no more than this one state. */
static volatile sig_atomic_t calling;

/* A daemon that has died is an error number for us. Any other broken pipe ends the program, as
 * it would without this handler. */
static void on_broken_pipe(int number) {
  if (calling) return;
  signal(number, SIG_DFL);
  raise(number);
}

static void survive_broken_pipe(void) {
  struct sigaction now;
  struct sigaction ours;
  memset(&ours, 0, sizeof ours);
  ours.sa_handler = on_broken_pipe;
  ours.sa_flags = SA_RESTART;
  if (sigaction(SIGPIPE, NULL, &now) == 0 && now.sa_handler == SIG_DFL)
    sigaction(SIGPIPE, &ours, NULL);
}

/* A fork()ed child that kept the sockets would keep the task alive in the daemon's eyes. */
static void close_in_child(void) {
  int* list = NULL;
  int const count = pvm_getfds(&list);
  int i;
  for (i = 0; i < count; ++i) close(list[i]);
}

static void close_on_exec(void) {
  int* list = NULL;
  int const count = pvm_getfds(&list);
  int i;
  for (i = 0; i < count; ++i) fcntl(list[i], F_SETFD, FD_CLOEXEC);
}

/* libpvm3 finds its daemon by the environment; the program keeps its own. */
struct variable {
  char const* name;
  char* before;
};

static void lend(struct variable* variable, char const* name, char const* value) {
  char const* const before = getenv(name);
  variable->name = name;
  variable->before = before ? strdup(before) : NULL;
  if (value)
    setenv(name, value, 1);
  else
    unsetenv(name);
}

static void restore(struct variable* variable) {
  if (variable->before)
    setenv(variable->name, variable->before, 1);
  else
    unsetenv(variable->name);
  free(variable->before);
}

/* libpvm3 calls select() before each read and write of its daemon's socket, and once more after a
 * message has gone out. A read or write waits in the system until the daemon, which never waits for
 * a task, has done its part; so a message is one system call and not three. Not with direct routes:
 * there a task that writes must read, or two that write to each other wait for ever. */
static enum { as_asked, sends, looks, takes, takes_one, has_one } doing;
static int by_daemon_only;

static int direct_routes;
static int to_daemon = -1;

/* A message is two reads for libpvm3, its head and the rest, but one for the daemon's socket: the
 * bytes that come with the head wait here. */
static struct {
  int fd;
  size_t from, to;
  char bytes[4096];
} ahead = {-1, 0, 0, {0}};

ssize_t __real_read(int fd, void* room, size_t size);

static size_t from_ahead(void* room, size_t size) {
  size_t const here = ahead.to - ahead.from;
  size_t const count = here < size ? here : size;
  memcpy(room, ahead.bytes + ahead.from, count);
  ahead.from += count;
  return count;
}

static ssize_t read_ahead(int flags) {
  ssize_t const count = recv(ahead.fd, ahead.bytes, sizeof ahead.bytes, flags);
  ahead.from = 0;
  ahead.to = count > 0 ? (size_t)count : 0;
  return count;
}

/* The wrapper of libpvm3's calls of read() (ld --wrap). */
ssize_t __wrap_read(int fd, void* room, size_t size) {
  size_t count;
  ssize_t more;
  if (fd != ahead.fd) return __real_read(fd, room, size);
  count = from_ahead(room, size);
  if (count == size) return (ssize_t)count;
  if (count == 0 && size < sizeof ahead.bytes) {
    more = read_ahead(0);
    return more <= 0 ? more : (ssize_t)from_ahead(room, size);
  }
  more = recv(fd, (char*)room + count, size - count, count != 0 ? MSG_DONTWAIT : 0);
  if (count == 0) return more;
  return (ssize_t)count + (more > 0 ? more : 0);
}

ssize_t __real_write(int fd, void const* bytes, size_t size);

/* The wrapper of libpvm3's calls of write() (ld --wrap). A task at the other end of a direct route
 * that has left reads no more, but its sent data is still to be read: libpvm3 would close the
 * route. */
ssize_t __wrap_write(int fd, void const* bytes, size_t size) {
  ssize_t const count = __real_write(fd, bytes, size);
  if (count < 0 && direct_routes && fd != to_daemon && (errno == EPIPE || errno == ECONNRESET))
    return (ssize_t)size;
  return count;
}

int __real_select(int count, fd_set* in, fd_set* out, fd_set* bad, struct timeval* most);

static int empty(int count, fd_set const* set) {
  int fd = 0;
  while (set && fd < count && !FD_ISSET(fd, set)) ++fd;
  return !set || fd == count;
}

static int only_ahead(fd_set* in, fd_set* out, fd_set* bad) {
  if (out) FD_ZERO(out);
  if (bad) FD_ZERO(bad);
  FD_ZERO(in);
  FD_SET(ahead.fd, in);
  return 1;
}

/* The wrapper of libpvm3's calls of select() (ld --wrap). */
int __wrap_select(int count, fd_set* in, fd_set* out, fd_set* bad, struct timeval* most) {
  int const only_looks = most && most->tv_sec == 0 && most->tv_usec == 0;
  if (doing == sends && only_looks) {
    FD_ZERO(in);
    return 0;
  }
  if (doing == looks && only_looks && ahead.from == ahead.to && read_ahead(MSG_DONTWAIT) < 0 &&
      (errno == EAGAIN || errno == EINTR)) {
    FD_ZERO(in);
    return 0;
  }
  if (doing != sends && ahead.from != ahead.to && in && FD_ISSET(ahead.fd, in))
    return only_ahead(in, out, bad);
  if (doing == as_asked) return __real_select(count, in, out, bad, most);
  if (doing == has_one && only_looks) {
    FD_ZERO(in);
    return 0;
  }
  if (doing == takes) doing = looks;
  if (doing == takes_one) doing = has_one;
  if (!empty(count, out)) FD_ZERO(in);
  return 1;
}

static void find_the_daemon(int direct) {
  int* list = NULL;
  if (pvm_getfds(&list) != 1) return;
  to_daemon = list[0];
  direct_routes = direct;
  by_daemon_only = !direct;
  if (by_daemon_only) ahead.fd = to_daemon;
}

static int enrol(char const* socket, int context, int direct) {
  struct variable lent[4];
  char* const folder = strdup(socket);
  char* const slash = folder ? strrchr(folder, '/') : NULL;
  int tid;
  size_t i;
  if (slash) *slash = '\0';
  lend(&lent[0], "PVMSOCK", socket);
  lend(&lent[1], "PVM_TMP", folder);
  lend(&lent[2], "PVMEPID", NULL);
  lend(&lent[3], "PVM_ALLOW_ROOT", "1");
  survive_broken_pipe();
  calling = 1;
  tid = pvm_mytid();
  pvm_setopt(PvmAutoErr, 0);
  pvm_setopt(PvmRoute, direct ? PvmRouteDirect : PvmDontRoute);
  pvm_setopt(PvmFragSize, fragment);
  pvm_setcontext(context);
  calling = 0;
  if (tid >= 0) find_the_daemon(direct);
  for (i = 0; i < sizeof lent / sizeof *lent; ++i) restore(&lent[i]);
  free(folder);
  if (tid < 0) return tid;
  close_on_exec();
  pthread_atfork(NULL, NULL, close_in_child);
  return tid;
}

static int pack(struct iovec const* pieces, int count) {
  int result = pvm_initsend(PvmDataRaw);
  int i;
  for (i = 0; i < count && result >= 0; ++i)
    if (pieces[i].iov_len != 0) result = pvm_pkbyte(pieces[i].iov_base, (int)pieces[i].iov_len, 1);
  return result;
}

static int send_pieces(int tid, struct iovec const* pieces, int count) {
  int result;
  calling = 1;
  result = pack(pieces, count);
  if (by_daemon_only) doing = sends;
  if (result >= 0) result = pvm_send(tid, tag_data);
  doing = as_asked;
  calling = 0;
  return result;
}

static int send_all(int* tids, int tasks, struct iovec const* pieces, int count) {
  int result;
  calling = 1;
  result = pack(pieces, count);
  if (by_daemon_only) doing = sends;
  if (result >= 0) result = pvm_mcast(tids, tasks, tag_shared);
  doing = as_asked;
  calling = 0;
  return result;
}

static int unpack(int buffer, void* room, size_t size, struct earl_pvm_arrival* arrival) {
  int bytes = 0;
  int tag = 0;
  int result = pvm_bufinfo(buffer, &bytes, &tag, &arrival->tid);
  if (result < 0) return result;
  if (tag == tag_exit) {
    arrival->event = earl_pvm_exit;
    return pvm_upkint(&arrival->tid, 1, 1);
  }
  if (tag != tag_data && tag != tag_shared) return 0;
  arrival->event = tag == tag_data ? earl_pvm_message : earl_pvm_shared;
  arrival->size = (size_t)bytes < size ? (size_t)bytes : size;
  return pvm_upkbyte(room, (int)arrival->size, 1);
}

static int receive(enum earl_pvm_expected expected, void* room, size_t size,
                   struct earl_pvm_arrival* arrival) {
  int result;
  arrival->event = earl_pvm_nothing;
  arrival->tid = 0;
  arrival->size = 0;
  calling = 1;
  if (by_daemon_only)
    doing = expected == earl_pvm_one ? takes_one : expected == earl_pvm_some ? takes : looks;
  result = pvm_nrecv(-1, -1);
  doing = as_asked;
  if (result > 0) result = unpack(result, room, size, arrival);
  calling = 0;
  return result;
}

static int watch(int tid) {
  int result;
  calling = 1;
  result = pvm_notify(PvmTaskExit, tag_exit, 1, &tid);
  calling = 0;
  return result;
}

static int descriptors(int** list) { return pvm_getfds(list); }

static int host(int n, struct earl_pvm_host* host) {
  struct pvmhostinfo* list = NULL;
  int count = 0;
  int result;
  calling = 1;
  result = pvm_config(&count, NULL, &list);
  if (result >= 0 && n < count) {
    host->name = list[n].hi_name;
    host->is_ours = list[n].hi_tid == pvm_tidtohost(pvm_mytid());
    result = 1;
  }
  calling = 0;
  return result;
}

static int leave(void) {
  int result;
  calling = 1;
  result = pvm_exit();
  calling = 0;
  return result;
}

struct earl_pvm_native const earl_pvm = {
    earl_pvm_version, enrol, send_pieces, send_all, receive, watch, descriptors, host, leave,
};
