C     A ring, a sum and the clock in Fortran 77.
      PROGRAM RING
      INCLUDE 'fcube.h'
      INTEGER ME, N, LEFT, RIGHT, LAP, IBUF(4), ID, T0
      DOUBLE PRECISION X(2), W(2), D0
      REAL S(1), SW(1)
      ME = MYNODE()
      N = NUMNODES()
      RIGHT = MOD(ME + 1, N)
      LEFT = MOD(ME + N - 1, N)
      T0 = MCLOCK()
      D0 = DCLOCK()
      DO 10 LAP = 1, 5
        IBUF(1) = ME
        IBUF(2) = LAP
        ID = IRECV(LAP, IBUF(3), 8)
        CALL CSEND(LAP, IBUF, 8, RIGHT, 0)
        CALL MSGWAIT(ID)
        IF (IBUF(3) .NE. LEFT .OR. IBUF(4) .NE. LAP) STOP 2
        IF (INFOCOUNT() .NE. 8 .OR. INFONODE() .NE. LEFT) STOP 3
        IF (MSGINFO(1) .NE. LAP .OR. MSGINFO(3) .NE. LEFT) STOP 4
10    CONTINUE
      X(1) = ME + 1
      X(2) = 0.5D0
      CALL GDSUM(X, 2, W)
      IF (X(1) .NE. N*(N+1)/2 .OR. X(2) .NE. N*0.5D0) STOP 5
      S(1) = ME
      CALL GSHIGH(S, 1, SW)
      IF (S(1) .NE. N - 1) STOP 6
      IF (MCLOCK() - T0 .LT. 0 .OR. DCLOCK() .LT. D0) STOP 7
      IF (GINV(GRAY(ME)) .NE. ME) STOP 8
      CALL CRECVX_TEST(ME, N)
      CALL GSYNC()
      PRINT '(A)', 'EARL-OK'
      END

      SUBROUTINE CRECVX_TEST(ME, N)
      INCLUDE 'fnx.h'
      INTEGER ME, N, I, K, INFO(8)
      CALL CSEND(50, ME, 4, -1, 0)
      DO 20 I = N - 1, 0, -1
        IF (I .EQ. ME) GOTO 20
        CALL CRECVX(-1, K, 4, I, -1, INFO)
        IF (K .NE. I .OR. INFO(2) .NE. 4 .OR. INFO(3) .NE. I) STOP 9
20    CONTINUE
      END
C SPDX-License-Identifier: BSD-3-Clause
