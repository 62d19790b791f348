C     JACOBI.F: THE LAPLACE EQUATION ON A SQUARE BY JACOBI'S METHOD.
C     EACH NODE HAS A BLOCK OF COLUMNS AND EXCHANGES THE OUTER ONES WITH
C     ITS NEIGHBOURS. THE BOUNDARY IS THAT OF U = X*X - Y*Y, WHICH IS
C     ALSO THE EXACT SOLUTION OF THE DISCRETE PROBLEM: IT CHECKS ITSELF.
C     getcube -t8; load jacobi      OR TODAY: earl run -n 8 ./jacobi
      PROGRAM JACOBI
      INCLUDE 'fcube.h'
      INTEGER N, MAXIT
      PARAMETER (N = 48, MAXIT = 20000)
      DOUBLE PRECISION U(0:N+1, 0:N+1), V(0:N+1, 0:N+1)
      DOUBLE PRECISION CHANGE, ERROR, WORK, EXACT
      INTEGER ME, NODES, FIRST, LAST, I, J, ITER, START
      ME = MYNODE()
      NODES = NUMNODES()
      FIRST = ME * N / NODES + 1
      LAST = (ME + 1) * N / NODES
      START = MCLOCK()

      DO 20 J = 0, N + 1
        DO 10 I = 0, N + 1
          U(I, J) = 0.0D0
          IF (I .EQ. 0 .OR. I .EQ. N + 1 .OR. J .EQ. 0 .OR.
     &        J .EQ. N + 1) U(I, J) = EXACT(I, J, N)
10      CONTINUE
20    CONTINUE

      DO 60 ITER = 1, MAXIT
        CALL EDGES(U, N, FIRST, LAST, ME, NODES)
        CHANGE = 0.0D0
        DO 40 J = FIRST, LAST
          DO 30 I = 1, N
            V(I, J) = 0.25D0 * (U(I-1, J) + U(I+1, J)
     &                        + U(I, J-1) + U(I, J+1))
            CHANGE = MAX(CHANGE, ABS(V(I, J) - U(I, J)))
30        CONTINUE
40      CONTINUE
        DO 50 J = FIRST, LAST
          DO 45 I = 1, N
            U(I, J) = V(I, J)
45        CONTINUE
50      CONTINUE
        IF (MOD(ITER, 20) .EQ. 0) THEN
          CALL GDHIGH(CHANGE, 1, WORK)
          IF (CHANGE .LT. 1.0D-10) GOTO 70
        ENDIF
60    CONTINUE
70    CONTINUE

      ERROR = 0.0D0
      DO 90 J = FIRST, LAST
        DO 80 I = 1, N
          ERROR = MAX(ERROR, ABS(U(I, J) - EXACT(I, J, N)))
80      CONTINUE
90    CONTINUE
      CALL GDHIGH(ERROR, 1, WORK)
      IF (ME .EQ. 0) THEN
        PRINT 100, N, N, NODES, ITER, ERROR, MCLOCK() - START
        IF (ERROR .GT. 1.0D-7) STOP 1
        PRINT '(A)', 'EARL-OK'
      ENDIF
100   FORMAT ('jacobi: ', I3, ' x', I3, ' on ', I3, ' nodes,', I6,
     &        ' iterations, error', 1PE9.1, ',', I7, ' ms')
      END

C     SENDS THE OUTER COLUMNS TO THE NEIGHBOURS AND TAKES THEIRS.
      SUBROUTINE EDGES(U, N, FIRST, LAST, ME, NODES)
      INTEGER N, FIRST, LAST, ME, NODES, BYTES
      DOUBLE PRECISION U(0:N+1, 0:N+1)
      BYTES = 8 * (N + 2)
      IF (ME .GT. 0)
     &  CALL CSEND(1, U(0, FIRST), BYTES, ME - 1, 0)
      IF (ME .LT. NODES - 1) THEN
        CALL CSEND(2, U(0, LAST), BYTES, ME + 1, 0)
        CALL CRECV(1, U(0, LAST + 1), BYTES)
      ENDIF
      IF (ME .GT. 0) CALL CRECV(2, U(0, FIRST - 1), BYTES)
      END

      DOUBLE PRECISION FUNCTION EXACT(I, J, N)
      INTEGER I, J, N
      DOUBLE PRECISION X, Y
      X = DBLE(I) / (N + 1)
      Y = DBLE(J) / (N + 1)
      EXACT = X * X - Y * Y
      END
C SPDX-License-Identifier: BSD-3-Clause
