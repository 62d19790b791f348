      PROGRAM FRESH
      INCLUDE 'fnx.h'
      INTEGER I, WORDS(16)
      DATA WORDS /16*0/
      CALL LOOK(0)
      DO 10 I = 1, 20
        IF (MYNODE() .EQ. 0) THEN
          CALL CSEND(1, WORDS, 64, 1, 0)
          CALL CRECV(2, WORDS, 64)
        ELSE
          CALL CRECV(1, WORDS, 64)
          CALL CSEND(2, WORDS, 64, 0, 0)
        ENDIF
   10 CONTINUE
      CALL LOOK(1)
      CALL TELL
      END
C SPDX-License-Identifier: BSD-3-Clause
