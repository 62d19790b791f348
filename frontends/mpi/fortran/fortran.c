/* SPDX-License-Identifier: BSD-3-Clause */
#include "fortran.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct earl_common1 mpipriv1_;
struct earl_common2 mpipriv2_;

/* MPI-2's: defined also by programs that were compiled with MPICH's mpif.h. */
extern char mpiprivc_[2];
extern Int mpifcmb5_;
extern Int mpifcmb9_;
char mpiprivc_[2];
Int mpifcmb5_;
Int mpifcmb9_;

extern char const __ehdr_start[] HIDDEN;
extern char const etext[] HIDDEN;

void announce(void) { earl_mpi_fortran_code(__ehdr_start, etext); }

int fail(int error)
{
  MPI_Comm_call_errhandler(MPI_COMM_WORLD, error);
  return error;
}

Int put_text(char *to, size_t room, char const *text)
{
  size_t size = strlen(text);
  if (size > room)
    size = room;
  memcpy(to, text, size);
  memset(to + size, ' ', room - size);
  return (Int)size;
}

void get_text(char *to, size_t room, char const *from, size_t size)
{
  while (size > 0 && from[size - 1] == ' ')
    size--;
  if (size >= room)
    size = room - 1;
  memcpy(to, from, size);
  to[size] = '\0';
}

static size_t room_for(In *count) { return *count > 0 ? (size_t)*count : 1; }

MPI_Aint *addresses_of(In *values, In *count)
{
  MPI_Aint *copy = malloc(room_for(count) * sizeof *copy);
  Int i;
  for (i = 0; copy && i < *count; i++)
    copy[i] = values[i];
  return copy;
}

int *truths_of(Logical const *values, In *count)
{
  int *copy = malloc(room_for(count) * sizeof *copy);
  Int i;
  for (i = 0; copy && i < *count; i++)
    copy[i] = truth_of(&values[i]);
  return copy;
}

MPI_Aint address_of(void *location)
{
  return (MPI_Aint)((char *)location - (char *)&mpipriv1_.bottom);
}

int put_address(Int *to, MPI_Aint address)
{
  if (address < INT_MIN || address > INT_MAX)
    return fail(MPI_ERR_ARG);
  *to = (Int)address;
  return MPI_SUCCESS;
}
