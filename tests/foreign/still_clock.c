/* A clock that only goes on when it is asked, for a program that sows its random numbers by the time
   of day: loaded before it (LD_PRELOAD), its runs are alike. */
#include <sys/time.h>

int gettimeofday(struct timeval* restrict now, void* restrict zone) {
  static long asked;
  (void)zone;
  asked++;
  now->tv_sec = 700000000 + asked / 1000;
  now->tv_usec = asked % 1000 * 1000;
  return 0;
}
