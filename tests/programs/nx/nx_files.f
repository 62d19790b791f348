C     FILES BY THEIR UNITS: OPENED BY GOPEN OR BY OPEN.
      PROGRAM FILES
      INCLUDE 'fnx.h'
      INTEGER ME, NODES, X(2), I, ID, E(2), F(2), FAR(2)
      CHARACTER*20 NAME
      ME = MYNODE()
      NODES = NUMNODES()

      CALL GOPEN(10, 'shared.f', M_RECORD)
      CALL CHECK(IOMODE(10) .EQ. M_RECORD, 1)
      DO 10 I = 1, 3
        X(1) = ME
        X(2) = I
        CALL CWRITE(10, X, 8)
10    CONTINUE
      CALL GSYNC()
      CALL CHECK(LSEEK(10, 0, SIZE_SET) .EQ. 0, 2)
      DO 20 I = 1, 3
        CALL CREAD(10, X, 8)
        CALL CHECK(X(1) .EQ. ME .AND. X(2) .EQ. I, 3)
20    CONTINUE
      CALL CHECK(ISEOF(10) .EQ. 1, 4)
      CALL SETIOMODE(10, M_GLOBAL)
      CALL CHECK(LSEEK(10, 8 * (NODES - 1), SIZE_SET) .GE. 0, 5)
      ID = IREAD(10, X, 8)
30    IF (IODONE(ID) .EQ. 0) GOTO 30
      CALL CHECK(X(1) .EQ. NODES - 1 .AND. X(2) .EQ. 1, 6)
      CALL GSYNC()

C     A UNIT THAT FORTRAN HAS OPENED.
      WRITE (NAME, '(A, I2.2)') 'own.f', ME
      OPEN (11, FILE=NAME, FORM='UNFORMATTED', ACCESS='STREAM')
      X(1) = 77
      ID = IWRITE(11, X, 4)
      CALL IOWAIT(ID)
      CALL CHECK(LSIZE(11, 96, SIZE_CUR) .EQ. 100, 7)
      CALL STOE('50', E)
      CALL CHECK(WRITEOFF(11, E, X, 4) .EQ. 4, 8)
      CALL CHECK(READOFF(11, E, X(2), 4) .EQ. 4, 9)
      CALL CHECK(X(2) .EQ. 77, 10)
      CALL ESEEK(11, E, SIZE_CUR, F)
      CALL CHECK(F(1) .EQ. 54 .AND. F(2) .EQ. 0, 11)
      CLOSE (11, STATUS='DELETE')

      CALL STOE('3000000000', E)
      CALL EADD(E, E, F)
      CALL EADD1(F, -1, FAR)
      CALL ESUB(FAR, E, FAR)
      CALL ETOS(FAR, NAME)
      CALL CHECK(NAME .EQ. '2999999999', 12)
      CALL ESUB1(FAR, -1, FAR)
      CALL CHECK(ECMP(FAR, E) .EQ. 0, 13)
      CALL CHECK(EDIV(E, 3) .EQ. 1000000000, 15)
      CALL EMUL(E, 2, FAR)
      CALL CHECK(ECMP(FAR, F) .EQ. 0 .AND. EMOD(E, 7) .EQ. 4, 14)
      CALL SETIOMODE(6, M_LOG)
      CALL GSYNC()
      IF (ME .EQ. 0) CALL UNLINK('shared.f')
      PRINT '(A)', 'EARL-OK'
      END

      INCLUDE '../common/check.f'
C SPDX-License-Identifier: BSD-3-Clause
