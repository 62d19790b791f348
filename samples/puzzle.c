/*
 * puzzle.c: the shortest way to put the fifteen tiles in order. A master looks at the first moves
 * and hands out the subtrees behind them, to idle workers, for a longer and longer way until one
 * is found. The positions are such that it has as many moves as the argument says.
 *   earlcc -api pvm3 puzzle.c -o puzzle
 *   puzzle [levels [workers]]
 */
#include <pvm3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#define MAXWORKERS 64
#define MAXLEVELS 80

/* Message tags. */
#define WORK 1
#define RESULT 2

struct start {
  int levels;
  char* tiles; /* a is the gap, b tile 1 and so on; in order: abcdefghijklmnop */
} starts[] = {
    {30, "bdakeclnighfmjop"},
    {41, "jadhgfibmolpnekc"},
    {47, "cdpabenjlkgomhfi"},
    {52, "mdnlbpfagkhoeijc"},
};
#define STARTS (sizeof starts / sizeof starts[0])

/* A task: a position, the way to it, and the longest way allowed. */
struct work {
  char tile[16];
  char way[MAXLEVELS];
  int gap, moves, left, bound; /* left: moves that are needed at least */
};

/* A result: the number of positions seen and of ways found, and one of these. */
struct result {
  int found, moves;
  char way[MAXLEVELS];
  double seen;
} result;

int tids[MAXWORKERS];
int workers = 4;
int working;            /* workers that have something to do */
int pieces[MAXWORKERS]; /* how many each has been given */
struct result total;
char directions[] = "udlr";
int shift[4] = {-4, 4, -1, 1};

double seconds() {
  struct timeval now;

  gettimeofday(&now, (void*)0);
  return now.tv_sec + now.tv_usec / 1e6;
}

/* How far a tile is from where it belongs. */
int distance(tile, place)
int tile, place;
{ return abs(tile / 4 - place / 4) + abs(tile % 4 - place % 4); }

int possible(gap, direction)
int gap, direction;
{
  switch (direction) {
    case 0:
      return gap >= 4;
    case 1:
      return gap < 12;
    case 2:
      return gap % 4 > 0;
  }
  return gap % 4 < 3;
}

/* The gap goes one place on. */
move(w, direction) struct work* w;
int direction;
{
  int to = w->gap + shift[direction], tile = w->tile[to];

  w->left += distance(tile, w->gap) - distance(tile, to);
  w->tile[w->gap] = tile;
  w->tile[to] = 0;
  w->gap = to;
  w->way[w->moves++] = direction;
}

/* Visits all that can be reached in `depth` moves without going back at once; what is as deep as
   that is given to `leaf`. */
search(w, depth, leaf) struct work* w;
int depth, (*leaf)();
{
  int direction, last = w->moves > 0 ? w->way[w->moves - 1] : -1;

  if (w->left == 0 || w->moves == depth) {
    leaf(w);
    return 0;
  }
  for (direction = 0; direction < 4; direction++) {
    if (!possible(w->gap, direction) || (last >= 0 && direction == (last ^ 1))) continue;
    result.seen++;
    move(w, direction);
    if (w->moves + w->left <= w->bound) search(w, depth, leaf);
    move(w, direction ^ 1);
    w->moves -= 2;
  }
}

/* At the end of a way. Of several the first counts. */
found(w) struct work* w;
{
  if (w->left > 0 || result.found++ > 0) return 0;
  result.moves = w->moves;
  memcpy(result.way, w->way, sizeof w->way);
}

worker() {
  struct work w;

  for (;;) {
    pvm_recv(pvm_parent(), WORK);
    pvm_upkint(&w.bound, 1, 1);
    if (w.bound < 0) break;
    pvm_upkint(&w.gap, 1, 1);
    pvm_upkint(&w.moves, 1, 1);
    pvm_upkint(&w.left, 1, 1);
    pvm_upkbyte(w.tile, 16, 1);
    pvm_upkbyte(w.way, w.moves, 1);
    memset(&result, 0, sizeof result);
    search(&w, w.bound, found);
    pvm_initsend(PvmDataDefault);
    pvm_pkint(&result.found, 1, 1);
    pvm_pkdouble(&result.seen, 1, 1);
    pvm_pkint(&result.moves, 1, 1);
    pvm_pkbyte(result.way, result.moves, 1);
    pvm_send(pvm_parent(), RESULT);
  }
  pvm_exit();
}

/* Adds a worker's result; returns the worker's place in tids. */
int collect() {
  struct result one;
  int from, who;

  pvm_bufinfo(pvm_recv(-1, RESULT), (int*)0, (int*)0, &from);
  pvm_upkint(&one.found, 1, 1);
  pvm_upkdouble(&one.seen, 1, 1);
  pvm_upkint(&one.moves, 1, 1);
  pvm_upkbyte(one.way, one.moves, 1);
  total.seen += one.seen;
  /* Not the first of several ways that are as short as each other: another run may differ. */
  if (one.found > 0 && (total.found == 0 || memcmp(one.way, total.way, one.moves) < 0)) {
    total.moves = one.moves;
    memcpy(total.way, one.way, sizeof one.way);
  }
  total.found += one.found;
  for (who = 0; tids[who] != from; who++)
    ;
  return who;
}

hand_out(w) struct work* w;
{
  int to = working < workers ? working++ : collect();

  pvm_initsend(PvmDataDefault);
  pvm_pkint(&w->bound, 1, 1);
  pvm_pkint(&w->gap, 1, 1);
  pvm_pkint(&w->moves, 1, 1);
  pvm_pkint(&w->left, 1, 1);
  pvm_pkbyte(w->tile, 16, 1);
  pvm_pkbyte(w->way, w->moves, 1);
  pvm_send(tids[to], WORK);
  pieces[to]++;
}

/* Puts the position of `text` up. */
set_up(w, text) struct work* w;
char* text;
{
  int i;

  memset(w, 0, sizeof *w);
  for (i = 0; i < 16; i++) {
    w->tile[i] = text[i] - 'a';
    if (w->tile[i] == 0)
      w->gap = i;
    else
      w->left += distance(w->tile[i], i);
  }
}

/* All ways of at most `bound` moves. */
try_all(text, bound, depth) char* text;
int bound, depth;
{
  struct work w;

  set_up(&w, text);
  w.bound = bound;
  working = 0;
  search(&w, depth, hand_out);
  while (working > 0) {
    collect();
    working--;
  }
}

/* Whether the way leads to order. */
int right(text)
char* text;
{
  struct work w;
  int i;

  set_up(&w, text);
  for (i = 0; i < total.moves; i++) {
    if (!possible(w.gap, total.way[i])) return 0;
    move(&w, total.way[i]);
  }
  return w.left == 0;
}

main(argc, argv) int argc;
char** argv;
{
  int levels = 30, bound, i, which, stop = -1;
  struct work w;
  double start;

  pvm_mytid();
  if (pvm_parent() > 0) {
    worker();
    return 0;
  }
  if (argc > 1) levels = atoi(argv[1]);
  if (argc > 2) workers = atoi(argv[2]);
  for (which = 0; which < STARTS && starts[which].levels != levels; which++)
    ;
  if (which == STARTS || workers < 1 || workers > MAXWORKERS) {
    fprintf(stderr, "usage: puzzle [levels [workers up to %d]]; levels:", MAXWORKERS);
    for (i = 0; i < STARTS; i++) fprintf(stderr, " %d", starts[i].levels);
    fprintf(stderr, "\n");
    exit(2);
  }
  start = seconds();
  if (pvm_spawn("puzzle", (char**)0, PvmTaskDefault, "", workers, tids) != workers) {
    fprintf(stderr, "puzzle: no %d workers: %d\n", workers, tids[workers - 1]);
    exit(1);
  }
  set_up(&w, starts[which].tiles);
  for (bound = w.left; total.found == 0; bound += 2)
    try_all(starts[which].tiles, bound, levels / 4);
  pvm_initsend(PvmDataDefault);
  pvm_pkint(&stop, 1, 1);
  pvm_mcast(tids, workers, WORK);
  printf("puzzle: %d levels, %d workers, %.0f positions: %.1f ms\n", total.moves, workers,
         total.seen + result.seen, (seconds() - start) * 1e3);
  pvm_exit();
  printf("pieces of each worker:");
  for (i = 0; i < workers; i++) printf(" %d", pieces[i]);
  printf("\n");
  for (i = 0; i < total.moves; i++) putchar(directions[total.way[i]]);
  putchar('\n');
  if (total.moves != levels || !right(starts[which].tiles)) {
    printf("puzzle: this is not the way, or not the shortest one\n");
    exit(1);
  }
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
