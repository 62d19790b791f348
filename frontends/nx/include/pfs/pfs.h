/* Paragon: PFS, whose files are in the system's file systems here, none of which is striped. gopen(), the
 * I/O modes and statpfs() come with the headers below. */
#ifndef EARL_PFS_H
#define EARL_PFS_H

#include <estat.h>
#include <nxfiles.h>

/* How a file is striped. */
struct sattr {
  int s_sunitsize;  /* bytes of a stripe unit */
  int s_sfactor;    /* directories that the file is spread over */
  int s_start_sdir; /* the first of them */
};

/* Commands of fcntl() that get and set a file's stripes and the servers' buffering: -1 with EINVAL, as for any
 * file that is not in a PFS. */
#define F_GETSATTR    0x50460001
#define F_SETSATTR    0x50460002
#define F_PFS_SVR_BUF 0x50460003

#endif
