/* The arguments of a spawned task: the absolute path as argv[0], its arguments, the spawner's folder
   or the one asked for, and the variables that were exported. */
#include "pvm_check.h"

#include <string.h>
#include <unistd.h>

#define REPORT 1

static void child(argc, argv)
int argc;
char** argv;
{
  char folder[4096];
  char* word = getenv("PVM_TEST_WORD");

  pvm_initsend(PvmDataDefault);
  pvm_pkint(&argc, 1, 1);
  pvm_pkstr(argv[0]);
  pvm_pkstr(argv[argc - 1]);
  pvm_pkstr(getcwd(folder, sizeof folder) ? folder : "?");
  pvm_pkstr(word ? word : "unset");
  pvm_send(pvm_parent(), REPORT);
  pvm_exit();
}

static void expect(tid, folder, word)
int tid;
char *folder, *word;
{
  char text[4096];
  int count;

  CHECK(pvm_recv(tid, REPORT) > 0);
  CHECK(pvm_unpackf("%d %s", &count, text) == 0);
  CHECK(count == 3);
  CHECK(text[0] == '/');
  CHECK(pvm_upkstr(text) == 0);
  CHECK(!strcmp(text, "last one"));
  CHECK(pvm_upkstr(text) == 0);
  CHECK(!strcmp(text, folder));
  CHECK(pvm_upkstr(text) == 0);
  CHECK(!strcmp(text, word));
}

int main(argc, argv)
int argc;
char** argv;
{
  static char first[] = "first", last[] = "last one", setting[] = "PVM_TEST_WORD=a word";
  char folder[4096], *arguments[3];
  int tid;

  if (pvm_parent() > 0) {
    child(argc, argv);
    return 0;
  }
  arguments[0] = first;
  arguments[1] = last;
  arguments[2] = 0;
  putenv(setting);
  CHECK(pvm_spawn("pvm_spawned_c", arguments, 0, "", 1, &tid) == 1);
  expect(tid, getcwd(folder, sizeof folder), "unset");
  pvm_export("PVM_TEST_WORD");
  CHECK(pvm_spawn("pvm_spawned_c", arguments, PvmTaskHost, ".:/", 1, &tid) == 1);
  expect(tid, "/", "a word");
  pvm_exit();
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
