/* Four functions of an MPI of version 9. */
int MPI_Init(int *argc, char ***argv);
int MPI_Init(int *argc, char ***argv) { return (void)argc, (void)argv, 0; }
int MPI_Comm_size(int comm, int *size);
int MPI_Comm_size(int comm, int *size) { return (void)comm, *size = 99, 0; }
int MPI_Get_version(int *version, int *subversion);
int MPI_Get_version(int *version, int *subversion) { return *version = *subversion = 9, 0; }
int MPI_Finalize(void);
int MPI_Finalize(void) { return 0; }
/* SPDX-License-Identifier: BSD-3-Clause */
