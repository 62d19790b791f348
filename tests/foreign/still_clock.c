/* A clock that only goes on when it is asked, for a program that sows its random numbers by the
   time of day: loaded before it (LD_PRELOAD), its runs are alike. Alarms ring by it, too. */
#include <signal.h>
#include <sys/time.h>

#define PER_SECOND 50

static long asked;
static long alarm_at;

unsigned int alarm(unsigned int seconds) {
  long const left = alarm_at > asked ? alarm_at - asked : 0;
  alarm_at = seconds == 0 ? 0 : asked + (long)seconds * PER_SECOND;
  return (unsigned int)((left + PER_SECOND - 1) / PER_SECOND);
}

int gettimeofday(struct timeval* restrict now, void* restrict zone) {
  (void)zone;
  asked++;
  now->tv_sec = 700000000 + asked / PER_SECOND;
  now->tv_usec = asked % PER_SECOND * (1000000 / PER_SECOND);
  if (asked == alarm_at) raise(SIGALRM);
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
