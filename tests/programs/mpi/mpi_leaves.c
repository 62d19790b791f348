/* Objects that rank 1 never frees; rank 0 frees all. */
#include "mpi_check.h"

main(int argc, char **argv)
{
  int me, i, word = 0, words[3], key;
  static char room[1000];
  MPI_Request request[3], planned;
  MPI_Datatype type, freed;
  MPI_Comm comm;
  MPI_Group group;
  MPI_Op op;
  MPI_Win win;
  MPI_Info info;
  MPI_Errhandler handler;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  if (me == 1) {
    for (i = 0; i < 3; i++)
      MPI_Irecv(&words[i], 1, MPI_INT, MPI_PROC_NULL, 5, MPI_COMM_WORLD, &request[i]);
    MPI_Send_init(&word, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, &planned);
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    MPI_Comm_group(MPI_COMM_SELF, &group);
    MPI_Op_create((MPI_User_function *)main, 1, &op);
    MPI_Buffer_attach(room, sizeof room);
    MPI_Win_create(words, sizeof words, 1, MPI_INFO_NULL, MPI_COMM_SELF, &win);
    MPI_Info_create(&info);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    MPI_Comm_create_errhandler((MPI_Comm_errhandler_function *)main, &handler);
  }
  MPI_Type_contiguous(3, MPI_INT, &freed);
  MPI_Type_free(&freed);
  MPI_Finalize();
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
