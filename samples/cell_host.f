C     CELL_HOST.F: CONWAY'S GAME OF LIFE ON A CUBE, THE HOST'S HALF.
C     THE HOST SETS UP A TORUS OF CELLS, GIVES EACH NODE SOME COLUMNS,
C     RECEIVES FROM ALL NODES IN EVERY GENERATION HOW MANY CELLS LIVE, AND
C     COLLECTS THE COLUMNS. IT CHECKS THEM AGAINST ITS OWN GAME.
C     earlfc -host cell_host.f -o cell_host
C     earlfc -node cell_node.f -o cell_node
C     cell_host [nodes [generations [side]]]
      PROGRAM CHOST
      INCLUDE 'fcube.h'
      INCLUDE 'cell.inc'
      INTEGER WORLD(MAXN * MAXN), OTHER(MAXN * MAXN), OWN(MAXN * MAXN)
      INTEGER NODES, GENS, N, ARGNUM
      NODES = ARGNUM(1, 4)
      GENS = ARGNUM(2, 200)
      N = ARGNUM(3, 64)
      IF (N .LT. 1 .OR. N .GT. MAXN .OR. NODES .LT. 1 .OR. NODES .GT. N
     &    .OR. GENS .LT. 1 .OR. GENS .GT. MAXGEN) THEN
        PRINT '(A,I5,A,I4,A)', ' usage: cell_host [nodes [generations '
     &    // 'up to', MAXGEN, ' [side of the world up to', MAXN, ']]]'
        PRINT '(A)', ' and no more nodes than columns'
        STOP 2
      ENDIF
      CALL PLAY(WORLD, OTHER, OWN, N, NODES, GENS)
      END

C     ALL GENERATIONS, ON THE NODES AND THEN HERE.
      SUBROUTINE PLAY(WORLD, OTHER, OWN, N, NODES, GENS)
      INCLUDE 'fcube.h'
      INCLUDE 'cell.inc'
      INTEGER N, NODES, GENS, WORLD(N, N), OTHER(N, N), OWN(N, N)
      INTEGER I, J, SEED, GEN, LIVE, TOTAL, START, HISTRY(MAXGEN)
      INTEGER SHAPE(2)
      CHARACTER*8 TYPE

      SEED = 1993
      DO 20 J = 1, N
        DO 10 I = 1, N
          SEED = MOD(SEED * 1103 + 12345, 65536)
          WORLD(I, J) = MOD(SEED / 256, 3) / 2
          OWN(I, J) = WORLD(I, J)
10      CONTINUE
20    CONTINUE

      WRITE (TYPE, '(I8)') NODES
      DO 30 I = 1, 7
        IF (TYPE(1:1) .EQ. ' ') TYPE = TYPE(2:)
30    CONTINUE
      CALL GETCUBE('cell', TYPE, ' ', 0)
      CALL SETPID(HOSTPD)
      CALL LOAD('cell_node', -1, NODEPD)
      START = MCLOCK()
      SHAPE(1) = N
      SHAPE(2) = GENS
      CALL CSEND(TGENS, SHAPE, 8, -1, NODEPD)
      DO 40 I = 0, NODES - 1
        J = I * N / NODES + 1
        CALL CSEND(TCELLS, WORLD(1, J), 4*N*((I+1)*N/NODES - J + 1),
     &             I, NODEPD)
40    CONTINUE

C     EVERY NODE COUNTS FOR ITSELF; WHO IS FIRST DOES NOT MATTER.
      DO 60 GEN = 1, GENS
        HISTRY(GEN) = 0
        DO 50 I = 1, NODES
          CALL CRECV(TCOUNT + GEN, LIVE, 4)
          HISTRY(GEN) = HISTRY(GEN) + LIVE
50      CONTINUE
60    CONTINUE
      DO 70 I = 0, NODES - 1
        CALL CPROBE(TCELLS)
        J = INFONODE() * N / NODES + 1
        CALL CRECV(TCELLS, WORLD(1, J), INFOCOUNT())
70    CONTINUE
      START = MCLOCK() - START
      CALL WAITALL(-1, NODEPD)
      CALL RELCUBE('cell')

      DO 90 GEN = 1, GENS
        CALL STEP(OWN, OTHER, N, TOTAL)
        IF (TOTAL .NE. HISTRY(GEN)) THEN
          PRINT '(A,I5,A,I5,A,I5)', ' cell: generation', GEN, ' has',
     &      HISTRY(GEN), ' cells, not', TOTAL
          STOP 1
        ENDIF
90    CONTINUE
      DO 110 J = 1, N
        DO 100 I = 1, N
          IF (WORLD(I, J) .NE. OWN(I, J)) STOP 1
100     CONTINUE
110   CONTINUE
      PRINT 120, N, N, NODES, GENS, HISTRY(GENS), START
120   FORMAT ('cell: ', I3, ' x', I3, ' on ', I3, ' nodes,', I5,
     &        ' generations,', I5, ' cells live,', I6, ' ms')
      PRINT '(A)', 'EARL-OK'
      END

C     THE PROGRAM'S ARGUMENT WITH THIS NUMBER, OR WHAT GOES WITHOUT.
      INTEGER FUNCTION ARGNUM(WHICH, USUAL)
      INTEGER WHICH, USUAL, IARGC
      CHARACTER*16 TEXT
      ARGNUM = USUAL
      IF (IARGC() .LT. WHICH) RETURN
      CALL GETARG(WHICH, TEXT)
      READ (TEXT, '(BN,I16)') ARGNUM
      END

C     ONE GENERATION ON A TORUS; TOTAL CELLS LIVE AFTERWARDS.
      SUBROUTINE STEP(CELLS, NEXT, N, TOTAL)
      INTEGER N, TOTAL, CELLS(N, N), NEXT(N, N), I, J, U, D, L, R, SUM
      TOTAL = 0
      DO 20 J = 1, N
        L = MOD(J + N - 2, N) + 1
        R = MOD(J, N) + 1
        DO 10 I = 1, N
          U = MOD(I + N - 2, N) + 1
          D = MOD(I, N) + 1
          SUM = CELLS(U, L) + CELLS(I, L) + CELLS(D, L) + CELLS(U, J)
     &        + CELLS(D, J) + CELLS(U, R) + CELLS(I, R) + CELLS(D, R)
          NEXT(I, J) = 0
          IF (SUM .EQ. 3) NEXT(I, J) = 1
          IF (SUM .EQ. 2) NEXT(I, J) = CELLS(I, J)
          TOTAL = TOTAL + NEXT(I, J)
10      CONTINUE
20    CONTINUE
      DO 40 J = 1, N
        DO 30 I = 1, N
          CELLS(I, J) = NEXT(I, J)
30      CONTINUE
40    CONTINUE
      END
C SPDX-License-Identifier: BSD-3-Clause
