/* In virtual time: a sleeper goes on when its time has come, without real waiting. */
#include <nx.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "../common/check.h"

/* Nodes read the clock one after another: some microseconds before or after a barrier's end. */
#define NEAR(what, wanted) CHECK((what) > (wanted) - 0.001 && (what) < (wanted) + 1.0)

static int alarms;
static void count(int number) { alarms += number == SIGALRM; }

static double time_of_day(void) {
  struct timeval now;
  gettimeofday(&now, NULL);
  return now.tv_sec + now.tv_usec / 1e6;
}

/* Node n sleeps n hours, and its message comes in that order. */
static void hours(int me, int nodes) {
  double const clock = dclock(), day = time_of_day();
  time_t const second = time(NULL);
  int i;
  for (i = 1; me == 0 && i < nodes; ++i) {
    crecv(1, NULL, 0);
    CHECK(infonode() == i);
    NEAR(dclock() - clock, 3600.0 * i);
    NEAR(time_of_day() - day, 3600.0 * i);
    CHECK(time(NULL) >= second + 3600 * i);
  }
  if (me == 0) return;
  sleep(3600 * me);
  csend(1, NULL, 0, 0, 0);
}

/* A loop that polls the clock, or for a message, comes to an end. */
static void looking(int me, int nodes) {
  double const clock = dclock();
  while (dclock() - clock < 0.01) continue;
  if (me == 0) {
    while (!iprobe(2)) continue;
    crecv(2, NULL, 0);
  } else if (me == nodes - 1) {
    usleep(50000);
    csend(2, NULL, 0, 0, 0);
  }
}

/* A timer is its node's own, and runs out while the node waits for a message, too. */
static void timers(int me, int nodes) {
  struct itimerval const twice = {{10, 0}, {20, 0}};
  struct itimerval left;
  signal(SIGALRM, count);
  gsync();
  CHECK(alarm(0) == 0);
  if (me == 0) {
    CHECK(setitimer(ITIMER_REAL, &twice, NULL) == 0);
    crecv(3, NULL, 0);
    CHECK(alarms == 3); /* after 20, 30, and 40 seconds */
    CHECK(getitimer(ITIMER_REAL, &left) == 0 && left.it_interval.tv_sec == 10);
    CHECK(left.it_value.tv_sec < 10);
    CHECK(alarm(7) > 0 && alarm(0) == 7);
  } else if (me == nodes - 1) {
    sleep(45);
    CHECK(alarms == 0);
    csend(3, NULL, 0, 0, 0);
  } else {
    double const clock = dclock();
    alarm(me);
    pause();
    CHECK(alarms == 1);
    NEAR(dclock() - clock, 1.0 * me);
  }
}

int main(void) {
  int const me = mynode(), nodes = numnodes();
  NEAR(time_of_day(), 946684800.0); /* 1 January 2000 */
  gsync();
  hours(me, nodes);
  gsync();
  looking(me, nodes);
  gsync();
  timers(me, nodes);
  printf("node %d ends at %.6f\n", me, dclock());
  puts("EARL-OK");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
