/* SPDX-License-Identifier: BSD-3-Clause */
/* Sends, receives and what is asked about messages. */
#include "fortran.h"

ROUTINE(send, SEND, (void *buf, In *count, In *type, In *dest, In *tag, In *comm, Int *ierror))
{
  *ierror = MPI_Send(buffer_of(buf), *count, *type, *dest, *tag, *comm);
}

ROUTINE(ssend, SSEND, (void *buf, In *count, In *type, In *dest, In *tag, In *comm, Int *ierror))
{
  *ierror = MPI_Ssend(buffer_of(buf), *count, *type, *dest, *tag, *comm);
}

ROUTINE(rsend, RSEND, (void *buf, In *count, In *type, In *dest, In *tag, In *comm, Int *ierror))
{
  *ierror = MPI_Rsend(buffer_of(buf), *count, *type, *dest, *tag, *comm);
}

ROUTINE(bsend, BSEND, (void *buf, In *count, In *type, In *dest, In *tag, In *comm, Int *ierror))
{
  *ierror = MPI_Bsend(buffer_of(buf), *count, *type, *dest, *tag, *comm);
}

ROUTINE(buffer_attach, BUFFER_ATTACH, (void *buffer, In *size, Int *ierror))
{
  *ierror = MPI_Buffer_attach(buffer, *size);
}

/* The attached buffer is a variable that the program knows. */
ROUTINE(buffer_detach, BUFFER_DETACH, (void *buffer, Int *size, Int *ierror))
{
  void *attached;
  (void)buffer;
  *ierror = MPI_Buffer_detach(&attached, size);
}

ROUTINE(recv, RECV,
        (void *buf, In *count, In *type, In *source, In *tag, In *comm, Int *status, Int *ierror))
{
  *ierror = MPI_Recv(buffer_of(buf), *count, *type, *source, *tag, *comm, status_of(status));
}

ROUTINE(get_count, GET_COUNT, (Int *status, In *type, Int *count, Int *ierror))
{
  *ierror = MPI_Get_count(status_of(status), *type, count);
}

ROUTINE(get_elements, GET_ELEMENTS, (Int *status, In *type, Int *count, Int *ierror))
{
  *ierror = MPI_Get_elements(status_of(status), *type, count);
}

ROUTINE(probe, PROBE, (In *source, In *tag, In *comm, Int *status, Int *ierror))
{
  *ierror = MPI_Probe(*source, *tag, *comm, status_of(status));
}

ROUTINE(iprobe, IPROBE,
        (In *source, In *tag, In *comm, Logical *flag, Int *status, Int *ierror))
{
  int found = 0;
  *ierror = MPI_Iprobe(*source, *tag, *comm, &found, status_of(status));
  *flag = logical_of(found);
}

ROUTINE(sendrecv, SENDRECV,
        (void *out, In *out_count, In *out_type, In *dest, In *out_tag, void *in, In *in_count,
         In *in_type, In *source, In *in_tag, In *comm, Int *status, Int *ierror))
{
  *ierror = MPI_Sendrecv(buffer_of(out), *out_count, *out_type, *dest, *out_tag, buffer_of(in),
                         *in_count, *in_type, *source, *in_tag, *comm, status_of(status));
}

ROUTINE(sendrecv_replace, SENDRECV_REPLACE,
        (void *buf, In *count, In *type, In *dest, In *out_tag, In *source, In *in_tag, In *comm,
         Int *status, Int *ierror))
{
  *ierror = MPI_Sendrecv_replace(buffer_of(buf), *count, *type, *dest, *out_tag, *source, *in_tag,
                                 *comm, status_of(status));
}
