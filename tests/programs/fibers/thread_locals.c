/* Thread-local variables are the node's own: of the program and of its libraries, in each way that code
   refers to them, also when a message goes there or comes from there. */
#include <nx.h>
#include <string.h>

#include "../common/check.h"

#define ROUNDS 20
#define LONG 40000

#define LIBRARY(name)            \
  extern __thread int name##_first; \
  int *name##_variable(void);    \
  char *name##_large(void);      \
  int *name##_of_program(void);  \
  int name##_holds(int value);   \
  void name##_set(int value);
LIBRARY(global_dynamic)
LIBRARY(local_dynamic)
LIBRARY(initial_exec)
LIBRARY(descriptor)

static int somewhere = 8;
__thread int of_program = 7;
static __thread int *points = &somewhere;
static __thread double aligned __attribute__((aligned(64))) = 1.5;
static __thread char received[LONG];

static void check_libraries(int value) {
  CHECK(global_dynamic_holds(value) && local_dynamic_holds(value));
  CHECK(initial_exec_holds(value) && descriptor_holds(value));
}

static void check_addresses(void) {
  CHECK(global_dynamic_of_program() == &of_program && local_dynamic_of_program() == &of_program);
  CHECK(initial_exec_of_program() == &of_program && descriptor_of_program() == &of_program);
  CHECK(global_dynamic_variable() == &global_dynamic_first);
  CHECK(descriptor_variable() == &descriptor_first);
  CHECK((unsigned long)&aligned % 64 == 0 && points == &somewhere && *points == 8);
}

static void set_all(int value) {
  global_dynamic_set(value);
  local_dynamic_set(value);
  initial_exec_set(value);
  descriptor_set(value);
  of_program = value;
  aligned = value + 0.5;
}

static int all_are(char const *text, int size, int value) {
  int i;
  for (i = 0; i < size; ++i)
    if (text[i] != (char)value) return 0;
  return 1;
}

/* To the next node and from the one before: `late` posts the receive when the message is there. */
static void pass(int size, int value, int from_before, int late) {
  int type = 10 + late, next = (mynode() + 1) % numnodes();
  long receive = 0, send;
  if (!late) receive = irecv(type, received, size);
  /* The message comes from there, too: the second half, which nothing goes to. */
  memset(received + size, value, size);
  send = isend(type, received + size, size, next, 0);
  gsync();
  if (late) receive = irecv(type, received, size);
  msgwait(receive);
  CHECK(infocount() == size && all_are(received, size, from_before));
  msgwait(send);
  CHECK(all_are(received + size, size, value));
  memset(received, 0, size);
  csend(type + 10, received + size, size, next, 0);
  crecv(type + 10, received, size);
  CHECK(all_are(received, size, from_before));
}

int main(void) {
  int me = mynode(), round, before = (me + numnodes() - 1) % numnodes();
  CHECK(of_program == 7 && aligned == 1.5 && all_are(received, LONG, 0));
  check_libraries(-1);
  check_addresses();
  for (round = 0; round < ROUNDS; ++round) {
    int value = me + 70 * round;
    set_all(value);
    gsync();
    check_libraries(value);
    check_addresses();
    CHECK(of_program == value && aligned == value + 0.5);
    pass(round % 2 == 0 ? 100 : LONG / 2, value, before + 70 * round, round % 4 < 2);
    CHECK(of_program == value && aligned == value + 0.5);
    csend(40, (char *)global_dynamic_variable(), sizeof(int), (me + 1) % numnodes(), 0);
    crecv(40, (char *)descriptor_variable(), sizeof(int));
    CHECK(*descriptor_variable() == before + 70 * round);
    descriptor_set(value);
  }
  puts("EARL-OK");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
