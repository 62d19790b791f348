/* A farm that replaces its tasks: `pvm_replace SPAWNS AT_ONCE`. Each task gets a message, answers,
 * and ends; its end is reported by a notice, and another one is spawned. Prints, ten times:
 *   replace SPAWNS SECONDS MASTER_KIB EXEC_KIB JOB_KIB ZOMBIES
 * where JOB_KIB is the size of the job's shared memory. Nothing of it may grow. */
#include <dirent.h>
#include <pvm3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clock.h"

enum { work = 1, done = 2, ended = 3, most_at_once = 1000, lines = 10 };

static long resident_kib(int pid) {
  char name[40], line[200];
  long kib = 0;
  FILE* file;
  sprintf(name, "/proc/%d/status", pid);
  file = fopen(name, "r");
  while (file && fgets(line, sizeof line, file)) sscanf(line, "VmRSS: %ld", &kib);
  if (file) fclose(file);
  return kib;
}

static long job_kib(void) {
  DIR* folder = opendir("/proc/self/fd");
  struct dirent* entry;
  long kib = 0;
  while (folder && (entry = readdir(folder)) != NULL) {
    char name[300], target[300];
    struct stat facts;
    ssize_t length;
    sprintf(name, "/proc/self/fd/%.200s", entry->d_name);
    length = readlink(name, target, sizeof target - 1);
    if (length < 0) continue;
    target[length] = 0;
    if (strstr(target, "earl job") && stat(name, &facts) == 0) kib = (long)(facts.st_blocks / 2);
  }
  if (folder) closedir(folder);
  return kib;
}

static int zombies_of(int parent) {
  DIR* folder = opendir("/proc");
  struct dirent* entry;
  int count = 0;
  while (folder && (entry = readdir(folder)) != NULL) {
    char name[300], line[400], *rest, state = 0;
    int of = 0;
    FILE* file;
    if (entry->d_name[0] < '0' || entry->d_name[0] > '9') continue;
    sprintf(name, "/proc/%.200s/stat", entry->d_name);
    if ((file = fopen(name, "r")) == NULL) continue;
    if (fgets(line, sizeof line, file) && (rest = strrchr(line, ')')) != NULL)
      sscanf(rest + 1, " %c %d", &state, &of);
    fclose(file);
    count += state == 'Z' && of == parent;
  }
  if (folder) closedir(folder);
  return count;
}

static void begin(char* self) {
  int tid;
  if (pvm_spawn(self, NULL, PvmTaskDefault, "", 1, &tid) != 1) {
    fprintf(stderr, "no task more\n");
    exit(1);
  }
  pvm_notify(PvmTaskExit, ended, 1, &tid);
  pvm_initsend(PvmDataRaw);
  pvm_pkint(&tid, 1, 1);
  pvm_send(tid, work);
}

static void replace(char* self, long spawns, int at_once) {
  double const start = bench_now();
  long spawned = 0, over = 0;
  while (spawned < at_once) begin(self), ++spawned;
  while (over < spawns) {
    pvm_recv(-1, done);
    pvm_recv(-1, ended);
    ++over;
    if (spawned < spawns) begin(self), ++spawned;
    if (over % (spawns / lines) != 0) continue;
    printf("replace %ld %.1f %ld %ld %ld %d\n", over, (bench_now() - start) / 1e9,
           resident_kib(getpid()), resident_kib(getppid()), job_kib(), zombies_of(getppid()));
    fflush(stdout);
  }
}

int main(int argc, char** argv) {
  int const me = pvm_mytid();
  int tid = 0;
  if (pvm_parent() > 0) {
    pvm_recv(-1, work);
    pvm_upkint(&tid, 1, 1);
    if (tid != me) return 3;
    pvm_initsend(PvmDataRaw);
    pvm_send(pvm_parent(), done);
  } else if (argc != 3 || atol(argv[1]) < lines || atoi(argv[2]) > most_at_once) {
    return 2;
  } else {
    replace(argv[0], atol(argv[1]), atoi(argv[2]));
  }
  pvm_exit();
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
