/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a Fortran program sees MPI: all arguments by reference, an error code as the last one, and
 * names as compilers make them of MPI_SEND.
 */
#ifndef EARL_MPI_FORTRAN_H
#define EARL_MPI_FORTRAN_H

#include <stddef.h>

#include <mpi.h>

#define HIDDEN __attribute__((visibility("hidden")))

/* The names besides pmpi_x_: as f2c and g77 write them, without an underscore, and in capitals. A
 * tool's own MPI_X comes first. */
#define OTHER_NAMES(Result, lower, UPPER, parameters)                              \
  Result pmpi_##lower parameters __attribute__((alias("pmpi_" #lower "_")));       \
  Result pmpi_##lower##__ parameters __attribute__((alias("pmpi_" #lower "_")));   \
  Result PMPI_##UPPER parameters __attribute__((alias("pmpi_" #lower "_")));       \
  Result mpi_##lower parameters __attribute__((weak, alias("pmpi_" #lower "_")));  \
  Result mpi_##lower##_ parameters __attribute__((weak, alias("pmpi_" #lower "_"))); \
  Result mpi_##lower##__ parameters __attribute__((weak, alias("pmpi_" #lower "_"))); \
  Result MPI_##UPPER parameters __attribute__((weak, alias("pmpi_" #lower "_")));

/* Begins a subroutine, whose body follows. */
#define ROUTINE(lower, UPPER, parameters)          \
  void pmpi_##lower##_ parameters;                 \
  OTHER_NAMES(void, lower, UPPER, parameters)      \
  void pmpi_##lower##_ parameters

typedef MPI_Fint Int;
typedef MPI_Fint const In;
typedef MPI_Fint Logical;

/* Variables that a program names where C has constants. The program's own definitions come first,
 * so that they are the ones that all sides mean. */
extern struct earl_common1 {
  Int bottom;
  Int in_place;
  Int status_ignore[5];
} mpipriv1_;
extern struct earl_common2 {
  Int statuses_ignore[5];
  Int errcodes_ignore;
} mpipriv2_;

/* Earl's libmpich: where the code of this library lies, in this process. */
void earl_mpi_fortran_code(void const *begin, void const *end);

/* A buffer; MPI_BOTTOM is where its variable is. */
static inline void *buffer_of(void *buffer)
{
  return buffer == &mpipriv1_.in_place ? MPI_IN_PLACE : buffer;
}

static inline MPI_Status *status_of(Int *status)
{
  return status == mpipriv1_.status_ignore ? MPI_STATUS_IGNORE : (MPI_Status *)(void *)status;
}

static inline MPI_Status *statuses_of(Int *statuses)
{
  return statuses == mpipriv2_.statuses_ignore ? MPI_STATUSES_IGNORE
                                               : (MPI_Status *)(void *)statuses;
}

static inline int truth_of(Logical const *value) { return *value != 0; }

static inline Logical logical_of(int flag) { return flag != 0; }

/* The number of an array's first element; none has the number that C gives it. */
static inline Int place_of(int index) { return index == MPI_UNDEFINED ? index : index + 1; }

/* Before MPI begins: calls that come from here have the Fortran program's place in reports. */
HIDDEN void announce(void);

/* An error that this library finds: as if MPI had found it. */
HIDDEN int fail(int error);

/* A text in a variable of `room` characters, padded with blanks; gives how much of it there is. */
HIDDEN Int put_text(char *to, size_t room, char const *text);
/* The text in a variable, without blanks at its end, in `room` bytes of C's. */
HIDDEN void get_text(char *to, size_t room, char const *from, size_t size);

/* Copies of arrays whose elements differ between the languages; null: no memory. To be freed. */
HIDDEN MPI_Aint *addresses_of(In *values, In *count);
HIDDEN int *truths_of(Logical const *values, In *count);
/* Where displacements are counted from. */
HIDDEN MPI_Aint address_of(void *location);
/* An address or extent, if it fits. */
HIDDEN int put_address(Int *to, MPI_Aint address);

#endif
