/* Children's output goes to the file that the parent has given, each line with its
   task, between BEGIN and EOF; pvm_exit() stays until all of it is there. */
#include "pvm_check.h"

#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int lines_with(file, text)
FILE* file;
char* text;
{
  char line[200];
  int count = 0;

  rewind(file);
  while (fgets(line, sizeof line, file)) count += strstr(line, text) != 0;
  return count;
}

int main()
{
  char text[80];
  int kids[2];
  FILE* file;

  pvm_mytid();
  if (pvm_parent() > 0) {
    printf("said by t%x\n", (unsigned)pvm_mytid());
    fprintf(stderr, "and on stderr");
    pvm_exit();
    return 0;
  }
  file = tmpfile();
  CHECK(file != 0);
  fprintf(file, "the parent's own line\n");
  CHECK(pvm_catchout(file) == 0);
  CHECK(pvm_spawn("pvm_catchout_c", (char**)0, 0, "", 1, kids) == 1);
  CHECK(pvm_setopt(PvmShowTids, 0) == 1);
  CHECK(pvm_spawn("pvm_catchout_c", (char**)0, 0, "", 1, kids + 1) == 1);
  CHECK(pvm_catchout((FILE*)0) == 0);
  pvm_exit();

  CHECK(lines_with(file, "the parent's own line\n") == 1);
  sprintf(text, "[t%x] BEGIN\n", (unsigned)kids[0]);
  CHECK(lines_with(file, text) == 1);
  sprintf(text, "[t%x] said by t%x\n", (unsigned)kids[0], (unsigned)kids[0]);
  CHECK(lines_with(file, text) == 1);
  sprintf(text, "[t%x] and on stderr", (unsigned)kids[0]);
  CHECK(lines_with(file, text) == 1);
  sprintf(text, "said by t%x\n", (unsigned)kids[1]);
  CHECK(lines_with(file, text) == 1);
  CHECK(lines_with(file, "BEGIN") == 1);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
