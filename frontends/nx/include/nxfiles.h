/* Files of NX programs: CFS of the iPSC machines, PFS of the Paragon; over the system's files.
 * open, close, read, write and lseek are the C library's, and know nothing of I/O modes. */
#ifndef EARL_NXFILES_H
#define EARL_NXFILES_H

#include <estat.h>

#ifdef __cplusplus
extern "C" {
#endif

struct iovec;

/* How the nodes share a file; setiomode() and gopen() set it. */
#define M_UNIX 0   /* each has a pointer of its own */
#define M_LOG 1    /* one pointer; first come, first served */
#define M_SYNC 2   /* one pointer; all do the same call, in the order of nodes, any lengths */
#define M_RECORD 3 /* as M_SYNC with equal lengths, and no node waits */
#define M_GLOBAL 4 /* one pointer; all do the same call, which is done once */
#define M_ASYNC 5  /* as M_UNIX; overlaps are the program's care */

/* The origins for lsize() and esize(). */
#define SIZE_SET 0
#define SIZE_CUR 1
#define SIZE_END 2

/* All nodes open a file, and set its mode. */
int gopen(char const *path, int flags, int iomode, mode_t mode);
/* All nodes call it, with their pointers at the same place unless they keep their own. */
void setiomode(int fd, int mode);
nx_long iomode(int fd);

/* Read or write n bytes. The plain forms fail at the end of the file (ERDEOF), the others say how
 * many bytes it were. */
void cread(int fd, void *buf, unsigned int n);
void creadv(int fd, struct iovec *pieces, int count);
void cwrite(int fd, void *buf, unsigned int n);
void cwritev(int fd, struct iovec *pieces, int count);
/* Start to; the id is for iowait() or iodone(). */
nx_long iread(int fd, void *buf, unsigned int n);
nx_long ireadv(int fd, struct iovec *pieces, int count);
nx_long iwrite(int fd, void *buf, unsigned int n);
nx_long iwritev(int fd, struct iovec *pieces, int count);
void iowait(nx_long id);
nx_long iodone(nx_long id); /* 1 when it is complete, and releases the id; else 0 */

/* Read or write at a place, independent of the mode and the pointer; return the number of bytes, an
   id. */
nx_long readoff(int fd, esize_t at, char *buf, unsigned int n);
nx_long readvoff(int fd, esize_t at, struct iovec *pieces, int count);
nx_long writeoff(int fd, esize_t at, char *buf, unsigned int n);
nx_long writevoff(int fd, esize_t at, struct iovec *pieces, int count);
nx_long ireadoff(int fd, esize_t at, char *buf, unsigned int n);
nx_long ireadvoff(int fd, esize_t at, struct iovec *pieces, int count);
nx_long iwriteoff(int fd, esize_t at, char *buf, unsigned int n);
nx_long iwritevoff(int fd, esize_t at, struct iovec *pieces, int count);

/* 1: the pointer is at the end of the file. */
nx_long iseof(int fd);
/* Make a file at least so long, and give its length. */
nx_long lsize(int fd, off_t offset, int from);
esize_t esize(int fd, esize_t offset, int from);
/* Moves the pointer; from is lseek()'s third argument. In M_SYNC, M_RECORD and M_GLOBAL all do. */
esize_t eseek(int fd, esize_t offset, int from);

int _gopen(char const *path, int flags, int iomode, mode_t mode);
nx_long _setiomode(int fd, int mode);
nx_long _iomode(int fd);
int _cread(int fd, void *buf, unsigned int n);
int _creadv(int fd, struct iovec *pieces, int count);
int _cwrite(int fd, void *buf, unsigned int n);
int _cwritev(int fd, struct iovec *pieces, int count);
nx_long _iread(int fd, void *buf, unsigned int n);
nx_long _ireadv(int fd, struct iovec *pieces, int count);
nx_long _iwrite(int fd, void *buf, unsigned int n);
nx_long _iwritev(int fd, struct iovec *pieces, int count);
int _iowait(nx_long id);
nx_long _iodone(nx_long id);
nx_long _readoff(int fd, esize_t at, char *buf, unsigned int n);
nx_long _readvoff(int fd, esize_t at, struct iovec *pieces, int count);
nx_long _writeoff(int fd, esize_t at, char *buf, unsigned int n);
nx_long _writevoff(int fd, esize_t at, struct iovec *pieces, int count);
nx_long _ireadoff(int fd, esize_t at, char *buf, unsigned int n);
nx_long _ireadvoff(int fd, esize_t at, struct iovec *pieces, int count);
nx_long _iwriteoff(int fd, esize_t at, char *buf, unsigned int n);
nx_long _iwritevoff(int fd, esize_t at, struct iovec *pieces, int count);
nx_long _iseof(int fd);
nx_long _lsize(int fd, off_t offset, int from);
esize_t _esize(int fd, esize_t offset, int from);
esize_t _eseek(int fd, esize_t offset, int from);

#ifdef __cplusplus
}
#endif

#endif
