C     Each kind of variable of a Fortran program and of a library that
C     is linked with it is the node's own.
      PROGRAM MATRIX
      INCLUDE 'fnx.h'
      INTEGER SHARED, BLANK, MINE, ROUND, ME, SUM
      INTEGER INSIDE, KEPT
      COMMON /BOTH/ SHARED
      COMMON BLANK
      SAVE MINE
      DATA MINE /7/
      EXTERNAL INSIDE, KEPT
      ME = MYNODE()
      IF (MINE .NE. 7 .OR. BLANK .NE. 0) CALL WRONG(1)
      IF (SHARED .NE. 0 .OR. INSIDE(0) .NE. 5) CALL WRONG(2)
      IF (KEPT(0) .NE. 0) CALL WRONG(3)
      DO 10 ROUND = 1, 10
        MINE = ROUND * 100 + ME
        BLANK = MINE + 1
        SHARED = MINE + 2
        SUM = INSIDE(MINE + 3) + KEPT(MINE + 4)
        CALL GSYNC()
        IF (MINE .NE. ROUND * 100 + ME) CALL WRONG(4)
        IF (BLANK .NE. MINE + 1 .OR. SHARED .NE. MINE + 2) CALL WRONG(5)
        IF (INSIDE(MINE + 3) .NE. MINE + 3) CALL WRONG(6)
        IF (KEPT(MINE + 4) .NE. MINE + 4) CALL WRONG(7)
        CALL GSYNC()
   10 CONTINUE
      PRINT '(A)', 'EARL-OK'
      END

      SUBROUTINE WRONG(WHERE)
      INTEGER WHERE
      PRINT *, 'not the node''s own:', WHERE
      STOP 1
      END
C SPDX-License-Identifier: BSD-3-Clause
