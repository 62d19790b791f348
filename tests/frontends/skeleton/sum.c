/* Process 0 adds up what the others send, in the order in which it comes. SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <string.h>

#include "mini.h"

enum { processes = 3 };

static int collect(void)
{
  char text[32];
  int seen = 0, i;
  for (i = 1; i < processes; ++i) {
    int const length = mini_receive(text, sizeof text);
    if (length != (int)sizeof "hello from 0") return 1;
    printf("%s\n", text);
    seen += text[strlen(text) - 1] - '0';
  }
  if (seen != 1 + 2) return 2;
  if (mini_send(1000, text, 1) != -1) return 3;
  printf("EARL-OK\n");
  return 0;
}

int main(void)
{
  char text[] = "hello from 0";
  int const me = mini_rank();
  if (me == 0) return collect();
  text[strlen(text) - 1] = (char)('0' + me);
  return mini_send(0, text, sizeof text) == 0 ? 0 : 4;
}
