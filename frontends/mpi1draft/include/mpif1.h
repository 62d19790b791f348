! The MPI1 draft of January 1993 for Fortran programs relinked with Earl. Valid in fixed and in free
! form. The integer functions need no declaration: their names begin with M.
      INTEGER ALL
      PARAMETER (ALL = 1)
      DOUBLE PRECISION MPI_CPU, MPI_WALL
      CHARACTER*8 MPI_DATE, MPI_TIME
      CHARACTER*80 MPI_ETEXT, MPI_MACHINE
      EXTERNAL MPI_CPU, MPI_WALL, MPI_DATE, MPI_TIME, MPI_ETEXT
      EXTERNAL MPI_MACHINE
