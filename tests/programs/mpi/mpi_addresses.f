C     Differences of addresses are right wherever the variables are. Where
C     these are beyond what an INTEGER holds, MPI_ADDRESS says so: that
C     differs between back ends, so a replay on another is not tried.
      PROGRAM ADDRES
      INCLUDE 'mpif.h'
      INTEGER IERR, I, K, OUT(4)
      CALL MPI_INIT(IERR)
      CALL MPI_ERRHANDLER_SET(MPI_COMM_WORLD, MPI_ERRORS_RETURN, IERR)
      CALL MPI_ADDRESS(OUT(1), I, IERR)
      IF (IERR .EQ. MPI_SUCCESS) THEN
        CALL MPI_ADDRESS(OUT(4), K, IERR)
        CALL CHECK(IERR .EQ. MPI_SUCCESS, 1)
        CALL CHECK(K - I .EQ. 12, 2)
      ENDIF
      CALL MPI_BARRIER(MPI_COMM_WORLD, IERR)
      CALL MPI_FINALIZE(IERR)
      PRINT '(A)', 'EARL-OK'
      END

      INCLUDE '../common/check.f'
C SPDX-License-Identifier: BSD-3-Clause
