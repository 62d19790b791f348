C     Modes, blocks, clocks and texts as Fortran says them.
      PROGRAM MODES
      INCLUDE 'mpif1.h'
      INTEGER ME, N, I, ID, IN(8), LEN(2), OFF(2)
      CHARACTER*8 DAY, TOD
      CHARACTER*80 TEXT
      CHARACTER*90 LONG
      ME = MPI_GETID(ALL)
      N = MPI_INFOG(ALL, 0, I)
      I = 17
      IF (MPI_CSEND('blocking', I, ME, 1, 4) .NE. 4) STOP 2
      IF (MPI_CSEND('b', I, ME, 1, 4) .NE. 4) STOP 3
      IF (MPI_CSEND('BLOCKING', I, ME, 1, 4) .NE. 4) STOP 4
      IF (MPI_CSEND('x', I, ME, 1, 4) .NE. -1) STOP 5
      IF (MPI_ERROR() .NE. 13) STOP 6
      DO 10 K = 1, 3
        IF (MPI_CRECV('blocking', I, ME, 1, 4) .NE. 4) STOP 7
        IF (I .NE. 17) STOP 8
10    CONTINUE
C     Blocks lie at offsets in bytes, from 0.
      DO 20 K = 1, 8
20    IN(K) = K
      LEN(1) = 8
      OFF(1) = 16
      LEN(2) = 4
      OFF(2) = 0
      IF (MPI_GSEND('n', IN, ME, 2, LEN, OFF, 2) .LT. 1) STOP 9
      IF (MPI_WAIT(1) .NE. 12) STOP 10
      LEN(1) = 4
      LEN(2) = 8
      OFF(1) = 28
      OFF(2) = 4
      IF (MPI_GRECV('b', IN, ME, 2, LEN, OFF, 2) .NE. 12) STOP 11
      IF (IN(8) .NE. 5 .OR. IN(2) .NE. 6 .OR. IN(3) .NE. 1) STOP 12
      IF (IN(1) .NE. 1 .OR. IN(4) .NE. 4) STOP 13
      IF (MPI_INFOL() .NE. 12 .OR. MPI_INFOT() .NE. 2) STOP 14
C     Texts are padded with blanks.
      DAY = MPI_DATE()
      TOD = MPI_TIME()
      IF (DAY(3:3) .NE. '/' .OR. DAY(6:6) .NE. '/') STOP 15
      IF (TOD(3:3) .NE. ':' .OR. TOD(6:6) .NE. ':') STOP 16
      TEXT = MPI_ETEXT(3)
      IF (TEXT .NE. 'invalid MSGID') STOP 17
      IF (ICHAR(TEXT(80:80)) .NE. 32) STOP 18
      LONG = MPI_MACHINE()
      IF (LONG(81:90) .NE. ' ' .OR. LONG(1:1) .EQ. ' ') STOP 19
      IF (MPI_WALL() .LT. 0D0 .OR. MPI_CPU() .LT. 0D0) STOP 20
      PRINT '(A)', 'EARL-OK'
      END
C SPDX-License-Identifier: BSD-3-Clause
