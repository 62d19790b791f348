/*
 * A node that executes its arguments, for the tests of EXEC: verbs with their values, done in
 * order; "only R VERB..." goes on only on node R.
 */
#include <errno.h>
#include <nx.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int control_socket(void) {
  int fd;
  for (fd = 3; fd < 256; ++fd) {
    int type = 0;
    socklen_t size = sizeof type;
    if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_SEQPACKET) return fd;
  }
  return -1;
}

static void write_lines(long count, long length) {
  long i;
  char* line = malloc((size_t)length + 1);
  memset(line, 'a' + (int)(mynode() % 26), (size_t)length);
  line[length] = '\0';
  for (i = 0; i < count; ++i) printf("%ld %ld %s\n", mynode(), i, line);
  free(line);
}

static void round_and_round(void) {
  long token = 0;
  long next = (mynode() + 1) % numnodes();
  if (mynode() == 0) csend(1L, (char*)&token, (long)sizeof token, next, 0L);
  for (;;) {
    crecv(1L, (char*)&token, (long)sizeof token);
    csend(1L, (char*)&token, (long)sizeof token, next, 0L);
  }
}

/* Keeps messages to itself until there is no memory for one more, and takes one then. */
static void hoard(void) {
  static char much[8 << 20];
  while (_csend(1L, much, (long)sizeof much, mynode(), 0L) == 0) continue;
  printf("%s\n", errno == EQMEM ? "EQMEM" : "another error");
  crecv(1L, much, (long)sizeof much);
}

/* The same by a call that ends the process. */
static void hoard_plainly(void) {
  static char much[8 << 20];
  for (;;) csend(1L, much, (long)sizeof much, mynode(), 0L);
}

/* All send to node 0, which takes the messages as they come. */
static void crowd(long times) {
  long word = mynode();
  long n;
  for (n = 0; n < times && mynode() != 0; ++n) csend(2L, (char*)&word, (long)sizeof word, 0L, 0L);
  for (n = 0; n < times * (numnodes() - 1) && mynode() == 0; ++n)
    crecv(2L, (char*)&word, (long)sizeof word);
  if (mynode() == 0) printf("last of %ld\n", word);
}

static void wait_forever(void) {
  long never;
  crecv(999L, (char*)&never, (long)sizeof never);
}

/* A process that stays when the node has gone. */
static void leave_a_child(void) {
  if (fork() == 0) {
    sleep(1000);
    _exit(0);
  }
}

/* A process that is not found by its group or session. */
static void leave_a_child_elsewhere(void) {
  if (fork() == 0) {
    setsid();
    sleep(1000);
    _exit(0);
  }
}

static void spoil_the_channel(void) {
  char const garbage[] = "this is no message of anybody's protocol";
  if (write(control_socket(), garbage, sizeof garbage) < 0) perror("garbage");
}

/* A sanitizer catches SIGSEGV and makes a report of it; here the signal itself is meant. */
static void raise_plainly(int number) {
  if (number == SIGSEGV) signal(number, SIG_DFL);
  raise(number);
}

static void say_where(void) {
  char folder[4096];
  printf("%s\n", getcwd(folder, sizeof folder));
}

static void say_variable(char const* name) {
  char const* value = getenv(name);
  if (value)
    printf("%s=%s\n", name, value);
  else
    printf("no %s\n", name);
}

/* How many this process may run on. */
static void say_processors(void) {
  cpu_set_t set;
  sched_getaffinity(0, sizeof set, &set);
  printf("%d\n", CPU_COUNT(&set));
}

static void say_host(void) {
  char name[256];
  gethostname(name, sizeof name);
  printf("%s\n", name);
}

/* Starts actors that do the words in `line` on all nodes of its cube. */
static void load_nodes(char* line) {
  char* words[32] = {"actor"};
  char path[4096] = "";
  int n = 1;
  if (readlink("/proc/self/exe", path, sizeof path - 1) < 0) perror("/proc/self/exe");
  for (line = strtok(line, " "); line && n < 31; line = strtok(NULL, " ")) words[n++] = line;
  if (nx_loadve(NULL, -1L, 0L, NULL, path, words, NULL) < 0) nx_perror("load");
}

static char** act(char** word) {
  if (strcmp(word[0], "only") == 0) return atol(word[1]) == mynode() ? word + 2 : NULL;
  if (strcmp(word[0], "say") == 0) return printf("%s\n", word[1]), word + 2;
  if (strcmp(word[0], "who") == 0) return printf("%ld of %ld\n", mynode(), numnodes()), word + 1;
  if (strcmp(word[0], "prompt") == 0) return printf("%s", word[1]), fflush(stdout), word + 2;
  if (strcmp(word[0], "complain") == 0) return fprintf(stderr, "%s\n", word[1]), word + 2;
  if (strcmp(word[0], "where") == 0) return say_where(), word + 1;
  if (strcmp(word[0], "variable") == 0) return say_variable(word[1]), word + 2;
  if (strcmp(word[0], "processors") == 0) return say_processors(), word + 1;
  if (strcmp(word[0], "exit") == 0) exit(atoi(word[1]));
  if (strcmp(word[0], "signal") == 0) return raise_plainly(atoi(word[1])), word + 2;
  if (strcmp(word[0], "lines") == 0) return write_lines(atol(word[1]), atol(word[2])), word + 3;
  if (strcmp(word[0], "ignore") == 0) return signal(atoi(word[1]), SIG_IGN), word + 2;
  if (strcmp(word[0], "killgroup") == 0) return kill(0, SIGKILL), word + 1;
  if (strcmp(word[0], "gsync") == 0) return gsync(), word + 1;
  if (strcmp(word[0], "crowd") == 0) return crowd(atol(word[1])), word + 2;
  if (strcmp(word[0], "ring") == 0) return round_and_round(), word + 1;
  if (strcmp(word[0], "alarm") == 0) return alarm((unsigned)atoi(word[1])), word + 2;
  if (strcmp(word[0], "wait") == 0) return wait_forever(), word + 1;
  if (strcmp(word[0], "fork") == 0) return leave_a_child(), word + 1;
  if (strcmp(word[0], "session") == 0) return leave_a_child_elsewhere(), word + 1;
  if (strcmp(word[0], "hoard") == 0) return hoard(), word + 1;
  if (strcmp(word[0], "hoard-plainly") == 0) return hoard_plainly(), word + 1;
  if (strcmp(word[0], "garbage") == 0) return spoil_the_channel(), word + 1;
  if (strcmp(word[0], "host") == 0) return say_host(), word + 1;
  if (strcmp(word[0], "cube") == 0) return nx_initve("", atol(word[1]), "", NULL, NULL), word + 2;
  if (strcmp(word[0], "load") == 0) return load_nodes(word[1]), word + 2;
  if (strcmp(word[0], "waitall") == 0) return nx_waitall(), word + 1;
  if (strcmp(word[0], "killcube") == 0) return killcube(-1L, -1L), word + 1;
  if (strcmp(word[0], "nfork") == 0) {
    long me = mynode(), pid;
    if (nx_nfork(&me, 1L, 1L, &pid) == -1) printf("%s\n", errno == EQCUBENOTATTCH ? "EQCUBENOTATTCH" : "?");
    return word + 1;
  }
  if (strcmp(word[0], "send") == 0) {
    if (numnodes() == mynode()) _setpid(0L);
    return csend(1L, "", 0L, atol(word[1]), 0L), word + 2;
  }
  if (strcmp(word[0], "badsend") == 0) return csend(1L, "", 0L, 1000000L, 0L), word + 1;
  if (strcmp(word[0], "cat") == 0) {
    int c;
    while ((c = getchar()) != EOF) putchar(c);
    return word + 1;
  }
  fprintf(stderr, "actor: what is %s?\n", word[0]);
  exit(99);
}

int main(int argc, char** argv) {
  char** word = argv + 1;
  while (word && word < argv + argc && *word) word = act(word);
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
