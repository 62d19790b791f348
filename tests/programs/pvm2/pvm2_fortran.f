C     The f-routines: the arguments of C, the result last.
      PROGRAM MAIN
      INCLUDE 'fpvm.h'
      INTEGER ME, KID, INFO, I, INST, BYTES, TYPE, N, F
      INTEGER KINDS(2), NUMS(3), BACK(3)
      DOUBLE PRECISION X(2), Y(2)
      CHARACTER*20 WORD, NAME
      CALL FENROLL('pvm2_fortran_f', ME)
      IF (ME .LT. 0) STOP 1
      CALL FENROLL('pvm2_fortran_f', I)
      IF (I .NE. PVMALREADY) STOP 2
      IF (ME .EQ. 1) THEN
        NUMS(1) = 10
        NUMS(2) = 20
        NUMS(3) = 30
        X(1) = 1.5D0
        X(2) = -2.5D0
        WORD = 'some words'
        CALL FINITSEND()
        CALL FPUTNINT(NUMS, 3, INFO)
        CALL FPUTNDFLOAT(X, 2, INFO)
        CALL FPUTSTRING(WORD, INFO)
        CALL FPUTBYTES(WORD, 4, INFO)
        CALL FSND('pvm2_fortran_f'//CHAR(0), 0, 8, INFO)
        CALL FREADY('done', INFO)
        CALL FBARRIER('out  ', 2, INFO)
        CALL FLEAVE()
        STOP
      END IF
      CALL FINITIATE('there is no such program', 'LINUX64', I)
      IF (I .NE. PVMNOFILE) STOP 3
      CALL FINITIATEM('pvm2_fortran_f', '.', KID)
      IF (KID .NE. 1) STOP 4
      KINDS(1) = 7
      KINDS(2) = 8
      CALL FRCVMULTI(2, KINDS, TYPE)
      IF (TYPE .NE. 8) STOP 5
      CALL FRCVINFO(BYTES, TYPE, NAME, INST, INFO)
      IF (TYPE .NE. 8 .OR. INST .NE. 1 .OR. BYTES .NE. 48) STOP 6
      IF (NAME .NE. 'pvm2_fortran_f') STOP 7
      CALL FGETNINT(BACK, 3, INFO)
      CALL FGETNDFLOAT(Y, 2, INFO)
      WORD = 'X'
      CALL FGETSTRING(WORD, INFO)
      IF (BACK(3) .NE. 30 .OR. Y(2) .NE. -2.5D0) STOP 8
      IF (WORD .NE. 'some words' .OR. INFO .NE. PVMOK) STOP 9
      CALL FGETBYTES(WORD, 4, INFO)
      IF (WORD(1:4) .NE. 'some') STOP 10
      CALL FGETNINT(BACK, 1, INFO)
      IF (INFO .NE. PVMNODATA) STOP 11
      CALL FWAITUNTIL('done', INFO)
      CALL FPROBE(-1, TYPE)
      IF (TYPE .NE. PVMNOMSG) STOP 12
      CALL FPSTATUS(N, F, INFO)
      IF (N .NE. 1 .OR. INFO .NE. 1) STOP 13
      CALL FWHOAMI(NAME, INST, INFO)
      IF (NAME .NE. 'pvm2_fortran_f' .OR. INST .NE. 0) STOP 14
      CALL FSTATUS('pvm2_fortran_f', 1, INFO)
      IF (INFO .NE. 1) STOP 15
      CALL FVSND('pvm2_fortran_f', 0, 3, INFO)
      CALL FVRCV(3, TYPE)
      IF (TYPE .NE. 3) STOP 16
      CALL FBARRIER('out', 2, INFO)
      CALL FLEAVE()
      WRITE (*, '(A)') 'EARL-OK'
      END
C SPDX-License-Identifier: BSD-3-Clause
