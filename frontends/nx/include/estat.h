/* Extended sizes: 64 bits in two words, for files too long for a word, and NX's arithmetic on them
 * (Paragon). A result that does not fit is EQESIZE; the forms that return a size return -1. */
#ifndef EARL_ESTAT_H
#define EARL_ESTAT_H

#include <nxword.h>
#include <sys/stat.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  unsigned int slow; /* the low word */
  int shigh;
} esize_t;

/* As struct stat, with an extended size. */
struct estat {
  dev_t st_dev;
  ino_t st_ino;
  mode_t st_mode;
  nlink_t st_nlink;
  uid_t st_uid;
  gid_t st_gid;
  dev_t st_rdev;
  esize_t st_size;
#ifdef st_atime /* the names are macros where <sys/stat.h> counts nanoseconds */
  struct timespec st_atim;
  struct timespec st_mtim;
  struct timespec st_ctim;
#else
  time_t st_atime;
  time_t st_anothing;
  time_t st_mtime;
  time_t st_mnothing;
  time_t st_ctime;
  time_t st_cnothing;
#endif
  off_t st_blksize;
  off_t st_blocks;
};

/* The file system of a file, and how it is striped (here never). The kinds are OSF/1's. */
#ifndef MOUNT_UFS
#define MOUNT_UFS 1
#define MOUNT_NFS 2
#endif
#ifndef MOUNT_PFS
#define MOUNT_PFS 20
#endif
struct estatfs {
  int f_type;
  int f_flags;
  int f_fsize; /* of the blocks that are counted */
  int f_bsize;
  esize_t f_blocks;
  esize_t f_bfree;
  esize_t f_bavail;
  esize_t f_files;
  esize_t f_ffree;
};
struct statpfs {
  unsigned int p_reclen;
  unsigned int p_sunitsize;
  unsigned int p_sfactor;
  char p_sdirs[4];
};
struct pfsmntinfo;

esize_t eadd(esize_t a, esize_t b);
esize_t eadd1(esize_t a, nx_long n);
esize_t esub(esize_t a, esize_t b);
esize_t esub1(esize_t a, nx_long n);
esize_t emul(esize_t a, nx_long n);
nx_long ediv(esize_t a, nx_long n);
nx_long emod(esize_t a, nx_long n);
nx_long ecmp(esize_t a, esize_t b); /* -1, 0 or 1 */
esize_t stoe(char *digits);
void etos(esize_t a, char *digits); /* room for 21 characters */

esize_t _eadd(esize_t a, esize_t b);
esize_t _eadd1(esize_t a, nx_long n);
esize_t _esub(esize_t a, esize_t b);
esize_t _esub1(esize_t a, nx_long n);
esize_t _emul(esize_t a, nx_long n);
nx_long _ediv(esize_t a, nx_long n);
nx_long _emod(esize_t a, nx_long n);
nx_long _ecmp(esize_t a, esize_t b);
esize_t _stoe(char *digits);
nx_long _etos(esize_t a, char *digits);

/* About a file by its name, by the name of a link itself, and by a descriptor. */
#if defined(__GNUC__) && defined(__cplusplus)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow" /* a function and a structure of one name, as stat */
#endif
nx_long estat(char *path, struct estat *facts);
/* About its file system; 0. Of `stripes` the size is given, 0: not wanted. */
nx_long statpfs(char *path, struct estatfs *facts, struct statpfs *stripes, unsigned int size);
#if defined(__GNUC__) && defined(__cplusplus)
#pragma GCC diagnostic pop
#endif
nx_long lestat(char *path, struct estat *facts);
nx_long festat(int fd, struct estat *facts);
nx_long fstatpfs(int fd, struct estatfs *facts, struct statpfs *stripes, unsigned int size);
/* How many striped file systems there are: none. */
nx_long getpfsinfo(struct pfsmntinfo **list);

nx_long _estat(char *path, struct estat *facts);
nx_long _lestat(char *path, struct estat *facts);
nx_long _festat(int fd, struct estat *facts);
nx_long _statpfs(char *path, struct estatfs *facts, struct statpfs *stripes, unsigned int size);
nx_long _fstatpfs(int fd, struct estatfs *facts, struct statpfs *stripes, unsigned int size);
nx_long _getpfsinfo(struct pfsmntinfo **list);

#ifdef __cplusplus
}
#endif

#endif
