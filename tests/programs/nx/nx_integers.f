C     INTEGER has 4 bytes: what lies behind the array stays as it is.
C     No include file: MCLOCK is gfortran's own unless the library sees to it.
      INTEGER X(4), W(4), ME, N, MYNODE, NUMNODES, C(3), L, T0, T1
      INTEGER Y(64), NODES(2), MSUM
      LOGICAL FLAG(2), FW(2)
      DOUBLE PRECISION DCLOCK, D0
      EXTERNAL SMALLER
      ME = MYNODE()
      N = NUMNODES()
      X(1) = ME + 1
      X(2) = -ME
      X(3) = 4711
      X(4) = 4712
      CALL GISUM(X, 2, W)
      IF (X(1) .NE. N*(N+1)/2 .OR. X(2) .NE. -N*(N-1)/2) STOP 2
      IF (X(3) .NE. 4711 .OR. X(4) .NE. 4712) STOP 3
      X(1) = ME
      CALL GIHIGH(X, 1, W)
      IF (X(1) .NE. N - 1 .OR. X(3) .NE. 4711) STOP 4
      FLAG(1) = .TRUE.
      FLAG(2) = ME .EQ. 0
      CALL GLAND(FLAG, 2, FW)
      IF (.NOT. FLAG(1)) STOP 5
      IF (FLAG(2) .AND. N .GT. 1) STOP 6
      C(3) = 4713
      CALL GCOL(ME, 4, Y, 256, C(2))
      IF (C(2) .NE. 4*N .OR. C(3) .NE. 4713) STOP 7
      DO 10 L = 1, N
        IF (Y(L) .NE. L - 1) STOP 8
10    CONTINUE
      X(1) = N - ME
      X(2) = N - ME + 1
      CALL GOPF(X, 8, W, SMALLER)
      IF (X(1) .NE. 1 .OR. X(2) .NE. 2) STOP 9
      NODES(1) = N - 1
      NODES(2) = 0
      IF (ME .EQ. N - 1) CALL GSENDX(60, ME, 4, NODES, 2)
      IF (ME .EQ. 0 .OR. ME .EQ. N - 1) CALL CRECV(60, MSUM, 4)
      IF (N .EQ. 1) CALL CRECV(60, MSUM, 4)
      T0 = MCLOCK()
      D0 = DCLOCK()
20    IF (DCLOCK() - D0 .LT. 0.03D0) GOTO 20
      T1 = MCLOCK() - T0
      IF (T1 .LT. 28 .OR. T1 .GT. 10000) STOP 10
      PRINT '(A)', 'EARL-OK'
      END

      SUBROUTINE SMALLER(X, WORK)
      INTEGER X(2), WORK(2)
      IF (WORK(1) .LT. X(1)) X(1) = WORK(1)
      IF (WORK(2) .LT. X(2)) X(2) = WORK(2)
      END
C SPDX-License-Identifier: BSD-3-Clause
