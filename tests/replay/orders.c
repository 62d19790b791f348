/*
 * orders.c: does what its arguments say, one for each rank: operations with semicolons between
 * them. It writes one line for each thing that a rank learns. orders.json has such programs, and
 * everything that they can do.
 *
 *   sD,T,V,S    sends value V to rank D (100 + K: the source of register K); S: waits until it is taken
 *   rS,T,K      receives into register K from S of tag T (-1: any)
 *   iS,T,Q      posts request Q       wQ,K  waits for it      aK,Q,Q..  waits for one of these
 *   pS,T,K      probes; register K has the source, or -1      PS,T,K    waits for a message
 *   b           all meet              ?K,F,V,L  unless field F of register K is V: on at operation L
 *   jL          on at operation L
 *   cN          computes N million steps
 *   fK          writes a byte to the file "began", which stays open if K is 1
 */
#include <nx.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ACK (FORCE_TYPE + 1) /* a send that waits is a csend and one of these; -1 does not select it */

struct message {
  long src, seq, val, sync;
};
struct operation {
  char what;
  int n;
  long v[8];
};

static long me, posts, sent[8], id[64], at[64], info[8];
static struct message b[64], r[64];
static struct operation program[64];

static void say(char const *what, long x, long y, long z)
{
  printf("@%ld %s %ld %ld %ld\n", me, what, x, y, z);
  fflush(stdout);
}

static int parse(char *text)
{
  int n = 0;
  char *part;

  for (part = strtok(text, ";"); part; part = strtok(NULL, ";")) {
    struct operation *op = &program[n++];
    char *rest = part + 1;
    op->what = *part;
    while (*rest) {
      op->v[op->n++] = strtol(rest, &rest, 10);
      if (*rest == ',') rest++;
    }
  }
  return n;
}

static void transmit(long dest, long tag, long value, long waits)
{
  struct message x;
  long place;

  if (dest >= 100) dest = r[dest - 100].src;
  x.src = me;
  x.seq = sent[dest]++;
  x.val = value;
  x.sync = waits;
  csend(tag, (char *)&x, sizeof x, dest, 0);
  if (!waits) return;
  crecvx(ACK, (char *)&place, sizeof place, dest, -1, info);
  say("s", dest, place, -1);
}

static void taken(char const *how, long place, long into)
{
  if (b[place].sync) csend(ACK, (char *)&place, sizeof place, b[place].src, 0);
  r[into] = b[place];
  say(how, place, b[place].src, b[place].seq);
}

static void receive(long source, long tag, long into)
{
  long place = posts++;

  crecvx(tag, (char *)&b[place], sizeof b[0], source, -1, info);
  taken("r", place, into);
}

static void complete(char const *how, long request, long into)
{
  id[request] = -1;
  taken(how, at[request], into);
}

static void wait_for_one(struct operation const *op)
{
  int i, any = 0;

  for (i = 1; i < op->n; i++) any |= id[op->v[i]] >= 0;
  for (i = 1; any; i = i % (op->n - 1) + 1)
    if (id[op->v[i]] >= 0 && msgdone(id[op->v[i]])) {
      complete("w", op->v[i], op->v[0]);
      return;
    }
}

/* Each place in a program has calls of its own, as far as they go. */
static long look(int place, long source, long tag)
{
  switch (place % 8) {
  case 0: return iprobex(tag, source, -1, info);
  case 1: return iprobex(tag, source, -1, info);
  case 2: return iprobex(tag, source, -1, info);
  case 3: return iprobex(tag, source, -1, info);
  case 4: return iprobex(tag, source, -1, info);
  case 5: return iprobex(tag, source, -1, info);
  case 6: return iprobex(tag, source, -1, info);
  default: return iprobex(tag, source, -1, info);
  }
}

static void found(int yes, long into)
{
  r[into].src = yes ? info[2] : -1;
  say("p", r[into].src, -1, -1);
}

static long field(long of, long which)
{
  if (which == 0) return r[of].src >= 0;
  return which == 1 ? r[of].src : r[of].val;
}

static void note_begin(long stays_open)
{
  FILE *file = fopen("began", "a");

  if (!file) exit(1);
  fputc('.', file);
  fflush(file);
  if (!stays_open) fclose(file);
}

static void compute(long millions)
{
  volatile double sum = 0;
  long i;

  for (i = 0; i < millions * 1000000; i++) sum += 0.5 * (double)i;
}

static int step(int place)
{
  struct operation const *op = &program[place];
  long const *v = op->v;

  switch (op->what) {
  case 's': transmit(v[0], v[1], v[2], v[3]); break;
  case 'r': receive(v[0], v[1], v[2]); break;
  case 'i':
    id[v[2]] = irecvx(v[1], (char *)&b[posts], sizeof b[0], v[0], -1, info);
    at[v[2]] = posts++;
    break;
  case 'w':
    if (id[v[0]] < 0) break;
    msgwait(id[v[0]]);
    complete("r", v[0], v[1]);
    break;
  case 'a': wait_for_one(op); break;
  case 'p': found((int)look(place, v[0], v[1]), v[2]); break;
  case 'P':
    cprobex(v[1], v[0], -1, info);
    found(1, v[2]);
    break;
  case 'b':
    gsync();
    say("b", -1, -1, -1);
    break;
  case '?':
    if (field(v[0], v[1]) != v[2]) return (int)v[3];
    break;
  case 'j': return (int)v[0];
  case 'c': compute(v[0]); break;
  case 'f': note_begin(v[0]); break;
  }
  return place + 1;
}

int main(int argc, char **argv)
{
  int i, n;

  me = mynode();
  for (i = 0; i < 64; i++) r[i].src = id[i] = -1;
  if (me >= argc - 1) return 0;
  n = parse(argv[1 + me]);
  for (i = 0; i < n;) i = step(i);
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
