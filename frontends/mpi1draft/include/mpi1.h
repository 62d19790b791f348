/*
 * The message-passing interface proposed by Dongarra, Hempel, Hey and Walker in January 1993
 * (CRPC-TR93437). It has little to do with the MPI-1 of 1994 but the prefix.
 *
 * The proposal gives Fortran synopses only, and says that C differs in the arbitrary gather and
 * scatter routines, where an array of pointers takes the place of buffer and offsets.
 * Every int function returns -1 on error; MPI_ERROR() then says which. Lengths are bytes.
 * mode: MPI_BLOCKING, MPI_NONBLOCKING or MPI_SYNCHRONIZED; its first letter decides.
 */
#ifndef EARL_MPI1_H
#define EARL_MPI1_H

#define MPI_BLOCKING     "blocking"
#define MPI_NONBLOCKING  "nonblocking"
#define MPI_SYNCHRONIZED "synchronized"

/* The group of all processes, or of all in the current group context. */
#define MPI_ALL 1
#ifndef MPI1_NO_ALL
#define ALL MPI_ALL
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* --- Point to point (proposal, 3.1). A source or type of -1 selects any; a negative type is a mask
 * as in NX/2. Results: bytes, in nonblocking mode a message ID. */

/* Sends contiguous bytes. */
int MPI_CSEND(const char *mode, const void *buf, int dest, int type, int len);
/* Receives contiguous bytes. A longer message is cut; the result is its whole length. */
int MPI_CRECV(const char *mode, void *buf, int source, int type, int maxlen);
/* Sends nblks blocks of lenblk bytes, whose starts are stride bytes apart. */
int MPI_SSEND(const char *mode, const void *buf, int dest, int type, int lenblk, int stride,
              int nblks);
/* Receives into such blocks, in order. */
int MPI_SRECV(const char *mode, void *buf, int source, int type, int lenblk, int stride, int nblks);
/* Sends nblks blocks: block i is nlist[i] bytes at the i-th pointer of the array ilist. */
int MPI_GSEND(const char *mode, int dest, int type, const int *nlist, const void *ilist, int nblks);
/* Receives into such blocks, in order. */
int MPI_GRECV(const char *mode, int source, int type, const int *nlist, const void *ilist,
              int nblks);
/* The length of a message that waits for a receive; -1: there is none. Never waits, and does not
 * see messages sent in synchronized mode. */
int MPI_PROBE(int source, int type);
/* The length of a message whose operation is complete, which releases the ID; -1: it is not. */
int MPI_STATS(int msgid);
/* Waits for an operation and releases the ID. */
int MPI_WAIT(int msgid);
/* Makes an operation inactive, whether it has happened or not, and releases the ID. */
int MPI_CANCEL(int msgid);
/* Length, source and type of the message just received or probed; -1: there was none. */
int MPI_INFOL(void);
int MPI_INFOS(void);
int MPI_INFOT(void);

/* --- Groups (3.2). Process numbers are those of the current group context. */

/* Makes a group of the listed processes, which must all call it; returns its GID. */
int MPI_DEFNG(int nprocs, const int *plist);
/* Cuts a group into those with equal keys; gives the GID of the caller's part. All members call. */
int MPI_PARTG(int gid, int key);
/* From now on the group is all there is; gives its size. */
int MPI_PUSHG(int gid);
/* Ends that; gives the GID of the group whose context is back. */
int MPI_POPG(void);
/* Discards a group. All members call. */
int MPI_FREEG(int gid);
/* Waits for all members. */
int MPI_SYNCG(int gid);
/* The caller's number in the group; -1: it is no member. */
int MPI_GETID(int gid);
/* The group's size, and its first maxlis members in plist. */
int MPI_INFOG(int gid, int maxlis, int *plist);

/* --- Copying to and from contiguous memory (3.4); gives the number of bytes. */

int MPI_SPACK(const void *buf, int lenblk, int stride, int nblk, void *msg);
int MPI_SUNPACK(void *buf, int lenblk, int stride, int nblk, const void *msg);
int MPI_GPACK(const int *nlist, const void *ilist, int nblk, void *msg);
int MPI_GUNPACK(const int *nlist, const void *ilist, int nblk, const void *msg);

/* --- Communication contexts (3.3). */

/* A new context; gives its CCID. All processes of the group context call, in the same order. */
int MPI_NEWC(void);
/* Makes a context the current one. */
int MPI_PUSHC(int ccid);
/* Brings the one before back; gives its CCID. */
int MPI_POPC(void);
/* How many contexts there are, and the first maxlis of them in ilist. */
int MPI_INFOC(int maxlis, int *ilist);

/* --- Utilities (3.5). Strings are overwritten by the next call of the same routine. */

/* Seconds of CPU time that this process has used. */
double MPI_CPU(void);
/* Seconds since this process began to use the interface. */
double MPI_WALL(void);
/* "MM/DD/YY" and "HH:MM:SS", local time. */
char *MPI_DATE(void);
char *MPI_TIME(void);
/* The status of the previous call: 0, or its error. */
int MPI_ERROR(void);
/* The text of a status. */
char *MPI_ETEXT(int ierrno);
/* Name, system and architecture of the machine. */
char *MPI_MACHINE(void);
/* CPUs in use, CPUs of the host, the caller's CPU, KiB of memory for each process and for each CPU;
 * as many as fit. Returns how many. */
int MPI_INFOMN(int maxlis, int *ilist);

#ifdef __cplusplus
}
#endif

/* The other spellings in use at the time. -DMPI1_UPPERCASE_ONLY leaves them out. */
#ifndef MPI1_UPPERCASE_ONLY
#define MPI_csend   MPI_CSEND
#define MPI_Csend   MPI_CSEND
#define MPI_crecv   MPI_CRECV
#define MPI_Crecv   MPI_CRECV
#define MPI_ssend   MPI_SSEND
#define MPI_Ssend   MPI_SSEND
#define MPI_srecv   MPI_SRECV
#define MPI_Srecv   MPI_SRECV
#define MPI_gsend   MPI_GSEND
#define MPI_Gsend   MPI_GSEND
#define MPI_grecv   MPI_GRECV
#define MPI_Grecv   MPI_GRECV
#define MPI_probe   MPI_PROBE
#define MPI_Probe   MPI_PROBE
#define MPI_stats   MPI_STATS
#define MPI_Stats   MPI_STATS
#define MPI_wait    MPI_WAIT
#define MPI_Wait    MPI_WAIT
#define MPI_cancel  MPI_CANCEL
#define MPI_Cancel  MPI_CANCEL
#define MPI_infol   MPI_INFOL
#define MPI_Infol   MPI_INFOL
#define MPI_infos   MPI_INFOS
#define MPI_Infos   MPI_INFOS
#define MPI_infot   MPI_INFOT
#define MPI_Infot   MPI_INFOT
#define MPI_defng   MPI_DEFNG
#define MPI_Defng   MPI_DEFNG
#define MPI_partg   MPI_PARTG
#define MPI_Partg   MPI_PARTG
#define MPI_pushg   MPI_PUSHG
#define MPI_Pushg   MPI_PUSHG
#define MPI_popg    MPI_POPG
#define MPI_Popg    MPI_POPG
#define MPI_freeg   MPI_FREEG
#define MPI_Freeg   MPI_FREEG
#define MPI_syncg   MPI_SYNCG
#define MPI_Syncg   MPI_SYNCG
#define MPI_getid   MPI_GETID
#define MPI_Getid   MPI_GETID
#define MPI_infog   MPI_INFOG
#define MPI_Infog   MPI_INFOG
#define MPI_spack   MPI_SPACK
#define MPI_Spack   MPI_SPACK
#define MPI_sunpack MPI_SUNPACK
#define MPI_Sunpack MPI_SUNPACK
#define MPI_gpack   MPI_GPACK
#define MPI_Gpack   MPI_GPACK
#define MPI_gunpack MPI_GUNPACK
#define MPI_Gunpack MPI_GUNPACK
#define MPI_newc    MPI_NEWC
#define MPI_Newc    MPI_NEWC
#define MPI_pushc   MPI_PUSHC
#define MPI_Pushc   MPI_PUSHC
#define MPI_popc    MPI_POPC
#define MPI_Popc    MPI_POPC
#define MPI_infoc   MPI_INFOC
#define MPI_Infoc   MPI_INFOC
#define MPI_cpu     MPI_CPU
#define MPI_Cpu     MPI_CPU
#define MPI_wall    MPI_WALL
#define MPI_Wall    MPI_WALL
#define MPI_date    MPI_DATE
#define MPI_Date    MPI_DATE
#define MPI_time    MPI_TIME
#define MPI_Time    MPI_TIME
#define MPI_error   MPI_ERROR
#define MPI_Error   MPI_ERROR
#define MPI_etext   MPI_ETEXT
#define MPI_Etext   MPI_ETEXT
#define MPI_machine MPI_MACHINE
#define MPI_Machine MPI_MACHINE
#define MPI_infomn  MPI_INFOMN
#define MPI_Infomn  MPI_INFOMN
#endif

#endif
