C A host in Fortran: setpid, load and messages, with blank-padded names.
      PROGRAM HOST
      INCLUDE 'fcube.h'
      INTEGER*8 X, TOTAL
      INTEGER I, N
      CHARACTER*20 NODE
      NODE = 'farm_node'
      CALL GETCUBE('forty', 'd1', ' ', 0)
      CALL SETPID(5)
      CALL LOAD(NODE, -1, 0)
      N = NUMNODES()
      IF (N .NE. 2 .OR. MYNODE() .NE. MYHOST()) STOP 1
      X = 7
      CALL CSEND(1, X, 8, -1, 0)
      TOTAL = 0
      DO 10 I = 1, N
        CALL CRECV(2, X, 8)
        IF (X .NE. 14 + INFONODE()) STOP 2
        TOTAL = TOTAL + X
 10   CONTINUE
      CALL CSEND(3, TOTAL, 8, -1, 0)
      CALL WAITALL(-1, 0)
      PRINT *, 'EARL-OK'
      END
C SPDX-License-Identifier: BSD-3-Clause
