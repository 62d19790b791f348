/* Extended sizes: 64 bits in two words, for files too long for a word, and what NX computes with
 * them (Paragon). A result that does not fit is EQESIZE; the forms that return a size return -1. */
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
#if defined(__GNUC__) && defined(__cplusplus)
#pragma GCC diagnostic pop
#endif
nx_long lestat(char *path, struct estat *facts);
nx_long festat(int fd, struct estat *facts);

nx_long _estat(char *path, struct estat *facts);
nx_long _lestat(char *path, struct estat *facts);
nx_long _festat(int fd, struct estat *facts);

#ifdef __cplusplus
}
#endif

#endif
