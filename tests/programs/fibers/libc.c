/* The C library's state between calls is the node's own. One block for each of Earl's hooks.
 */
#include <errno.h>
#include <getopt.h>
#include <locale.h>
#include <netdb.h>
#include <nx.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "../common/check.h"

/* NX's header calls it earl_nx_strerror, which is checked, too. */
#undef strerror
extern char* strerror(int number);

extern char** environ;
static int volatile signals;
static int exits;

static void count_signal(int number) { signals += number; }

static void first_registered(void) {
  CHECK(exits == 1);
  puts("EARL-OK");
}
static void last_registered(void) { ++exits; }

static void environment(int me) {
  char value[20], assignment[20];
  sprintf(value, "%d", me);
  sprintf(assignment, "MINE=%d", me);
  CHECK(setenv("NODE", value, 1) == 0);
  CHECK(putenv(assignment) == 0);
  CHECK(setenv("NODE", "another", 0) == 0);
  gsync();
  CHECK(strcmp(getenv("NODE"), value) == 0);
  CHECK(atoi(getenv("MINE")) == me);
  CHECK(environ && environ[0]);
  unsetenv("MINE");
  gsync();
  CHECK(!getenv("MINE"));
  CHECK(setenv("A=B", "", 1) != 0);
}

static void tokens(int me) {
  char words[40];
  sprintf(words, "a%d b%d c%d", me, me, me);
  CHECK(atoi(strtok(words, " ") + 1) == me);
  gsync();
  CHECK(strtok(NULL, " ")[0] == 'b');
  gsync();
  CHECK(atoi(strtok(NULL, " ") + 1) == me);
}

static void numbers(int me) {
  int first, second;
  double fraction;
  srand(1000 + me);
  srand48(me);
  first = rand();
  fraction = drand48();
  gsync();
  second = rand();
  srand(1000 + me);
  srand48(me);
  CHECK(rand() == first);
  gsync();
  CHECK(rand() == second && drand48() == fraction);
}

static void options(int me) {
  char number[20];
  char* words[] = {"program", "-n", "0", "-v", "rest", NULL};
  int letter, seen = 0;
  sprintf(number, "%d", me);
  words[2] = number;
  while ((letter = getopt(5, words, "n:v")) != -1) {
    if (letter == 'n') CHECK(atoi(optarg) == me);
    seen += letter;
  }
  CHECK(seen == 'n' + 'v');
  CHECK(optind == 4 && strcmp(words[optind], "rest") == 0);
}

static void sleeping(int me) {
  struct timespec moment = {0, 2000000};
  struct timeval wait = {0, 2000};
  double before = dclock();
  if (me == 0) usleep(50000);
  CHECK(sleep(0) == 0 && nanosleep(&moment, NULL) == 0);
  CHECK(select(0, NULL, NULL, NULL, &wait) == 0);
  CHECK(dclock() - before >= 0.003);
}

static void signalled(int me) {
  CHECK(signal(SIGUSR1, count_signal) == SIG_DFL);
  gsync();
  if (me == 0) CHECK(raise(SIGUSR1) == 0);
  CHECK(signals == (me == 0 ? SIGUSR1 : 0));
  CHECK(signal(SIGUSR1, SIG_IGN) == count_signal);
  CHECK(kill(getpid(), SIGUSR1) == 0);
  CHECK(signals == (me == 0 ? SIGUSR1 : 0));
}

/* The process group of a node has all nodes. */
static void all_signalled(int me) {
  signals = 0;
  CHECK(signal(SIGUSR1, count_signal) == SIG_IGN);
  gsync();
  if (me == 0) CHECK(kill(0, SIGUSR1) == 0 && signals == SIGUSR1);
  while (signals == 0) flick();
  CHECK(signals == SIGUSR1);
  gsync();
  CHECK(signal(SIGUSR1, SIG_IGN) == count_signal);
}

static int volatile handled;

static void look_around(int number, siginfo_t* facts, void* context) {
  (void)context;
  sigset_t now;
  CHECK(number == SIGUSR2 && facts->si_signo == SIGUSR2);
  CHECK(sigprocmask(SIG_BLOCK, NULL, &now) == 0);
  CHECK(sigismember(&now, SIGUSR1) && sigismember(&now, SIGUSR2) && !sigismember(&now, SIGALRM));
  ++handled;
}

static void masked(int me) {
  struct sigaction action, known;
  sigset_t one, none, pending;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = look_around;
  action.sa_flags = SA_SIGINFO;
  sigaddset(&action.sa_mask, SIGUSR1);
  CHECK(sigaction(SIGUSR2, &action, NULL) == 0 && sigaction(SIGUSR2, NULL, &known) == 0);
  CHECK(known.sa_sigaction == look_around && (known.sa_flags & SA_SIGINFO));
  CHECK(sigismember(&known.sa_mask, SIGUSR1) && !sigismember(&known.sa_mask, SIGALRM));
  sigemptyset(&none);
  sigemptyset(&one);
  sigaddset(&one, SIGUSR2);
  if (me == 0) CHECK(sigprocmask(SIG_BLOCK, &one, NULL) == 0);
  gsync();
  CHECK(raise(SIGUSR2) == 0);
  CHECK(handled == (me != 0));
  CHECK(sigpending(&pending) == 0 && sigismember(&pending, SIGUSR2) == (me == 0));
  if (me == 0) CHECK(sigsuspend(&none) == -1 && errno == EINTR && handled == 1);
  CHECK(raise(SIGUSR2) == 0 && handled == (me == 0 ? 1 : 2));
  if (me == 0) CHECK(sigprocmask(SIG_SETMASK, &none, &one) == 0 && sigismember(&one, SIGUSR2));
  CHECK(handled == 2);
}

static sigjmp_buf back;

static void jump_back(int number) { siglongjmp(back, number); }

/* As programs leave operations that take too long, again and again. */
static void jumped(void) {
  int volatile times = 0;
  signal(SIGUSR1, jump_back);
  sigsetjmp(back, 1);
  if (++times < 4) raise(SIGUSR1);
  CHECK(times == 4);
  signal(SIGUSR1, SIG_IGN);
}

static void reset_once(void) {
  struct sigaction action, known;
  memset(&action, 0, sizeof action);
  action.sa_handler = count_signal;
  action.sa_flags = SA_RESETHAND;
  signals = 0;
  CHECK(sigaction(SIGURG, &action, NULL) == 0 && raise(SIGURG) == 0 && signals == SIGURG);
  CHECK(sigaction(SIGURG, NULL, &known) == 0 && known.sa_handler == SIG_DFL);
}

static void creation_mask(int me) {
  int const mine = me % 2 ? 022 : 077;
  umask(mine);
  gsync();
  CHECK(umask(mine) == mine);
  gsync();
}

static void own_errno(int me) {
  errno = me + 1;
  usleep(1000);
  CHECK(errno == me + 1);
}

static void own_host_error(int me) {
  h_errno = me + 1;
  usleep(1000);
  CHECK(h_errno == me + 1);
}

/* One node's decimal point is not another's. */
static void own_locale(int me) {
  locale_t const plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  CHECK(uselocale((locale_t)0) == LC_GLOBAL_LOCALE);
  CHECK(plain && (me % 2 == 0 || uselocale(plain) == LC_GLOBAL_LOCALE));
  gsync();
  usleep(1000);
  CHECK(uselocale((locale_t)0) == (me % 2 ? plain : LC_GLOBAL_LOCALE));
  gsync();
  uselocale(LC_GLOBAL_LOCALE);
  freelocale(plain);
}

/* Results of functions that have one buffer for them. */
static void results(int me) {
  time_t const day = (time_t)me * 86400;
  time_t const none = 0;
  char first[30], words[40];
  struct tm* date;
  char *text, *own;
  date = gmtime(&day);
  text = asctime(date);
  strcpy(first, text);
  gsync();
  CHECK(date->tm_yday == me % 365 && strcmp(text, first) == 0);
  date = localtime(&none);
  text = ctime(&day);
  strcpy(first, text);
  gsync();
  CHECK(date->tm_year + 1900 >= 1969 && strcmp(text, first) == 0);
  sprintf(words, "Unknown error %d", 1000 + me);
  text = strerror(1000 + me);
  own = earl_nx_strerror(1000 + me);
  gsync();
  CHECK(strcmp(text, words) == 0 && strcmp(own, words) == 0);
}

static void descriptors(int me) {
  char byte;
  CHECK(write(1, "", 0) == 0);
  CHECK(!isatty(1) && lseek(1, 0, SEEK_CUR) == -1);
  if (me != 0) CHECK(read(0, &byte, 1) == 0);
}

int main(void) {
  int me = mynode();
  atexit(first_registered);
  atexit(last_registered);
  environment(me);
  tokens(me);
  numbers(me);
  options(me);
  sleeping(me);
  signalled(me);
  all_signalled(me);
  masked(me);
  jumped();
  reset_once();
  creation_mask(me);
  own_errno(me);
  own_host_error(me);
  own_locale(me);
  results(me);
  descriptors(me);
  exit(0);
}
/* SPDX-License-Identifier: BSD-3-Clause */
