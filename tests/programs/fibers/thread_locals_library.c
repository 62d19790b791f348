/* Compiled once for each way of a library to refer to thread-local variables; NAME is the way. */
#define JOIN(a, b) a##b
#define NAMED(a, b) JOIN(a, b)
#define SIZE 1000

static int untouched = 5;
__thread int NAMED(NAME, _first) = 11;
static __thread int *points = &untouched;
static __thread char large[SIZE] __attribute__((aligned(128)));
/* The compiler believes a flag that says otherwise. */
extern __thread int of_program __attribute__((tls_model(OF_OTHERS)));

int *NAMED(NAME, _variable)(void) { return &NAMED(NAME, _first); }
char *NAMED(NAME, _large)(void) { return large; }
int *NAMED(NAME, _of_program)(void) { return &of_program; }

/* The values that the variables have now follow from `value`; -1: the initial ones. */
int NAMED(NAME, _holds)(int value) {
  if ((unsigned long)large % 128 != 0 || points != &untouched || *points != 5) return 0;
  if (value == -1) return NAMED(NAME, _first) == 11 && large[0] == 0 && large[SIZE - 1] == 0;
  return NAMED(NAME, _first) == value && large[0] == (char)value && large[SIZE - 1] == (char)value;
}

void NAMED(NAME, _set)(int value) {
  NAMED(NAME, _first) = value;
  large[0] = large[SIZE - 1] = (char)value;
}
/* SPDX-License-Identifier: BSD-3-Clause */
