C     shallow.f: the spectral transform of the shallow water equations,
C     as in Figures 1 and 2 of the MPI1 proposal. The processes are a
C     mesh of P rows and Q columns; a row sums over longitude, then a
C     column over latitude, both with the same routine.
      PROGRAM SHALLO
      INCLUDE 'mpif1.h'
      INTEGER P, Q, NLON, NLAT, NWAVE
      PARAMETER (P = 2, Q = 3, NLON = 24, NLAT = 8, NWAVE = 4)
      INTEGER MYROW, MYCOL, ROWGRP, COLGRP, INFO, I, J, M, K
      DOUBLE PRECISION PI, LON, LAT, F, COEF(2, NLAT/P, NWAVE)
      DOUBLE PRECISION SPEC(2, NWAVE), W, ERR
      PI = ATAN(1D0)*4
      IF (MPI_INFOG(ALL, 0, I) .NE. P*Q) STOP 'on 6 processes, please'
      MYROW = MPI_GETID(ALL)/Q
      MYCOL = MOD(MPI_GETID(ALL), Q)
      ROWGRP = MPI_PARTG(ALL, MYROW)
      COLGRP = MPI_PARTG(ALL, MYCOL)
      ERR = 0
      DO 60 K = 1, 20
C       Fourier coefficients of each of my latitudes, over all longitudes
        DO 20 J = 1, NLAT/P
          DO 20 M = 1, NWAVE
            COEF(1, J, M) = 0
            COEF(2, J, M) = 0
            DO 10 I = 1, NLON/Q
              LON = 2*PI*(MYCOL*NLON/Q + I - 1)/NLON
              LAT = PI*(MYROW*NLAT/P + J - 0.5D0)/NLAT
              F = SIN(LAT)*(K + COS(2*LON) - 3*SIN(LON))
              COEF(1, J, M) = COEF(1, J, M) + F*COS((M-1)*LON)/NLON
              COEF(2, J, M) = COEF(2, J, M) - F*SIN((M-1)*LON)/NLON
10          CONTINUE
20      CONTINUE
        INFO = MPI_PUSHG(ROWGRP)
        CALL GSUM(COEF, 2*NWAVE*NLAT/P)
        INFO = MPI_POPG()
C       the weighted sum over latitude, for each wavenumber
        DO 40 M = 1, NWAVE
          SPEC(1, M) = 0
          SPEC(2, M) = 0
          DO 30 J = 1, NLAT/P
            LAT = PI*(MYROW*NLAT/P + J - 0.5D0)/NLAT
            W = SIN(LAT)*2/NLAT
            SPEC(1, M) = SPEC(1, M) + W*COEF(1, J, M)
            SPEC(2, M) = SPEC(2, M) + W*COEF(2, J, M)
30        CONTINUE
40      CONTINUE
        INFO = MPI_PUSHG(COLGRP)
        CALL GSUM(SPEC, 2*NWAVE)
        INFO = MPI_POPG()
C       F has wavenumbers 0, 1 and 2 only
        ERR = ERR + ABS(SPEC(1, 1) - K) + ABS(SPEC(2, 2) - 1.5D0)
        ERR = ERR + ABS(SPEC(1, 3) - 0.5D0) + ABS(SPEC(1, 4))
        ERR = ERR + ABS(SPEC(2, 1)) + ABS(SPEC(1, 2)) + ABS(SPEC(2, 4))
60    CONTINUE
      IF (ERR .GT. 1D-10) STOP 'the spectrum is wrong'
      IF (MPI_GETID(ALL) .EQ. 0) THEN
        PRINT '(A,I2,A,I2,A)', ' shallow: a mesh of', P, ' by', Q,
     &    ', 20 transforms'
        PRINT '(A,3F8.4)', ' wavenumbers 0, 1, 2:', SPEC(1, 1),
     &    SPEC(2, 2), SPEC(1, 3)
        PRINT '(A)', 'EARL-OK'
      ENDIF
      END

C     The sum of X over all processes there are, which are numbered from
C     0: it knows nothing of rows and columns.
      SUBROUTINE GSUM(X, N)
      INCLUDE 'mpif1.h'
      INTEGER N, NPROCS, ME, I, J, K
      DOUBLE PRECISION X(N), Y(1000)
      NPROCS = MPI_INFOG(ALL, 0, I)
      ME = MPI_GETID(ALL)
      IF (ME .NE. 0) THEN
        K = MPI_CSEND('blocking', X, 0, 1, 8*N)
        K = MPI_CRECV('blocking', X, 0, 2, 8*N)
        RETURN
      ENDIF
      DO 20 I = 1, NPROCS - 1
        K = MPI_CRECV('blocking', Y, I, 1, 8*N)
        DO 10 J = 1, N
10      X(J) = X(J) + Y(J)
20    CONTINUE
      DO 30 I = 1, NPROCS - 1
30    K = MPI_CSEND('blocking', X, I, 2, 8*N)
      END
C SPDX-License-Identifier: BSD-3-Clause
