C     Every other routine as Fortran calls it, on two processes or more.
      PROGRAM CALLS
      INCLUDE 'mpif1.h'
      INTEGER ME, N, I, K, L(8), IN(8), OUT(8), LEN(2), OFF(2)
      INTEGER LEFT, RIGHT, IPAIR, ICC
      ME = MPI_GETID(ALL)
      N = MPI_INFOG(ALL, 8, L)
      IF (L(1) .NE. 0 .OR. L(2) .NE. 1) STOP 2
      RIGHT = MOD(ME + 1, N)
      LEFT = MOD(ME + N - 1, N)
      DO 10 I = 1, 8
        IN(I) = 0
10    OUT(I) = 10*ME + I
C     Strided blocks, and asking about them.
      I = MPI_SRECV('nonblocking', IN, LEFT, 1, 4, 8, 4)
      IF (MPI_SSEND('blocking', OUT, RIGHT, 1, 4, 8, 4) .NE. 16) STOP 3
20    K = MPI_STATS(I)
      IF (K .EQ. -1 .AND. MPI_ERROR() .EQ. 0) GOTO 20
      IF (K .NE. 16 .OR. IN(3) .NE. 10*LEFT + 3) STOP 4
      IF (MPI_INFOS() .NE. LEFT .OR. IN(2) .NE. 0) STOP 5
      IF (MPI_CSEND('blocking', OUT, RIGHT, 2, 8) .NE. 8) STOP 6
30    K = MPI_PROBE(-1, 2)
      IF (K .EQ. -1) GOTO 30
      IF (MPI_CRECV('blocking', IN, LEFT, -1, 32) .NE. 8) STOP 7
      I = MPI_CRECV('nonblocking', IN, LEFT, 3, 4)
      IF (MPI_CANCEL(I) .NE. 0) STOP 8
C     Packing.
      IF (MPI_SPACK(OUT, 4, 8, 2, IN) .NE. 8) STOP 9
      IF (MPI_SUNPACK(IN(5), 4, 8, 2, IN) .NE. 8) STOP 10
      IF (IN(7) .NE. OUT(3)) STOP 11
      LEN(1) = 4
      LEN(2) = 4
      OFF(1) = 12
      OFF(2) = 0
      IF (MPI_GPACK(OUT, LEN, OFF, 2, IN) .NE. 8) STOP 12
      IF (IN(1) .NE. OUT(4) .OR. IN(2) .NE. OUT(1)) STOP 13
      IF (MPI_GUNPACK(IN(3), LEN, OFF, 2, OUT) .NE. 8) STOP 14
      IF (IN(6) .NE. OUT(1) .OR. IN(3) .NE. OUT(2)) STOP 15
C     Groups and contexts.
      IPAIR = MPI_PARTG(ALL, ME/2)
      K = MPI_PUSHG(IPAIR)
      IF (K .LT. 1 .OR. K .GT. 2) STOP 16
      IF (MPI_GETID(ALL) .NE. MOD(ME, 2)) STOP 17
      ICC = MPI_NEWC()
      IF (MPI_PUSHC(ICC) .NE. 0) STOP 18
      IF (MPI_INFOC(2, L) .NE. 2 .OR. L(2) .NE. ICC) STOP 19
      IF (MPI_POPC() .NE. 1) STOP 20
      IF (MPI_POPG() .NE. ALL) STOP 21
      IF (MPI_FREEG(IPAIR) .NE. 0) STOP 22
      IF (ME .LT. 2) THEN
        L(1) = 1
        L(2) = 0
        K = MPI_DEFNG(2, L)
        IF (MPI_GETID(K) .NE. 1 - ME) STOP 23
        IF (MPI_SYNCG(K) .NE. 0) STOP 24
      ENDIF
      IF (MPI_INFOMN(5, L) .NE. 5 .OR. L(2) .LT. 1) STOP 25
      PRINT '(A)', 'EARL-OK'
      END
C SPDX-License-Identifier: BSD-3-Clause
