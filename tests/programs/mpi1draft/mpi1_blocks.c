/* Strided and arbitrary blocks: a matrix's column becomes a row and comes back; three arrays are one
 * message; only the bytes' order counts, not how either side cuts them. */
#include "mpi1_check.h"

#define N 4

main()
{
  double matrix[N][3], row[N], odd[3];
  int me = MPI_GETID(ALL), i, j, id;
  char head[3], body[8], tail[5], text[17], part[16], *places[3];
  int lengths[3];

  places[0] = tail, lengths[0] = 5;
  places[1] = head, lengths[1] = 3;
  places[2] = body, lengths[2] = 8;
  if (me == 0) {
    for (i = 0; i < N; i++)
      for (j = 0; j < 3; j++) matrix[i][j] = 10 * i + j;
    CHECK(MPI_SSEND("blocking", &matrix[0][1], 1, 1, 8, 24, N) == 32);
    id = MPI_SSEND("nonblocking", &matrix[0][2], 1, 2, 8, 24, N);
    CHECK(MPI_WAIT(id) == 32);
    CHECK(MPI_SSEND("synchronized", matrix, 1, 3, 8, 4, 2) == 16); /* blocks that overlap */
    CHECK(MPI_CSEND("blocking", "tail.heabody-ody", 1, 4, 16) == 16);
    memcpy(head, "hea", 3), memcpy(body, "body-ody", 8), memcpy(tail, "tail.", 5);
    CHECK(MPI_GSEND("blocking", 1, 5, lengths, places, 3) == 16);
    id = MPI_GSEND("nonblocking", 1, 6, lengths, places, 2);
    lengths[0] = 0, places[1] = 0; /* the lists were copied */
    CHECK(MPI_WAIT(id) == 8);
    CHECK(MPI_CSEND("blocking", "0123456789", 1, 7, 10) == 10);
  } else {
    CHECK(MPI_CRECV("blocking", row, 0, 1, 32) == 32);
    for (i = 0; i < N; i++) CHECK(row[i] == 10 * i + 1);
    memset(matrix, 0, sizeof matrix);
    CHECK(MPI_SRECV("blocking", &matrix[0][0], 0, 2, 8, 24, N) == 32);
    for (i = 0; i < N; i++) CHECK(matrix[i][0] == 10 * i + 2 && matrix[i][1] == 0);
    CHECK(MPI_SRECV("synchronized", odd, 0, 3, 8, 16, 2) == 16 && MPI_ERROR() == 0);
    CHECK(odd[0] == 0 && MPI_INFOL() == 16);
    id = MPI_GRECV("nonblocking", 0, 4, lengths, places, 3);
    CHECK(MPI_WAIT(id) == 16);
    CHECK(!memcmp(tail, "tail.", 5) && !memcmp(head, "hea", 3) && !memcmp(body, "body-ody", 8));
    CHECK(MPI_CRECV("blocking", text, 0, 5, 16) == 16 && !memcmp(text, "tail.heabody-ody", 16));
    id = MPI_SRECV("nonblocking", text, 0, 6, 2, 4, 4);
    CHECK(MPI_WAIT(id) == 8 && !memcmp(text, "ta", 2) && !memcmp(text + 12, "ea", 2));
    memset(part, '.', 16); /* 10 bytes in blocks of 4: the last one in part */
    CHECK(MPI_SRECV("blocking", part, 0, 7, 4, 6, 3) == 10);
    CHECK(!memcmp(part, "0123..4567..89..", 16));
  }
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
