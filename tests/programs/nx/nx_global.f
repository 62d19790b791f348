C     ALL GLOBAL OPERATIONS IN FORTRAN; WHAT LIES BEHIND AN ARRAY STAYS.
      PROGRAM GLOBAL
      INCLUDE 'fnx.h'
      DOUBLE PRECISION D(3), DW(2)
      REAL S(3), SW(2)
      INTEGER L(3), LW(2), ME, N, J, SUM, PROD, ALL, ODD
      LOGICAL F(3), FW(2)
      ME = MYNODE()
      N = NUMNODES()
      SUM = 0
      PROD = 1
      ALL = 0
      ODD = 0
      DO 10 J = 0, N - 1
        SUM = SUM + J + 1
        PROD = PROD * (MOD(J, 3) + 1)
        ALL = IOR(ALL, ISHFT(1, J))
        ODD = IEOR(ODD, 5 * J)
10    CONTINUE
      D(3) = 4711D0
      S(3) = 4711.0
      L(3) = 4711
      F(3) = .TRUE.

      D(1) = ME + 1
      D(2) = 0.5D0
      CALL GDSUM(D, 2, DW)
      CALL CHECK(D(1) .EQ. SUM .AND. D(2) .EQ. 0.5D0 * N, 1)
      D(1) = MOD(ME, 3) + 1
      CALL GDPROD(D, 1, DW)
      CALL CHECK(D(1) .EQ. PROD .AND. D(2) .EQ. 0.5D0 * N, 2)
      D(1) = ME - 0.25D0
      D(2) = -ME
      CALL GDHIGH(D, 2, DW)
      CALL CHECK(D(1) .EQ. N - 1.25D0 .AND. D(2) .EQ. 0D0, 3)
      D(1) = ME - 0.25D0
      D(2) = -ME
      CALL GDLOW(D, 2, DW)
      CALL CHECK(D(1) .EQ. -0.25D0 .AND. D(2) .EQ. 1 - N, 4)

      S(1) = ME + 1
      S(2) = 0.5
      CALL GSSUM(S, 2, SW)
      CALL CHECK(S(1) .EQ. SUM .AND. S(2) .EQ. 0.5 * N, 5)
      S(1) = MOD(ME, 3) + 1
      CALL GSPROD(S, 1, SW)
      CALL CHECK(S(1) .EQ. PROD, 6)
      S(1) = ME - 0.25
      S(2) = -ME
      CALL GSHIGH(S, 2, SW)
      CALL CHECK(S(1) .EQ. N - 1.25 .AND. S(2) .EQ. 0.0, 7)
      S(1) = ME - 0.25
      S(2) = -ME
      CALL GSLOW(S, 2, SW)
      CALL CHECK(S(1) .EQ. -0.25 .AND. S(2) .EQ. 1 - N, 8)

      L(1) = ME + 1
      L(2) = -1
      CALL GISUM(L, 2, LW)
      CALL CHECK(L(1) .EQ. SUM .AND. L(2) .EQ. -N, 9)
      L(1) = MOD(ME, 3) + 1
      CALL GIPROD(L, 1, LW)
      CALL CHECK(L(1) .EQ. PROD .AND. L(2) .EQ. -N, 10)
      L(1) = ME
      L(2) = -ME
      CALL GIHIGH(L, 2, LW)
      CALL CHECK(L(1) .EQ. N - 1 .AND. L(2) .EQ. 0, 11)
      L(1) = ME
      L(2) = -ME
      CALL GILOW(L, 2, LW)
      CALL CHECK(L(1) .EQ. 0 .AND. L(2) .EQ. 1 - N, 12)
      L(1) = NOT(ISHFT(1, ME))
      L(2) = 6
      CALL GIAND(L, 2, LW)
      CALL CHECK(L(1) .EQ. NOT(ALL) .AND. L(2) .EQ. 6, 13)
      L(1) = ISHFT(1, ME)
      L(2) = 6
      CALL GIOR(L, 2, LW)
      CALL CHECK(L(1) .EQ. ALL .AND. L(2) .EQ. 6, 14)
      L(1) = 5 * ME
      L(2) = 0
      CALL GIXOR(L, 2, LW)
      CALL CHECK(L(1) .EQ. ODD .AND. L(2) .EQ. 0, 15)

      F(1) = .TRUE.
      F(2) = ME .NE. 0
      CALL GLAND(F, 2, FW)
      CALL CHECK(F(1) .AND. .NOT. F(2), 16)
      F(1) = .FALSE.
      F(2) = ME .EQ. 0
      CALL GLOR(F, 2, FW)
      CALL CHECK(.NOT. F(1) .AND. F(2), 17)
      F(1) = .TRUE.
      F(2) = ME .EQ. 0
      CALL GLXOR(F, 2, FW)
      CALL CHECK((F(1) .EQV. MOD(N, 2) .EQ. 1) .AND. F(2), 18)
      CALL CHECK(D(3) .EQ. 4711D0 .AND. S(3) .EQ. 4711.0, 19)
      CALL CHECK(L(3) .EQ. 4711 .AND. F(3), 20)
      PRINT '(A)', 'EARL-OK'
      END

      INCLUDE '../common/check.f'
C SPDX-License-Identifier: BSD-3-Clause
