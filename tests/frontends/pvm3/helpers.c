/* Functions that PVM's libraries export by accident and that are useful alone, line by line: the same on
 * Earl's libraries and on the native ones (helpers.py). */
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>

#include "pvm3.h"

extern int pvmrouteopt, pvmfrgsiz, pvmshowtaskid, pvmmyptid, gstid;
extern struct { char *did, *desc; } pvmtevdidlist[123];

char *da_new(int), *debug_flags(int), *inadport_hex(struct sockaddr_in*);
char *inadport_decimal(struct sockaddr_in*), *pvmgethome(void), *pvmgetroot(void);
char *pvmgetpvmd(void), *pvmdsockfile(void), **pvmcopyenv(char**);
void da_ref(char*), da_unref(char*), hex_inadport(char*, struct sockaddr_in*);
void *i_malloc(size_t, char*), *i_realloc(void*, size_t), i_free(void*);
void check_for_exit(int), pvmbailout(int), pvmchkuid(int);
int errnamecode(char*), pvmget8(char*), pvmget16(char*), pvmget32(char*);
int pvmput8(char*, int), pvmput16(char*, int), pvmput32(char*, int), pvmxtoi(char*);
int pvmcrcappend(char*, int, int), pvmmatchstring(char*, char*), pvmgetdsig(void);
int pvmfreeenv(char**), pvmenvinsert(char***, char*), pvmhdump(char*, int, char*);
int pvmlogerror(char*), pvmlogperror(char*), pvmlogprintf(char*, ...);
int print_fdset(char*, int, fd_set*);
int gs_retint(int), gs_get_datasize(int), gs_binsearch(int*, int, int, int (*)(int));
int gs_pack_unpack(int, int (**)(), int (**)()), gs_tidtohost(int);
int* gs_realloc_int_array(int, int*, int*, int, int, char*);

static void numbers(void) {
  char place[8] = {(char)0x81, (char)0x82, 3, 4};
  printf("get %x %x %x\n", (unsigned)pvmget8(place), (unsigned)pvmget16(place),
         (unsigned)pvmget32(place));
  pvmput8(place, 0x1fe);
  pvmput16(place + 1, 0x10203);
  pvmput32(place + 3, 0x04050607);
  for (int i = 0; i < 7; ++i) printf(" %02x", (unsigned char)place[i]);
  printf("\nxtoi %d %d %d %d %d\n", pvmxtoi("ff"), pvmxtoi("0X1Fz"), pvmxtoi(""), pvmxtoi("-5"),
         pvmxtoi("FFFFFFFF"));
  printf("crc %x %x\n", (unsigned)pvmcrcappend("123456789", 9, 0),
         (unsigned)pvmcrcappend("\x80\xff", 2, -1));
}

static void names(void) {
  static char* const pairs[][2] = {
      {"abc", "a*c"},   {"abc", "b"},      {"abc", ""},   {"abc", "a?c"},   {"a*c", "a\\*c"},
      {"abc", "a\\*c"}, {"abab", "*ab*b"}, {"b", "\\*b"}, {"\\bb", "\\*b"}, {"ab", "abc"}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; ++i)
    printf("%d", pvmmatchstring(pairs[i][0], pairs[i][1]));
  printf(" match\n%d %d %d errnamecode\n", errnamecode("PvmNotImpl"), errnamecode("PvmIPLoopback"),
         errnamecode("NotImpl"));
  printf("debug_flags '%s'", debug_flags(0));
  printf(" '%s'", debug_flags(0x8005));
  printf(" '%s'\n", debug_flags(-1));
  printf("%s: %s\n", pvmtevdidlist[122].did, pvmtevdidlist[122].desc);
}

static void addresses(void) {
  struct sockaddr_in there;
  memset(&there, 0, sizeof there);
  there.sin_family = AF_INET;
  hex_inadport("7f000001:12", &there);
  printf("%d %x %d", there.sin_family, (unsigned)ntohl(there.sin_addr.s_addr),
         ntohs(there.sin_port));
  printf(" %s", inadport_hex(&there));
  printf(" %s\n", inadport_decimal(&there));
}

static void show(char** list) {
  for (; *list; ++list) printf(" %s", *list);
  printf("\n");
}

static void lists(void) {
  static char* const more[] = {"C=3", "A=9", "NONE", "=x", "A=", "AB=5"};
  char* first[] = {"A=1", "B=2", NULL};
  char** list = pvmcopyenv(first);
  for (size_t i = 0; i < sizeof more / sizeof *more; ++i) {
    printf("%d", pvmenvinsert(&list, more[i]));
    show(list);
  }
  show(first);
  pvmfreeenv(list);
}

static void memory(void) {
  char* block = da_new(10);
  memset(block, 'x', 10);
  da_ref(block);
  da_unref(block);
  printf("%c\n", block[9]);
  da_unref(block);
  block = i_malloc(3, "key");
  strcpy(block, "ab");
  block = i_realloc(block, 1000);
  printf("%s\n", block);
  i_free(block);
}

static int twice(int value) { return 2 * value; }

static void groups(void) {
  int sorted[] = {1, 3, 5, 7, 9};
  int size = 3, *array = malloc(sizeof(int) * 3);
  int (*pack)() = NULL, (*unpack)() = NULL;
  for (int i = 0; i < 3; ++i) array[i] = i;
  array = gs_realloc_int_array(3, &size, array, 10, -5, "me");
  array = gs_realloc_int_array(4, &size, array, 2, -5, "me");
  for (int i = 0; i < size; ++i) printf("%d ", array[i]);
  free(array);
  for (int i = 0; i <= 10; i += 2) printf("%d ", gs_binsearch(sorted, 5, i + i % 4 / 2, NULL));
  printf("%d %d\n", gs_binsearch(sorted, 5, 14, twice), gs_binsearch(sorted, 0, 1, NULL));
  for (int i = -1; i < 10; ++i) printf("%d ", gs_get_datasize(i));
  printf("%d %d", gs_pack_unpack(PVM_INT, &pack, &unpack), gs_pack_unpack(9, &pack, &unpack));
  printf(" %d %d", pack == (int (*)())pvm_pkint, unpack == (int (*)())pvm_upkint);
  printf(" %d\n", gs_retint(42));
}

static void places(void) {
  unsetenv("PVM_ROOT");
  setenv("HOME", "/h", 1);
  setenv("PVM_TMP", "/tmp", 1);
  setenv("PVM_VMID", "seven", 1);
  pvmchkuid(1000);
  printf("%s %s %s", pvmgethome(), pvmgetroot(), pvmgetpvmd());
  printf(" %.10s %s %x\n", pvmdsockfile(), strrchr(pvmdsockfile(), '.'), (unsigned)pvmgetdsig());
  printf("%d %d %d %d %d\n", pvmrouteopt, pvmfrgsiz, pvmshowtaskid, pvmmyptid, gstid);
}

static void log_lines(void) {
  fd_set set;
  FD_ZERO(&set);
  FD_SET(0, &set);
  FD_SET(5, &set);
  pvmlogerror("text\n");
  errno = ENOENT;
  pvmlogperror("text");
  fprintf(stderr, "%d\n", pvmlogprintf("%d %s\n", 3, "x"));
  pvmhdump("0123456789abcdefgh", 18, "pad ");
  print_fdset("pad ", 8, &set);
}

int main(void) {
  Dl_info where;
  dladdr(pvmtevdidlist[0].did, &where);
  printf("%s\n", where.dli_fname);
  numbers();
  names();
  addresses();
  lists();
  memory();
  groups();
  places();
  fflush(stdout);
  log_lines();
  check_for_exit(1);
  pvmbailout(1);
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
