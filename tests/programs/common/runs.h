/* Whether a process has not ended: not by Earl's calls, as it is no part of what is recorded. */
static int runs(pid)
long pid;
{
  char name[64], state = 'X';
  FILE* file;

  sprintf(name, "/proc/%ld/stat", pid);
  file = fopen(name, "r");
  if (!file) return 0;
  if (fscanf(file, "%*d %*s %c", &state) != 1) state = 'X';
  fclose(file);
  return state != 'Z' && state != 'X';
}
/* SPDX-License-Identifier: BSD-3-Clause */
