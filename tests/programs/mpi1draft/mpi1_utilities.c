/* Clocks, the calendar, the machine; the other spellings of the names. */
#include "mpi1_check.h"

main()
{
  char date[9], time[9], machine[81];
  int facts[8], month, day, year, hour, minute, second;
  double wall = MPI_WALL(), cpu = MPI_CPU();

  strcpy(date, MPI_DATE());
  strcpy(time, MPI_TIME());
  CHECK(sscanf(date, "%2d/%2d/%2d", &month, &day, &year) == 3 && strlen(date) == 8);
  CHECK(month >= 1 && month <= 12 && day >= 1 && day <= 31 && year >= 0);
  CHECK(sscanf(time, "%2d:%2d:%2d", &hour, &minute, &second) == 3 && strlen(time) == 8);
  CHECK(hour < 24 && minute < 60 && second <= 60);
  strcpy(machine, MPI_MACHINE());
  CHECK(strlen(machine) > 4 && strcmp(date, MPI_date()) <= 0);
  CHECK(MPI_INFOMN(8, facts) == 5 && facts[0] >= 1 && facts[0] <= facts[1]);
  CHECK(facts[2] < facts[1] && facts[3] > 0 && facts[4] > 0);
  facts[1] = -5;
  CHECK(MPI_infomn(1, facts) == 1 && facts[1] == -5 && MPI_Infomn(0, (int *)0) == 0);
  CHECK(MPI_WALL() >= wall && MPI_CPU() >= cpu && wall >= 0 && cpu >= 0);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
