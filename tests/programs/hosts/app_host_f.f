C     A PARAGON PROGRAM THAT STARTS ITS APPLICATION ITSELF, IN FORTRAN.
      PROGRAM HOST
      INCLUDE 'fnx.h'
      INTEGER PIDS(6), NODES(6), N, I
      INTEGER*8 X
      CHARACTER*12 WORDS(3), SETS(2)
      DATA WORDS /'app_node', 'second', ' '/
      DATA SETS /'COLOUR=blue', ' '/
      CALL CHECK(NX_INITVE_ATTR(' ', NX_ATTR_RECT, 3, 2,
     &           NX_ATTR_END), 6, 1)
      CALL SETPTYPE(0)
      CALL CHECK(NX_APP_NODES(0, NODES, N), 0, 2)
      CALL CHECK(N, 6, 3)
      CALL CHECK(NODES(6), 5, 4)
      CALL CHECK(NX_LOAD(NODES, 6, 0, PIDS, 'app_node'), 6, 5)
      NODES(1) = 4
      NODES(2) = 1
      CALL CHECK(NX_LOADVE(NODES, 2, 7, PIDS, 'app_node', WORDS,
     &           SETS), 2, 6)
      CALL CSEND(2, X, 0, -1, 0)
      CALL CSEND(2, X, 0, 4, 7)
      CALL CSEND(2, X, 0, 1, 7)
      DO 10 I = 1, 8
        CALL CRECV(1, X, 8)
        CALL CHECK(INT(X), 32, 7)
   10 CONTINUE
      CALL CHECK(NX_WAITALL(), 0, 8)
      PRINT '(A)', 'EARL-OK'
      END

      INCLUDE '../common/check_given.f'
C SPDX-License-Identifier: BSD-3-Clause
