/* The other calls that print and read by formats, of a program whose `long` has 4 bytes. */
#include <nx.h>
#include <unistd.h>

#include "../common/check.h"

static char text[200];

static int say(FILE *stream, char *format, ...)
{
  va_list rest;
  int n;

  va_start(rest, format);
  n = stream ? vfprintf(stream, format, rest) : vprintf(format, rest);
  va_end(rest);
  return n;
}

static int put(int room, char *format, ...)
{
  va_list rest;
  int n;

  va_start(rest, format);
  n = room ? vsnprintf(text, room, format, rest) : vsprintf(text, format, rest);
  va_end(rest);
  return n;
}

static int take(FILE *stream, char *from, char *format, ...)
{
  va_list rest;
  int n;

  va_start(rest, format);
  n = from ? vsscanf(from, format, rest) : stream ? vfscanf(stream, format, rest) : vscanf(format, rest);
  va_end(rest);
  return n;
}

main()
{
  long x[2], me = mynode();
  char name[40];
  FILE *file;

  CHECK(put(0, "%ld|%lu", -5L, 4000000000UL) == 13 && strcmp(text, "-5|4000000000") == 0);
  CHECK(put(4, "%ld", 123456L) == 6 && strcmp(text, "123") == 0);
  x[1] = 77;
  CHECK(take((FILE *)0, "-9", "%ld", x) == 1 && x[0] == -9 && x[1] == 77);

  sprintf(name, "streams.%ld", me);
  CHECK((file = fopen(name, "w")) != NULL);
  CHECK(say(file, "%ld %ld %ld %ld\n", -me, 2L, 3L, 4L) >= 8);
  fclose(file);
  CHECK((file = fopen(name, "r")) != NULL);
  CHECK(fscanf(file, "%ld", x) == 1 && x[0] == -me && x[1] == 77);
  CHECK(take(file, (char *)0, "%ld", x) == 1 && x[0] == 2 && x[1] == 77);
  fclose(file);
  CHECK(freopen(name, "r", stdin) != NULL);
  CHECK(scanf("%ld", x) == 1 && x[0] == -me && x[1] == 77);
  CHECK(take((FILE *)0, (char *)0, "%ld", x) == 1 && x[0] == 2 && x[1] == 77);
  unlink(name);
  CHECK(say((FILE *)0, "%s\n", "EARL-OK") == 8);
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
