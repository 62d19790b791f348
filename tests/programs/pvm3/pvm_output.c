/* Children's output comes in messages of the virtual machine's: without newlines, binary, in
   megabytes, of children's children, up to the end of who is killed; and goes to the user when who
   wanted it has left. */
#include "pvm_check.h"

#include <string.h>
#include <unistd.h>

#define PIECE 5
#define GO 6
#define GONE 7
#define MUCH 1000000
#define MOST 3999

static char* myself;
static char binary[] = {'a', 0, '\n', (char)0xff, 'z'};

static int start(how)
char* how;
{
  char* arguments[2];
  int tid;

  arguments[0] = how;
  arguments[1] = 0;
  CHECK(pvm_spawn(myself, arguments, 0, "", 1, &tid) == 1);
  return tid;
}

static void tell(tid)
int tid;
{
  pvm_initsend(PvmDataDefault);
  CHECK(pvm_send(tid, GO) == 0);
}

/* Ends without newline, and its output is no text. */
static void say() {
  write(1, binary, 5);
  pvm_recv(pvm_parent(), GO);
  write(2, "err", 3);
}

static void say_much() {
  int i;

  for (i = 0; i < MUCH; i++) putchar('a' + i % 26);
}

static void have_said() {
  CHECK(pvm_getopt(PvmOutputTid) == pvm_parent() && pvm_getopt(PvmSelfOutputTid) == pvm_parent());
  CHECK(pvm_getopt(PvmOutputCode) == PIECE && pvm_getopt(PvmSelfOutputCode) == PIECE);
  start("short");
}

/* The receiver has left. */
static void say_last() {
  int parent = pvm_parent();

  CHECK(pvm_notify(PvmTaskExit, GONE, 1, &parent) == 0);
  tell(parent);
  CHECK(pvm_recv(-1, GONE) > 0);
  printf("for the user\n");
}

static int child(how)
char* how;
{
  if (!strcmp(how, "say")) say();
  if (!strcmp(how, "much")) say_much();
  if (!strcmp(how, "spawn")) have_said();
  if (!strcmp(how, "short")) printf("short");
  if (!strcmp(how, "last")) say_last();
  if (!strcmp(how, "wait")) {
    write(1, "wait", 4);
    pause();
  }
  pvm_exit();
  return 0;
}

/* The next message: its task, and the bytes. */
static int piece(who, bytes)
int* who;
char* bytes;
{
  int id = pvm_recv(-1, PIECE), length, tag, source, count, word;

  CHECK(id > 0);
  pvm_bufinfo(id, &length, &tag, &source);
  CHECK(source == (int)0x80000000);
  CHECK(pvm_upkint(who, 1, 1) == 0 && pvm_upkint(&count, 1, 1) == 0);
  CHECK(count <= MOST);
  if (count < 0) {
    CHECK(pvm_upkint(&word, 1, 1) == 0 && length == 12);
    memcpy(bytes, &word, sizeof word);
    return count;
  }
  CHECK(length == 8 + (count + 3) / 4 * 4);
  if (count > 0) CHECK(pvm_upkbyte(bytes, count, 1) == 0);
  return count;
}

static void begins(tid, parent)
int tid, parent;
{
  char bytes[MOST];
  int who, what, word;

  for (what = -2; what <= -1; what++) {
    CHECK(piece(&who, bytes) == what);
    memcpy(&word, bytes, sizeof word);
    CHECK((tid == 0 || who == tid) && word == parent);
  }
}

static void takes(tid, text, length)
int tid, length;
char* text;
{
  char bytes[MOST];
  int who, count, sum = 0;

  while (sum < length) {
    count = piece(&who, bytes);
    CHECK(count > 0 && who == tid && sum + count <= length);
    CHECK(!memcmp(bytes, text + sum, count));
    sum += count;
  }
}

static void ends(tid)
int tid;
{
  char bytes[MOST];
  int who;

  CHECK(piece(&who, bytes) == 0 && who == tid);
}

static void catch_plain() {
  int tid = start("say");

  begins(tid, pvm_mytid());
  takes(tid, binary, 5);
  tell(tid);
  takes(tid, "err", 3);
  ends(tid);
}

static void catch_much() {
  char* all = malloc(MUCH);
  int tid = start("much"), i;

  for (i = 0; i < MUCH; i++) all[i] = 'a' + i % 26;
  begins(tid, pvm_mytid());
  takes(tid, all, MUCH);
  ends(tid);
  free(all);
}

/* The child's and its own child's in any order. */
static void catch_heirs() {
  char bytes[MOST];
  int tid = start("spawn"), who, count, over = 0, started = 0, sum = 0;

  begins(tid, pvm_mytid());
  while (over < 2) {
    count = piece(&who, bytes);
    if (count < 0) {
      CHECK(who != tid && !memcmp(bytes, &tid, sizeof tid));
      started++;
    }
    if (count > 0) {
      CHECK(who != tid && !memcmp(bytes, &"short"[sum], count));
      sum += count;
    }
    over += count == 0;
  }
  CHECK(started == 2 && sum == 5);
}

static void catch_the_killed() {
  int tid = start("wait");

  begins(tid, pvm_mytid());
  takes(tid, "wait", 4);
  pvm_kill(tid);
  ends(tid);
}

/* Messages of many at once, whose pieces race. */
static void catch_many() {
  char bytes[MOST];
  int i, who, count, over = 0, sum = 0;

  for (i = 0; i < 4; i++) start("much");
  while (over < 4) {
    count = piece(&who, bytes);
    over += count == 0;
    if (count > 0) sum += count;
  }
  CHECK(sum == 4 * MUCH);
}

static void catch_elsewhere() {
  int tid;

  CHECK(pvm_setopt(PvmOutputContext, 5) == 0);
  tid = start("short");
  CHECK(pvm_nrecv(-1, PIECE) == 0);
  CHECK(pvm_setcontext(5) == 0);
  begins(tid, pvm_mytid());
  takes(tid, "short", 5);
  ends(tid);
  CHECK(pvm_setcontext(0) == 5);
}

int main(argc, argv)
int argc;
char** argv;
{
  int last;

  myself = argv[0];
  pvm_mytid();
  if (pvm_parent() > 0) return child(argv[1]);
  CHECK(pvm_setopt(PvmOutputTid, pvm_mytid()) == 0);
  CHECK(pvm_setopt(PvmOutputCode, PIECE) == 0);
  catch_plain();
  catch_much();
  catch_heirs();
  catch_the_killed();
  catch_many();
  catch_elsewhere();
  last = start("last");
  CHECK(pvm_recv(last, GO) > 0);
  pvm_exit();
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
