C     The number pi as a sum of parts, as parts.c has it. MPI-1.
      PROGRAM PARTS
      INCLUDE 'mpif.h'
      INTEGER STEPS, ME, SIZE, I, IERR
      PARAMETER (STEPS = 1000000)
      INTEGER STATUS(MPI_STATUS_SIZE)
      DOUBLE PRECISION SUM, OTHER, X

      CALL MPI_INIT(IERR)
      CALL MPI_COMM_RANK(MPI_COMM_WORLD, ME, IERR)
      CALL MPI_COMM_SIZE(MPI_COMM_WORLD, SIZE, IERR)
      SUM = 0
      DO 10 I = ME, STEPS - 1, SIZE
        X = (I + 0.5D0) / STEPS
        SUM = SUM + 4 / (1 + X * X)
 10   CONTINUE
      SUM = SUM / STEPS
      IF (ME .EQ. 0) THEN
        DO 20 I = 1, SIZE - 1
          CALL MPI_RECV(OTHER, 1, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE,
     &                  1, MPI_COMM_WORLD, STATUS, IERR)
          PRINT '(A,I2)', ' a part of rank', STATUS(MPI_SOURCE)
          SUM = SUM + OTHER
 20     CONTINUE
        PRINT '(A,F12.10)', ' pi is ', SUM
      ELSE
        CALL MPI_SEND(SUM, 1, MPI_DOUBLE_PRECISION, 0, 1,
     &                MPI_COMM_WORLD, IERR)
      END IF
      CALL MPI_FINALIZE(IERR)
      END
C SPDX-License-Identifier: BSD-3-Clause
