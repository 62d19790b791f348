C     A common block that is private to threads is the node's own.
      PROGRAM THREAD
      INCLUDE 'fnx.h'
      INTEGER MINE, ROUND, ME
      COMMON /OWN/ MINE
!$OMP THREADPRIVATE(/OWN/)
      ME = MYNODE()
      DO 10 ROUND = 1, 10
        MINE = ROUND * 100 + ME
        CALL GSYNC()
        IF (MINE .NE. ROUND * 100 + ME) STOP 1
   10 CONTINUE
      PRINT '(A)', 'EARL-OK'
      END
C SPDX-License-Identifier: BSD-3-Clause
