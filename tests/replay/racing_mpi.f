C     Two sends race for one receive.
      PROGRAM RACE
      INCLUDE 'mpif.h'
      INTEGER ME, ERR, GOT, S(MPI_STATUS_SIZE), ALL
      ALL = MPI_COMM_WORLD
      CALL MPI_INIT(ERR)
      CALL MPI_COMM_RANK(ALL, ME, ERR)
      IF (ME .EQ. 0) THEN
        CALL MPI_RECV(GOT, 1, MPI_INTEGER, MPI_ANY_SOURCE, 4, ALL,S,ERR)
        CALL LAST(GOT)
      ELSE
        CALL MPI_SEND(ME, 1, MPI_INTEGER, 0, 4, ALL, ERR)
      END IF
      CALL MPI_FINALIZE(ERR)
      END

      SUBROUTINE LAST(GOT)
      INCLUDE 'mpif.h'
      INTEGER GOT, ERR, S(MPI_STATUS_SIZE), ALL
      ALL = MPI_COMM_WORLD
      CALL MPI_RECV(GOT, 1, MPI_INTEGER, 3 - GOT, 4, ALL, S, ERR)
      END
C SPDX-License-Identifier: BSD-3-Clause
