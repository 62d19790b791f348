C     Two sends race for one receive, and its tasks meet before and after.
      PROGRAM RACE
      INCLUDE 'fpvm3.h'
      INTEGER ME, INFO, N, FIRST, TID
      CALL PVMFMYTID(TID)
      CALL PVMFSIBLINGS(N, 0, FIRST)
      CALL PVMFJOINGROUP('all', ME)
      CALL PVMFBARRIER('all', N, INFO)
      IF (TID .EQ. FIRST) THEN
        CALL PVMFRECV(-1, 4, INFO)
        CALL LAST(INFO)
      ELSE
        CALL PVMFINITSEND(PVMDEFAULT, INFO)
        CALL PVMFPACK(INTEGER4, ME, 1, 1, INFO)
        CALL PVMFSEND(FIRST, 4, INFO)
      END IF
      CALL PVMFBARRIER('all', N, INFO)
      CALL PVMFEXIT(INFO)
      END

      SUBROUTINE LAST(INFO)
      INCLUDE 'fpvm3.h'
      INTEGER INFO
      CALL PVMFRECV(-1, 4, INFO)
      END
C SPDX-License-Identifier: BSD-3-Clause
