#include "backends/pvm/native.h"

#include <fcntl.h>
#include <pthread.h>
#include <pvm3.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <unistd.h>

enum { tag_data = 1, tag_exit = 2 };

/* More than the longest message the port sends: PVM's default of 4080 cuts one into many, each of
 * which costs the daemon as much as a message. */
static int const fragment = 40 * 1000;

/* One process is one task: libpvm3 itself has no more than this one state. */
static volatile sig_atomic_t calling;

/* A daemon that has died is an error number for us. Anybody else's broken pipe ends the program, as
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

/* libpvm3 is told where its daemon is by the environment; the program keeps its own. */
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

/* libpvm3 asks select() before each read and write of its daemon's socket, and once more after a
 * message has gone out. A read or write waits by itself until the daemon, which never waits for a
 * task, has done its part; so a message is one system call and not three. Not with direct routes:
 * there a task that writes must read, or two that write to each other wait for ever. */
static enum { as_asked, sends, looks, takes } doing;
static int by_daemon_only;

int __real_select(int count, fd_set* in, fd_set* out, fd_set* bad, struct timeval* most);

static int empty(int count, fd_set const* set) {
  int fd = 0;
  while (set && fd < count && !FD_ISSET(fd, set)) ++fd;
  return !set || fd == count;
}

/* What libpvm3's calls of select() arrive at (ld --wrap). */
int __wrap_select(int count, fd_set* in, fd_set* out, fd_set* bad, struct timeval* most) {
  int const only_looks = most && most->tv_sec == 0 && most->tv_usec == 0;
  if (doing == as_asked || (doing == looks && only_looks))
    return __real_select(count, in, out, bad, most);
  if (doing == sends && only_looks) {
    FD_ZERO(in);
    return 0;
  }
  doing = doing == takes ? looks : doing;
  if (!empty(count, out)) FD_ZERO(in);
  return 1;
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
  by_daemon_only = !direct;
  for (i = 0; i < sizeof lent / sizeof *lent; ++i) restore(&lent[i]);
  free(folder);
  if (tid < 0) return tid;
  close_on_exec();
  pthread_atfork(NULL, NULL, close_in_child);
  return tid;
}

static int send_pieces(int tid, struct iovec const* pieces, int count) {
  int result;
  int i;
  calling = 1;
  result = pvm_initsend(PvmDataRaw);
  for (i = 0; i < count && result >= 0; ++i)
    if (pieces[i].iov_len != 0) result = pvm_pkbyte(pieces[i].iov_base, (int)pieces[i].iov_len, 1);
  if (by_daemon_only) doing = sends;
  if (result >= 0) result = pvm_send(tid, tag_data);
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
  if (tag != tag_data) return 0;
  arrival->event = earl_pvm_message;
  arrival->size = (size_t)bytes < size ? (size_t)bytes : size;
  return pvm_upkbyte(room, (int)arrival->size, 1);
}

static int receive(int there, void* room, size_t size, struct earl_pvm_arrival* arrival) {
  int result;
  arrival->event = earl_pvm_nothing;
  arrival->tid = 0;
  arrival->size = 0;
  calling = 1;
  if (by_daemon_only) doing = there ? takes : looks;
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
    earl_pvm_version, enrol, send_pieces, receive, watch, descriptors, host, leave,
};
