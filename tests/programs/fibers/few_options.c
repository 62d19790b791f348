/* Reads its options with getopt, and looks at nothing but optarg: each rank reads all of its own. */
#include <cube.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../common/check.h"

extern char* optarg;

int main()
{
  char number[20];
  char* words[] = {"program", "-v", "-n", number, NULL};
  int letter, seen = 0;
  sprintf(number, "%ld", mynode());
  while ((letter = getopt(4, words, "n:v")) != -1) {
    if (letter == 'n') CHECK(atol(optarg) == mynode());
    seen += letter;
  }
  CHECK(seen == 'n' + 'v');
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
