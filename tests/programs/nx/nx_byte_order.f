C     CUBE AND HOST ARE THE SAME MACHINE: NOTHING IS TURNED ROUND.
      PROGRAM ORDER
      INCLUDE 'fcube.h'
      DOUBLE PRECISION D(2)
      REAL F(2)
      INTEGER L(2)
      INTEGER*2 S(2)
      DATA D /1D0, -2.5D0/, F /1.0, -2.5/, L /1, 770/, S /1, 770/
      CALL CTOHD(D, 2)
      CALL HTOCD(D, 1)
      CALL CTOHF(F, 2)
      CALL HTOCF(F, 1)
      CALL CTOHL(L, 2)
      CALL HTOCL(L, 1)
      CALL CTOHS(S, 2)
      CALL HTOCS(S, 1)
      IF (D(1) .NE. 1D0 .OR. D(2) .NE. -2.5D0) STOP 1
      IF (F(1) .NE. 1.0 .OR. F(2) .NE. -2.5) STOP 2
      IF (L(1) .NE. 1 .OR. L(2) .NE. 770) STOP 3
      IF (S(1) .NE. 1 .OR. S(2) .NE. 770) STOP 4
      PRINT '(A)', 'EARL-OK'
      END
C SPDX-License-Identifier: BSD-3-Clause
