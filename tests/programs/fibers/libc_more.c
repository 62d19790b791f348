/* Functions that libc.c does not call: similar ones, and files. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <nx.h>
#include <poll.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "../common/check.h"

static void numbers(int me) {
  long first, positive, any;
  srandom(7 + me);
  srand48(me);
  first = random();
  positive = lrand48();
  any = mrand48();
  gsync();
  srandom(7 + me);
  srand48(me);
  CHECK(random() == first && lrand48() == positive && mrand48() == any);
}

static void options(int me) {
  static struct option const names[] = {{"node", required_argument, NULL, 'n'}, {0}};
  char number[20];
  char* words[] = {"program", "--node", number, "rest", NULL};
  sprintf(number, "%d", me);
  optind = 0;
  CHECK(getopt_long(4, words, "n:", names, NULL) == 'n' && atoi(optarg) == me);
  gsync();
  CHECK(getopt_long(4, words, "n:", names, NULL) == -1 && optind == 3);
  words[1] = "-node";
  optind = 0;
  CHECK(getopt_long_only(4, words, "", names, NULL) == 'n' && atoi(optarg) == me);
}

static int volatile alarms;

static void count_alarm(int number) { alarms += number == SIGALRM; }

static void held(int me) {
  sigset_t alarm_only, before;
  sigemptyset(&alarm_only);
  sigaddset(&alarm_only, SIGALRM);
  signal(SIGALRM, count_alarm);
  CHECK(pthread_sigmask(SIG_BLOCK, &alarm_only, &before) == 0);
  CHECK(pthread_sigmask(99, &alarm_only, NULL) == EINVAL);
  ualarm(1000 * (1 + me % 4), 0);
  CHECK(sigsuspend(&before) == -1 && alarms == 1);
  CHECK(sigblock(sigmask(SIGUSR1)) == (int)sigmask(SIGALRM));
  CHECK(sigsetmask(0) == (int)(sigmask(SIGALRM) | sigmask(SIGUSR1)));
}

static jmp_buf back;

static void jumps(int me) {
  int volatile times = 0;
  if (setjmp(back) < 3) {
    gsync();
    longjmp(back, ++times);
  }
  CHECK(times == 3 && me == mynode());
}

static void clocks(void) {
  struct timespec begin, end, base, rest = {0, 2000000};
  struct tms used;
  struct rusage usage;
  CHECK(clock_gettime(CLOCK_MONOTONIC, &begin) == 0);
  CHECK(clock_nanosleep(CLOCK_MONOTONIC, 0, &rest, NULL) == 0);
  CHECK(clock_gettime(CLOCK_MONOTONIC, &end) == 0);
  CHECK(1e9 * (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) >= 2e6);
  CHECK(timespec_get(&base, TIME_UTC) == TIME_UTC &&
        base.tv_sec <= time(NULL) + 1); /* time(2) is behind */
  CHECK(clock() >= 0 && times(&used) != (clock_t)-1);
  CHECK(getrusage(RUSAGE_SELF, &usage) == 0 && usage.ru_utime.tv_sec < 1000);
  CHECK(sched_yield() == 0);
}

static void descriptors(void) {
  struct iovec nothing[2] = {{"", 0}, {"", 0}};
  struct stat facts;
  struct stat64 facts64;
  struct pollfd none = {-1, POLLIN, 0};
  char name[64];
  CHECK(writev(1, nothing, 2) == 0);
  CHECK(fstat(1, &facts) == 0 && fstat64(1, &facts64) == 0 && facts.st_mode == facts64.st_mode);
  CHECK(lseek64(1, 0, SEEK_CUR) == -1);
  CHECK(ttyname_r(1, name, sizeof name) != 0);
  CHECK(fileno(stdout) == 1 && fileno_unlocked(stderr) == 2);
  CHECK(poll(&none, 1, 2) == 0);
}

static int said_in(char const* name) {
  int number = -1;
  FILE* file = fopen(name, "r");
  CHECK(file && fscanf(file, "%d", &number) == 1);
  fclose(file);
  CHECK(unlink(name) == 0);
  return number;
}

static void copied(int me) {
  int const file = open("copied", O_RDWR | O_CREAT, 0666), copy = dup(file);
  char digits[8] = "";
  sprintf(digits, "%d", me);
  CHECK(copy >= 0 && copy != file && dup2(file, copy) == copy);
  CHECK(write(copy, digits, strlen(digits)) == (ssize_t)strlen(digits));
  CHECK(close(copy) == 0 && close(file) == 0);
}

/* Each in a folder of its own. */
static void files(int me) {
  char folder[] = "/tmp/earl-libc.XXXXXX", before[1024], here[1024];
  CHECK(getcwd(before, sizeof before) && mkdtemp(folder) && chdir(folder) == 0);
  gsync();
  CHECK(getcwd(here, sizeof here) && strcmp(here, folder) == 0);
  CHECK(freopen("said", "w", stderr) == stderr);
  fprintf(stderr, "%d", me);
  CHECK(freopen64("more", "w", stderr) == stderr);
  fprintf(stderr, "%d", me + 1);
  fflush(stderr);
  copied(me);
  gsync();
  CHECK(said_in("said") == me && said_in("more") == me + 1 && said_in("copied") == me);
  CHECK(chdir(before) == 0 && rmdir(folder) == 0);
}

static void leave(int me) {
  setenv("KEPT", "no", 1);
  CHECK(clearenv() == 0 && !getenv("KEPT"));
  puts("EARL-OK");
  fflush(stdout);
  if (me % 4 == 1) _exit(0);
  if (me % 4 == 2) _Exit(0);
  if (me % 4 == 3) quick_exit(0);
}

int main(void) {
  int const me = mynode();
  numbers(me);
  options(me);
  held(me);
  jumps(me);
  clocks();
  descriptors();
  files(me);
  gsync();
  leave(me);
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
