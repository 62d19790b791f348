/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reading.c: node 0 reads a line of the file for each message that it receives.
 * usage: reading FILE MESSAGES, on 3 nodes; each line has 8 bytes
 */
#include <cube.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static long count, line;

int main(int argc, char **argv)
{
  char text[9] = "";
  long i, word, messages = argc > 2 ? atol(argv[2]) : 0;
  int file;

  if (mynode() != 0) {
    for (i = 0; i < messages; i++)
      csend(1, &i, sizeof i, 0, 0);
    return 0;
  }
  file = open(argv[1], O_RDONLY);
  while (count < messages * (numnodes() - 1)) {
    crecv(-1, &word, sizeof word);
    if (read(file, text, 8) != 8)
      return 1;
    line = atol(text);
    count++;
  }
  return 0;
}
