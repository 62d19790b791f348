/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations that are started, and completed later. */
#include "fortran.h"

ROUTINE(isend, ISEND,
        (void *buf, In *count, In *type, In *dest, In *tag, In *comm, Int *request, Int *ierror))
{
  *ierror = MPI_Isend(buffer_of(buf), *count, *type, *dest, *tag, *comm, request);
}

ROUTINE(issend, ISSEND,
        (void *buf, In *count, In *type, In *dest, In *tag, In *comm, Int *request, Int *ierror))
{
  *ierror = MPI_Issend(buffer_of(buf), *count, *type, *dest, *tag, *comm, request);
}

ROUTINE(irsend, IRSEND,
        (void *buf, In *count, In *type, In *dest, In *tag, In *comm, Int *request, Int *ierror))
{
  *ierror = MPI_Irsend(buffer_of(buf), *count, *type, *dest, *tag, *comm, request);
}

ROUTINE(ibsend, IBSEND,
        (void *buf, In *count, In *type, In *dest, In *tag, In *comm, Int *request, Int *ierror))
{
  *ierror = MPI_Ibsend(buffer_of(buf), *count, *type, *dest, *tag, *comm, request);
}

ROUTINE(irecv, IRECV,
        (void *buf, In *count, In *type, In *source, In *tag, In *comm, Int *request, Int *ierror))
{
  *ierror = MPI_Irecv(buffer_of(buf), *count, *type, *source, *tag, *comm, request);
}

ROUTINE(send_init, SEND_INIT,
        (void *buf, In *count, In *type, In *dest, In *tag, In *comm, Int *request, Int *ierror))
{
  *ierror = MPI_Send_init(buffer_of(buf), *count, *type, *dest, *tag, *comm, request);
}

ROUTINE(ssend_init, SSEND_INIT,
        (void *buf, In *count, In *type, In *dest, In *tag, In *comm, Int *request, Int *ierror))
{
  *ierror = MPI_Ssend_init(buffer_of(buf), *count, *type, *dest, *tag, *comm, request);
}

ROUTINE(rsend_init, RSEND_INIT,
        (void *buf, In *count, In *type, In *dest, In *tag, In *comm, Int *request, Int *ierror))
{
  *ierror = MPI_Rsend_init(buffer_of(buf), *count, *type, *dest, *tag, *comm, request);
}

ROUTINE(bsend_init, BSEND_INIT,
        (void *buf, In *count, In *type, In *dest, In *tag, In *comm, Int *request, Int *ierror))
{
  *ierror = MPI_Bsend_init(buffer_of(buf), *count, *type, *dest, *tag, *comm, request);
}

ROUTINE(recv_init, RECV_INIT,
        (void *buf, In *count, In *type, In *source, In *tag, In *comm, Int *request, Int *ierror))
{
  *ierror = MPI_Recv_init(buffer_of(buf), *count, *type, *source, *tag, *comm, request);
}

ROUTINE(start, START, (Int *request, Int *ierror)) { *ierror = MPI_Start(request); }

ROUTINE(startall, STARTALL, (In *count, Int *requests, Int *ierror))
{
  *ierror = MPI_Startall(*count, requests);
}

ROUTINE(request_free, REQUEST_FREE, (Int *request, Int *ierror))
{
  *ierror = MPI_Request_free(request);
}

ROUTINE(cancel, CANCEL, (Int *request, Int *ierror)) { *ierror = MPI_Cancel(request); }

ROUTINE(test_cancelled, TEST_CANCELLED, (Int *status, Logical *flag, Int *ierror))
{
  int cancelled = 0;
  *ierror = MPI_Test_cancelled(status_of(status), &cancelled);
  *flag = logical_of(cancelled);
}

ROUTINE(wait, WAIT, (Int *request, Int *status, Int *ierror))
{
  *ierror = MPI_Wait(request, status_of(status));
}

ROUTINE(test, TEST, (Int *request, Logical *flag, Int *status, Int *ierror))
{
  int done = 0;
  *ierror = MPI_Test(request, &done, status_of(status));
  *flag = logical_of(done);
}

ROUTINE(waitany, WAITANY, (In *count, Int *requests, Int *index, Int *status, Int *ierror))
{
  int which = MPI_UNDEFINED;
  *ierror = MPI_Waitany(*count, requests, &which, status_of(status));
  *index = place_of(which);
}

ROUTINE(testany, TESTANY,
        (In *count, Int *requests, Int *index, Logical *flag, Int *status, Int *ierror))
{
  int which = MPI_UNDEFINED;
  int done = 0;
  *ierror = MPI_Testany(*count, requests, &which, &done, status_of(status));
  *index = place_of(which);
  *flag = logical_of(done);
}

ROUTINE(waitall, WAITALL, (In *count, Int *requests, Int *statuses, Int *ierror))
{
  *ierror = MPI_Waitall(*count, requests, statuses_of(statuses));
}

ROUTINE(testall, TESTALL,
        (In *count, Int *requests, Logical *flag, Int *statuses, Int *ierror))
{
  int done = 0;
  *ierror = MPI_Testall(*count, requests, &done, statuses_of(statuses));
  *flag = logical_of(done);
}

static void number_from_one(In *count, Int *indices)
{
  Int i;
  for (i = 0; i < *count; i++)
    indices[i] = place_of(indices[i]);
}

ROUTINE(waitsome, WAITSOME,
        (In *count, Int *requests, Int *done, Int *indices, Int *statuses, Int *ierror))
{
  *done = MPI_UNDEFINED;
  *ierror = MPI_Waitsome(*count, requests, done, indices, statuses_of(statuses));
  number_from_one(done, indices);
}

ROUTINE(testsome, TESTSOME,
        (In *count, Int *requests, Int *done, Int *indices, Int *statuses, Int *ierror))
{
  *done = MPI_UNDEFINED;
  *ierror = MPI_Testsome(*count, requests, done, indices, statuses_of(statuses));
  number_from_one(done, indices);
}
