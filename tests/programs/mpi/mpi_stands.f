C     Each waits for a message that the other never sends.
      PROGRAM STANDS
      INCLUDE 'mpif.h'
      INTEGER ME, K, I, ST(MPI_STATUS_SIZE)
      CALL MPI_INIT(I)
      CALL MPI_COMM_RANK(MPI_COMM_WORLD, ME, I)
      CALL MPI_BARRIER(MPI_COMM_WORLD, I)
      CALL MPI_RECV(K, 1, MPI_INTEGER, 1-ME, 5, MPI_COMM_WORLD, ST, I)
      CALL MPI_FINALIZE(I)
      END
C SPDX-License-Identifier: BSD-3-Clause
