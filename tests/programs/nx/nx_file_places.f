C     PLACES AND SIZES IN TWO WORDS, WITHOUT WAITING.
      PROGRAM PLACES
      INCLUDE 'fnx.h'
      INTEGER E(2), F(2), X, Y, VOLS(1)
      CHARACTER*20 NAME
      WRITE (NAME, '(A, I2.2)') 'places.', MYNODE()
      OPEN (11, FILE=NAME, FORM='UNFORMATTED', ACCESS='STREAM')
      X = 77
      CALL STOE('40', E)
      CALL IOWAIT(IWRITEOFF(11, E, X, 4))
      CALL IOWAIT(IREADOFF(11, E, Y, 4))
      IF (Y .NE. 77) STOP 1
      CALL ESIZE(11, E, SIZE_SET, F)
      IF (F(1) .NE. 44 .OR. F(2) .NE. 0) STOP 2
      CALL ESIZE(11, E, SIZE_END, F)
      IF (F(1) .NE. 84 .OR. F(2) .NE. 0) STOP 3
      VOLS(1) = 0
      CALL RESTRICTVOL(11, 1, VOLS)
      CLOSE (11, STATUS='DELETE')
      PRINT '(A)', 'EARL-OK'
      END
C SPDX-License-Identifier: BSD-3-Clause
