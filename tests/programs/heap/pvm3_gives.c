/* Memory that PVM hands to a program for good is freed by the program's own free(), and memory that it takes over is
   of the program's malloc(). */
#include <pvm3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern char **pvmcopyenv(char **), *da_new(int);
extern int *gs_realloc_int_array(int, int *, int *, int, int, char *), da_unref(char *);
extern int pvmupkstralloc(char **);
extern int pvmenvinsert(char ***, char *), pvmfreeenv(char **);
extern void *pvm_alloc(unsigned long, char *), *pvm_realloc(void *, unsigned long), pvm_free(void *);
extern void *i_malloc(unsigned long, char *), *i_realloc(void *, unsigned long), i_free(void *);

static char *two[] = {"ONE=1", "TWO=2", 0};

static void environments(void)
{
  char **copy = pvmcopyenv(two), **list = malloc(sizeof *list);
  int i;

  for (i = 0; i < 2; i++) free(copy[i]);
  free(copy);
  list[0] = 0;
  pvmenvinsert(&list, "ONE=1");
  pvmenvinsert(&list, "TWO=2");
  pvmenvinsert(&list, "ONE=3");
  if (strcmp(list[0], "ONE=3")) exit(1);
  list[0] = realloc(list[0], 100);
  pvmfreeenv(list);
}

static void blocks(void)
{
  free(pvm_realloc(pvm_alloc(10, "it"), 1000));
  free(i_realloc(i_malloc(10, "it"), 1000));
  pvm_free(malloc(10));
  i_free(malloc(10));
  pvm_free(pvm_realloc(malloc(10), 1000));
}

static void messages(void)
{
  char *text = 0;
  int size = 0, *places;

  pvm_initsend(PvmDataDefault);
  pvm_pkstr("a text");
  pvm_send(pvm_mytid(), 1);
  pvm_recv(-1, 1);
  if (pvmupkstralloc(&text) || strcmp(text, "a text")) exit(1);
  free(realloc(text, 1000));
  da_unref(da_new(10));
  places = gs_realloc_int_array(5, &size, (int *)0, 10, -1, "it");
  if (size != 10 || places[9] != -1) exit(1);
  free(gs_realloc_int_array(500, &size, places, 1000, -1, "it"));
}

int main()
{
  environments();
  blocks();
  messages();
  pvm_exit();
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
