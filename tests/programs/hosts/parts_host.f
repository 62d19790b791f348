C     PARAGON: AN APPLICATION OF A SHAPE, ITS PROGRAMS, AND THEIR ENDS.
      PROGRAM PARTS
      INCLUDE 'fnx.h'
      INTEGER PIDS(6), LIST(1), ROWS, COLS, I, X(2), SEEN(0:5)
      X(1) = 0
      CALL CHECK(NX_INITVE_RECT(' ', 0, 3, 2, ' '), 6, 1)
      CALL CHECK(NUMNODES(), 6, 2)
      CALL CHECK(NX_APP_RECT(ROWS, COLS), 0, 3)
      CALL CHECK(10 * ROWS + COLS, 32, 4)
      CALL CHECK(MYPTYPE(), -1, 5)
      CALL SETPTYPE(0)
      CALL CHECK(NX_NFORK(LIST, -1, 0, PIDS), -1, 6)
      LIST(1) = 6
      CALL CHECK(NX_LOAD(LIST, 1, 0, PIDS, 'app_node'), -1, 7)
      DO 10 I = 1, 6
        LIST(1) = 6 - I
        CALL CHECK(NX_LOAD(LIST, 1, 0, PIDS(I), 'app_node '), 1, 8)
        CALL CHECK(MIN(PIDS(I), 2), 2, 9)
        SEEN(I - 1) = 0
10    CONTINUE
      CALL CSEND(2, X, 0, -1, 0)
C     THE NODES ARE C PROGRAMS: THEIR WORDS HAVE 8 BYTES.
      DO 20 I = 1, 6
        CALL CRECV(1, X, 8)
        CALL CHECK(X(1), 32, 10)
        SEEN(INFONODE()) = SEEN(INFONODE()) + 1
20    CONTINUE
      DO 30 I = 0, 5
        CALL CHECK(SEEN(I), 1, 11)
30    CONTINUE
      CALL CHECK(NX_WAITALL(), 0, 12)
      PRINT '(A)', 'EARL-OK'
      END

      INCLUDE '../common/check_given.f'
C SPDX-License-Identifier: BSD-3-Clause
