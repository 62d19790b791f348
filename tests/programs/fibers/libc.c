/* What the C library remembers between calls is the node's own. One block for each of Earl's hooks. */
#include <getopt.h>
#include <nx.h>
#include <signal.h>
#include <string.h>
#include <sys/select.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "../check.h"

extern char **environ;
static int signals, exits;

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
  char *words[] = {"program", "-n", "0", "-v", "rest", NULL};
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
  descriptors(me);
  exit(0);
}
