C     A HOST IN FORTRAN WITH TWO CUBES: ENDS, EXIT CODES, AND WHICH CUBES THERE ARE.
      PROGRAM CUBES
      INCLUDE 'fcube.h'
      INTEGER X, NODE, PID, CODE, I, WORDS(18, 4)
      CHARACTER*72 TABLE(4)
      EQUIVALENCE (WORDS, TABLE)
      X = 0
      CALL SETPID(0)
      CALL GETCUBE('first', '2', ' ', 0)
      CALL LOAD('wait_node', -1, 0)
      CALL GETCUBE('second', 'd2', ' ', 0)
      CALL CHECK(NUMNODES() .EQ. 4, 1)
      CALL KILLCUBE(-1, -1)
      CALL LOAD('wait_node', -1, 7)
      CALL CHECK(CUBEINFO(TABLE, 4, 0) .EQ. 2, 2)
      DO 10 I = 1, 2
        IF (TABLE(I)(1:6) .EQ. 'first' // CHAR(0)) THEN
          CALL CHECK(WORDS(17, I) .EQ. 2, 3)
        ELSE
          CALL CHECK(TABLE(I)(1:7) .EQ. 'second' // CHAR(0), 4)
          CALL CHECK(WORDS(17, I) .EQ. 4, 5)
        END IF
10    CONTINUE

      CALL CSEND(1, X, 4, 3, 7)
      CALL WAITONE(3, 7, NODE, PID, CODE)
      CALL CHECK(NODE .EQ. 3 .AND. PID .EQ. 7 .AND. CODE .EQ. 13, 6)
      CALL KILLPROC(1, 7)
      CALL WAITONE(1, -1, NODE, PID, CODE)
      CALL CHECK(NODE .EQ. 1 .AND. CODE .EQ. 128 + 9, 7)
      CALL KILLCUBE(-1, 7)
      CALL WAITALL(-1, -1)

      CALL ATTACHCUBE('first   ')
      CALL CHECK(NUMNODES() .EQ. 2, 8)
      CALL CSEND(1, X, 4, -1, 0)
      CALL WAITONE(-1, 0, NODE, PID, CODE)
      CALL CHECK(CODE .EQ. 10 + NODE, 9)
      CALL WAITONE(-1, 0, I, PID, CODE)
      CALL CHECK(I .EQ. 1 - NODE .AND. CODE .EQ. 10 + I, 10)
      CALL RELCUBE('first')
      CALL CHECK(CUBEINFO(TABLE, 4, 0) .EQ. 1, 11)
      PRINT '(A)', 'EARL-OK'
      END

      INCLUDE '../common/check.f'
C SPDX-License-Identifier: BSD-3-Clause
