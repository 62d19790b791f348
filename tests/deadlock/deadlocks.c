/* Programs that can never end, one per argument; and some that look like it and can. */
#include <nx.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int box;

static void receive(long type) { crecv(type, &box, sizeof box); }

/* Each waits for its right neighbour, and none has sent. */
static void ring(void) { crecvx(1, &box, sizeof box, (mynode() + 1) % numnodes(), 0, msginfo); }

/* Each sends before it receives: there must be room for the messages. */
static void exchange(void) {
  csend(1, &box, sizeof box, (mynode() + 1) % numnodes(), 0);
  receive(1);
}

/* The same without a blocking send. */
static void careful_exchange(void) {
  long id = isend(1, &box, sizeof box, (mynode() + 1) % numnodes(), 0);
  receive(1);
  msgwait(id);
}

/* A wrong type: the message is there, and no receive matches it. */
static void wrong_type(void) {
  if (mynode() == 0) csend(6, &box, sizeof box, 1, 0);
  receive(7);
}

/* The message is there, for a process of that node with another pid. */
static void wrong_pid(void) {
  if (mynode() == 0) csend(6, &box, sizeof box, 1, 1);
  receive(6);
}

/* Node 0 has ended without sending the awaited messages. */
static void ended(void) {
  if (mynode() != 0) crecvx(3, &box, sizeof box, 0, 0, msginfo);
}

/* All but one are in gsync(). */
static void barrier(void) {
  if (mynode() == 1) receive(9);
  gsync();
}

/* Each asks again and again. */
static void polling(void) {
  while (!iprobe(4)) {
  }
}

static void polling_asleep(void) {
  while (!iprobe(4)) usleep(1000);
}

/* The test makes the file as soon as it has read the report. */
static int is_reported(void) { return access("reported", F_OK) == 0; }

static void poll_until(time_t end) {
  while (mynode() == 0 && time(NULL) < end && !iprobe(4) && !is_reported()) {
  }
  gsync();
}

/* Until it is late: healthy. */
static void poll_by_clock(void) { poll_until(time(NULL) + 3600); }

static void poll_shortly_by_clock(void) { poll_until(time(NULL) + 4); }

/* So often: healthy. */
static void poll_by_count(void) {
  int i;
  for (i = 0; mynode() == 0 && i < 3600 * 1000 && !iprobe(4) && !is_reported(); i++) usleep(1000);
  gsync();
}

static void poll_then_ring(void) {
  poll_by_count();
  ring();
}

/* Node 0 waits for input that only it could write. */
static void own_pipe(void) {
  int ends[2];
  char byte;
  if (mynode() == 0 && pipe(ends) == 0 && read(ends[0], &byte, 1) < 0) return;
  gsync();
}

static void nothing(int signal) { (void)signal; }

/* It ticks for ever, which helps no process. */
static void ticking(void) {
  struct itimerval soon = {{0, 100000}, {0, 100000}};
  signal(SIGALRM, nothing);
  setitimer(ITIMER_REAL, &soon, NULL);
  ring();
}

/* Node 0 is woken by its alarm, and lets the others go. */
static void alarm_comes(void) {
  if (mynode() == 0) {
    struct itimerval soon = {{1, 500000}, {1, 500000}}; /* the first may come before pause() */
    signal(SIGALRM, nothing);
    setitimer(ITIMER_REAL, &soon, NULL);
    pause();
    csend(5, &box, sizeof box, -1, 0);
  } else {
    receive(5);
  }
}

/* All wait for one that computes. */
static void slow(void) {
  if (mynode() == 0) {
    double begun = dclock();
    while (dclock() < begun + 1.5) {
    }
    csend(5, &box, sizeof box, -1, 0);
  } else {
    receive(5);
  }
}

/* The last two wait for each other; the first two cannot help. */
static void some(void (*others)(void)) {
  if (mynode() < 2) others();
  crecvx(1, &box, sizeof box, mynode() ^ 1, 0, msginfo);
}

static void sleep_on(void) {
  for (;;) sleep(1000);
}

static void compute_on(void) {
  long volatile n = 0;
  for (;;) n++;
}

static void some_sleep(void) { some(sleep_on); }
static void some_compute(void) { some(compute_on); }

/* Node 0 sends messages that node 1 does not receive. */
static void flood(void) {
  static char message[1000];
  int i;
  if (mynode() == 1) receive(2);
  for (i = 0; mynode() == 0 && i < 20000; i++) csend(1, message, sizeof message, 1, 0);
  if (mynode() == 0) csend(2, &box, sizeof box, 1, 0);
}

/* Posted receives are matched one after the other; the last never is. */
static void requests(void) {
  long ids[2];
  ids[0] = irecv(1, &box, sizeof box);
  ids[1] = irecv(2, &box, sizeof box);
  csend(1, &box, sizeof box, (mynode() + 1) % numnodes(), 0);
  msgwait(ids[0]);
  msgwait(ids[1]);
}

static const struct {
  char const* name;
  void (*run)(void);
} cases[] = {{"exchange", exchange},
             {"careful_exchange", careful_exchange},
             {"ring", ring},
             {"wrong_type", wrong_type},
             {"wrong_pid", wrong_pid},
             {"ended", ended},
             {"barrier", barrier},
             {"polling", polling},
             {"polling_asleep", polling_asleep},
             {"poll_by_clock", poll_by_clock},
             {"poll_shortly_by_clock", poll_shortly_by_clock},
             {"poll_by_count", poll_by_count},
             {"poll_then_ring", poll_then_ring},
             {"own_pipe", own_pipe},
             {"ticking", ticking},
             {"alarm", alarm_comes},
             {"slow", slow},
             {"flood", flood},
             {"requests", requests},
             {"some_sleep", some_sleep},
             {"some_compute", some_compute}};

int main(int argc, char** argv) {
  size_t i;
  for (i = 0; i < sizeof cases / sizeof *cases; i++)
    if (argc > 1 && strcmp(argv[1], cases[i].name) == 0) {
      cases[i].run();
      return 0;
    }
  return 64;
}
/* SPDX-License-Identifier: BSD-3-Clause */
