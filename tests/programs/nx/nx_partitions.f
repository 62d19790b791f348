C     PARAGON'S PARTITIONS: ALL IS ACCEPTED; A NODE STARTS NOTHING.
      PROGRAM PARTS
      INCLUDE 'fnx.h'
      INTEGER LIST(2), PIDS(2), ROWS, COLS, NODES(64), N
      CHARACTER*8 WORDS(3)
      DATA WORDS /'node', 'word', ' '/
      DATA LIST /0, 1/
      CALL CHECK(NX_MKPART('mine', 4, 0), 0, 1)
      CALL CHECK(NX_MKPART_RECT('mine', 2, 2, 0), 0, 2)
      CALL CHECK(NX_MKPART_MAP('mine', 2, LIST, 0), 0, 3)
      CALL CHECK(NX_CHPART_EPL('mine', 1), 0, 4)
      CALL CHECK(NX_CHPART_MOD('mine', 493), 0, 5)
      CALL CHECK(NX_CHPART_NAME('mine', 'ours'), 0, 6)
      CALL CHECK(NX_CHPART_OWNER('mine', 1, 1), 0, 7)
      CALL CHECK(NX_CHPART_RQ('mine', 10), 0, 8)
      CALL CHECK(NX_CHPART_SCHED('mine', 1), 0, 9)
      CALL CHECK(NX_RMPART('mine', 1, 0), 0, 10)
      CALL CHECK(NX_PRI(0, 5), 0, 11)
      CALL CHECK(NX_APP_RECT(ROWS, COLS), 0, 12)
      CALL CHECK(ROWS * COLS, NUMNODES(), 13)
      CALL CHECK(NX_NFORK(LIST, 1, 0, PIDS), -1, 14)
      IF (NUMNODES() .GT. 1) THEN
        CALL CHECK(NX_INITVE(' ', 2, ' '), -1, 15)
        CALL CHECK(NX_INITVE_RECT(' ', 0, 1, 2, ' '), -1, 16)
        CALL CHECK(NX_LOAD(LIST, 1, 0, PIDS, 'a.out'), -1, 17)
        CALL CHECK(NX_WAITALL(), -1, 18)
        CALL CHECK(NX_INITVE_ATTR(' ', NX_ATTR_RECT, 1, 2,
     &             NX_ATTR_END), -1, 19)
        CALL CHECK(NX_LOADVE(LIST, 1, 0, PIDS, 'a.out', WORDS,
     &             WORDS(3)), -1, 20)
      END IF
      CALL CHECK(NX_APP_NODES(0, NODES, N), 0, 21)
      CALL CHECK(N, NUMNODES(), 22)
      CALL CHECK(NODES(N), N - 1, 23)
      CALL CHECK(NX_APP_NODES(1, NODES, N), -1, 24)
      N = 77
      CALL CHECK(NX_PSPART('mine', NODES, N), 0, 25)
      CALL CHECK(N, 0, 26)
      CALL NX_PERROR('asked for it')
      PRINT '(A)', 'EARL-OK'
      END

      INCLUDE '../common/check_given.f'
C SPDX-License-Identifier: BSD-3-Clause
