/* NX, the message-passing interface of Intel's iPSC/2, iPSC/860, Touchstone Delta and Paragon, for
 * programs relinked with Earl. Written from the manuals' descriptions ("C System Calls Reference").
 *
 * Lengths are bytes. A plain call that fails prints a line and ends the process with status 1; the
 * form with a leading underscore returns -1 and sets errno to a number of <nxerrno.h> instead.
 * `long` arrays have 8-byte elements in C; INTEGER in Fortran has 4 bytes. */
#ifndef EARL_NX_H
#define EARL_NX_H

#include <nxerrno.h>
#include <nxfiles.h>
#include <nxparagon.h>
#include <nxword.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A function the program hands over; most are defined without a prototype. */
#if defined(__cplusplus)
typedef nx_long (*nx_combiner)(...);
typedef void (*nx_trap)(...);
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ > 201710L
typedef nx_long (*nx_combiner)(void *, void *);
typedef void (*nx_trap)(nx_long, nx_long, nx_long, nx_long);
#else
typedef nx_long (*nx_combiner)();
typedef void (*nx_trap)();
#endif

#define FORCE_TYPE 0x40000000 /* types from here on are not selected by -1 or by masks */
#define INVALID_PTYPE (-1)    /* mypid() of a process that has none */
#define HOST (myhost())
#define HWHZ 10000000 /* hwclock() counts per second */

/* --- Sending and receiving ---------------------------------------------------------------------
 * node -1: all nodes but the caller's. typesel: a type, -1 for any below FORCE_TYPE, or a mask with
 * the top bit set where bit k selects type k. A message longer than the buffer is EQMSGLONG. */

/* Sends; returns when buf may be reused, never waits for the receiver. */
void csend(nx_long type, void *buf, nx_long count, nx_long node, nx_long pid);
/* Waits for a message and receives it; infocount() and the like describe it. */
void crecv(nx_long typesel, void *buf, nx_long count);
/* Start to send or receive. Give an id for msgwait() and msgdone(); buf is Earl's until then. */
nx_long isend(nx_long type, void *buf, nx_long count, nx_long node, nx_long pid);
nx_long irecv(nx_long typesel, void *buf, nx_long count);
/* Sends a request and waits for the reply, whose length is returned. */
nx_long csendrecv(nx_long type, void *sbuf, nx_long scount, nx_long node, nx_long pid,
                  nx_long typesel, void *rbuf, nx_long rcount);
/* The same without waiting: the id is complete when the reply is in. */
nx_long isendrecv(nx_long type, void *sbuf, nx_long scount, nx_long node, nx_long pid,
                  nx_long typesel, void *rbuf, nx_long rcount);
/* Receive from one node (Paragon): nodesel and ptypesel -1 mean any; info: the values of msginfo.
   */
void crecvx(nx_long typesel, void *buf, nx_long count, nx_long nodesel, nx_long ptypesel,
            nx_long info[8]);
nx_long irecvx(nx_long typesel, void *buf, nx_long count, nx_long nodesel, nx_long ptypesel,
               nx_long info[8]);
/* Sends to the nnodes nodes listed; each receives with crecv(). */
void gsendx(nx_long type, void *buf, nx_long count, nx_long nodes[], nx_long nnodes);

nx_long _csend(nx_long type, void *buf, nx_long count, nx_long node, nx_long pid);
nx_long _crecv(nx_long typesel, void *buf, nx_long count);
nx_long _isend(nx_long type, void *buf, nx_long count, nx_long node, nx_long pid);
nx_long _irecv(nx_long typesel, void *buf, nx_long count);
nx_long _csendrecv(nx_long type, void *sbuf, nx_long scount, nx_long node, nx_long pid,
                   nx_long typesel, void *rbuf, nx_long rcount);
nx_long _isendrecv(nx_long type, void *sbuf, nx_long scount, nx_long node, nx_long pid,
                   nx_long typesel, void *rbuf, nx_long rcount);
nx_long _crecvx(nx_long typesel, void *buf, nx_long count, nx_long nodesel, nx_long ptypesel,
                nx_long info[8]);
nx_long _irecvx(nx_long typesel, void *buf, nx_long count, nx_long nodesel, nx_long ptypesel,
                nx_long info[8]);
nx_long _gsendx(nx_long type, void *buf, nx_long count, nx_long nodes[], nx_long nnodes);

/* --- Probing ---------------------------------------------------------------------------------- */

/* Waits until a message is there; it stays in the queue. */
void cprobe(nx_long typesel);
/* 1 when a message is there, else 0; never waits. */
nx_long iprobe(nx_long typesel);
void cprobex(nx_long typesel, nx_long nodesel, nx_long ptypesel, nx_long info[8]);
nx_long iprobex(nx_long typesel, nx_long nodesel, nx_long ptypesel, nx_long info[8]);

nx_long _cprobe(nx_long typesel);
nx_long _iprobe(nx_long typesel);
nx_long _cprobex(nx_long typesel, nx_long nodesel, nx_long ptypesel, nx_long info[8]);
nx_long _iprobex(nx_long typesel, nx_long nodesel, nx_long ptypesel, nx_long info[8]);

/* Throws away the messages in the caller's queue that typesel selects, if node is the caller's or
 * -1 and pid its pid or -1. */
void flushmsg(nx_long typesel, nx_long node, nx_long pid);
nx_long _flushmsg(nx_long typesel, nx_long node, nx_long pid);

/* --- Handlers ------------------------------------------------------------------------------------
 * A handler h(type, count, node, pid) runs once, inside a call of this interface: when one begins,
 * and while it waits. Another does not run meanwhile. It may call what the program may, and posts
 * itself again if it wants. xh(type, count, node, pid, hparam). In Fortran all by reference. */

/* Receives into buf; h runs when the message is in. h 0: removes the handler with this typesel. */
void hrecv(nx_long typesel, void *buf, nx_long count, nx_trap h);
void hrecvx(nx_long typesel, void *buf, nx_long count, nx_long nodesel, nx_long ptypesel,
            nx_trap xh, nx_long hparam);
/* Send; h runs when buf may be used again, and gets the data of the sent message. */
void hsend(nx_long type, void *buf, nx_long count, nx_long node, nx_long pid, nx_trap h);
void hsendx(nx_long type, void *buf, nx_long count, nx_long node, nx_long pid, nx_trap xh,
            nx_long hparam);
/* Sends a request; h runs when the reply is in. */
void hsendrecv(nx_long type, void *sbuf, nx_long scount, nx_long node, nx_long pid, nx_long typesel,
               void *rbuf, nx_long rcount, nx_trap h);
/* 1 holds handlers back, 0 lets them run, those that are due at once; returns the previous value.
   */
nx_long masktrap(nx_long on);

nx_long _hrecv(nx_long typesel, void *buf, nx_long count, nx_trap h);
nx_long _hrecvx(nx_long typesel, void *buf, nx_long count, nx_long nodesel, nx_long ptypesel,
                nx_trap xh, nx_long hparam);
nx_long _hsend(nx_long type, void *buf, nx_long count, nx_long node, nx_long pid, nx_trap h);
nx_long _hsendx(nx_long type, void *buf, nx_long count, nx_long node, nx_long pid, nx_trap xh,
                nx_long hparam);
nx_long _hsendrecv(nx_long type, void *sbuf, nx_long scount, nx_long node, nx_long pid,
                   nx_long typesel, void *rbuf, nx_long rcount, nx_trap h);
nx_long _masktrap(nx_long on);

/* --- Completing ------------------------------------------------------------------------------- */

/* Waits until the operation is complete and releases the id. */
void msgwait(nx_long id);
/* 1 when it is complete, and releases the id; else 0. */
nx_long msgdone(nx_long id);
/* Takes the operation back if that is still possible, else waits for it; releases the id. */
void msgcancel(nx_long id);
/* Releases the id at once; the operation goes on. */
void msgignore(nx_long id);
/* One id that is complete when both are; an id of -1 counts as none. */
nx_long msgmerge(nx_long id1, nx_long id2);

nx_long _msgwait(nx_long id);
nx_long _msgdone(nx_long id);
nx_long _msgcancel(nx_long id);
nx_long _msgignore(nx_long id);
nx_long _msgmerge(nx_long id1, nx_long id2);

/* --- About the message received or probed last ------------------------------------------------ */

extern nx_long msginfo[8]; /* type, length, source node, source pid */

nx_long infotype(void);
nx_long infocount(void);
nx_long infonode(void);
nx_long infopid(void);
nx_long infoptype(void);

nx_long _infotype(void);
nx_long _infocount(void);
nx_long _infonode(void);
nx_long _infopid(void);
nx_long _infoptype(void);

/* --- Global operations -------------------------------------------------------------------------
 * All nodes call them in the same order and get the same bits. x: n elements in, the result out.
 * work: as large as x; its contents may change. */

void gsync(void);
void gdsum(double x[], nx_long n, double work[]);
void gdprod(double x[], nx_long n, double work[]);
void gdhigh(double x[], nx_long n, double work[]);
void gdlow(double x[], nx_long n, double work[]);
void gssum(float x[], nx_long n, float work[]);
void gsprod(float x[], nx_long n, float work[]);
void gshigh(float x[], nx_long n, float work[]);
void gslow(float x[], nx_long n, float work[]);
void gisum(nx_long x[], nx_long n, nx_long work[]);
void giprod(nx_long x[], nx_long n, nx_long work[]);
void gihigh(nx_long x[], nx_long n, nx_long work[]);
void gilow(nx_long x[], nx_long n, nx_long work[]);
void giand(nx_long x[], nx_long n, nx_long work[]);
void gior(nx_long x[], nx_long n, nx_long work[]);
void gixor(nx_long x[], nx_long n, nx_long work[]);
void gland(nx_long x[], nx_long n, nx_long work[]);
void glor(nx_long x[], nx_long n, nx_long work[]);
void glxor(nx_long x[], nx_long n, nx_long work[]);
/* Puts the x of all nodes one after the other into each node's y of ylen bytes; *ncnt: bytes. */
void gcol(void *x, nx_long xlen, void *y, nx_long ylen, nx_long *ncnt);
/* The same when all know the lengths: xlens[i] bytes come from node i. */
void gcolx(void *x, nx_long xlens[], void *y);
/* f(x, work) combines the xlen bytes of work into x; it must be commutative and associative. */
void gopf(void *x, nx_long xlen, void *work, nx_combiner f);

nx_long _gsync(void);
nx_long _gdsum(double x[], nx_long n, double work[]);
nx_long _gdprod(double x[], nx_long n, double work[]);
nx_long _gdhigh(double x[], nx_long n, double work[]);
nx_long _gdlow(double x[], nx_long n, double work[]);
nx_long _gssum(float x[], nx_long n, float work[]);
nx_long _gsprod(float x[], nx_long n, float work[]);
nx_long _gshigh(float x[], nx_long n, float work[]);
nx_long _gslow(float x[], nx_long n, float work[]);
nx_long _gisum(nx_long x[], nx_long n, nx_long work[]);
nx_long _giprod(nx_long x[], nx_long n, nx_long work[]);
nx_long _gihigh(nx_long x[], nx_long n, nx_long work[]);
nx_long _gilow(nx_long x[], nx_long n, nx_long work[]);
nx_long _giand(nx_long x[], nx_long n, nx_long work[]);
nx_long _gior(nx_long x[], nx_long n, nx_long work[]);
nx_long _gixor(nx_long x[], nx_long n, nx_long work[]);
nx_long _gland(nx_long x[], nx_long n, nx_long work[]);
nx_long _glor(nx_long x[], nx_long n, nx_long work[]);
nx_long _glxor(nx_long x[], nx_long n, nx_long work[]);
nx_long _gcol(void *x, nx_long xlen, void *y, nx_long ylen, nx_long *ncnt);
nx_long _gcolx(void *x, nx_long xlens[], void *y);
nx_long _gopf(void *x, nx_long xlen, void *work, nx_combiner f);

/* --- Identity and place ----------------------------------------------------------------------- */

nx_long mynode(void); /* 0 .. numnodes()-1 */
nx_long numnodes(void);
nx_long nodedim(void); /* log2 of numnodes(), rounded down */
nx_long mypid(void);   /* 0 unless setpid() said otherwise */
nx_long myptype(void);
nx_long myhost(void); /* the host's node number: numnodes() */
/* Once, in a host before its first message. */
void setpid(nx_long pid);
void setptype(nx_long ptype);

nx_long _mynode(void);
nx_long _numnodes(void);
nx_long _nodedim(void);
nx_long _mypid(void);
nx_long _myptype(void);
nx_long _myhost(void);
nx_long _setpid(nx_long pid);
nx_long _setptype(nx_long ptype);

/* --- Time and small things -------------------------------------------------------------------- */

nx_ulong mclock(void);     /* milliseconds since an arbitrary moment; wraps at 2^32 */
double dclock(void);       /* seconds since an arbitrary moment */
void hwclock(void *count); /* two 32-bit words, low one first, of HWHZ ticks a second */
void led(nx_long on);      /* does nothing */
void flick(void);          /* yields the CPU for a moment */
nx_long gray(nx_long i);   /* the i-th Gray code */
nx_long ginv(nx_long g);   /* the position of a Gray code */
nx_ulong _mclock(void);
double _dclock(void);
nx_long _hwclock(void *count);
nx_long _led(nx_long on);
nx_long _flick(void);
nx_long _gray(nx_long i);
nx_long _ginv(nx_long g);

/* --- Cubes and processes -----------------------------------------------------------------------
 * A host program gets a cube, or is given one at its first load(), and loads processes into it.
 * node -1, pid -1: all of them. Messages to processes that are not loaded yet wait. */

/* cubetype: a number of nodes ("8") or a dimension ("d3"); empty: as many as are usual. keep 1: the
 * cube outlives the program. */
void getcube(char *cubename, char *cubetype, char *srmname, nx_long keep);
/* Makes a cube that was allocated before the current one. */
void attachcube(char *cubename);
/* Ends all that runs in the cube, and gives it back. */
void relcube(char *cubename);
/* Fills at most numslots entries and returns how many. global: 0, 1 or 2. */
struct cubetable {
  char cubename[16];
  char cubetype[16];
  char hostname[16];
  char owner[16];
  int size;     /* nodes */
  int attached; /* 1: some host has it */
};
nx_long cubeinfo(struct cubetable *ct, nx_long numslots, nx_long global);
/* For machines whose nodes had no files; do nothing. */
void newserver(char *cubename);
void setsyslog(nx_long stdfd);
void killsyslog(void);

/* Starts a program on a node, as its process pid. */
void load(char *file, nx_long node, nx_long pid);
/* Wait for the ends of processes that load() has started: of all, or of the next. */
void waitall(nx_long node, nx_long pid);
void waitone(nx_long node, nx_long pid, nx_long *cnode, nx_long *cpid, nx_long *ccode);
/* End processes; (-1, -1) from a node ends it, too. */
void killproc(nx_long node, nx_long pid);
void killcube(nx_long node, nx_long pid);

nx_long _getcube(char *cubename, char *cubetype, char *srmname, nx_long keep);
nx_long _attachcube(char *cubename);
nx_long _relcube(char *cubename);
nx_long _cubeinfo(struct cubetable *ct, nx_long numslots, nx_long global);
nx_long _newserver(char *cubename);
nx_long _setsyslog(nx_long stdfd);
nx_long _killsyslog(void);
nx_long _load(char *file, nx_long node, nx_long pid);
nx_long _waitall(nx_long node, nx_long pid);
nx_long _waitone(nx_long node, nx_long pid, nx_long *cnode, nx_long *cpid, nx_long *ccode);
nx_long _killproc(nx_long node, nx_long pid);
nx_long _killcube(nx_long node, nx_long pid);

/* --- About the machine ------------------------------------------------------------------------ */

/* The shape of the cube as a mesh of rows x columns, as square as it can be; returns 0. */
nx_long mypart(nx_long *rows, nx_long *cols);
nx_long mydirect(void); /* mynode(): nodes have no other number */
nx_long availmem(void); /* bytes a node may count on */
/* Do nothing: where a file's blocks go, a machine exception's handler. */
nx_long restrictvol(int fd, int n, int *vols);
void handler(nx_long type, nx_trap f);

nx_long _mypart(nx_long *rows, nx_long *cols);
nx_long _mydirect(void);
nx_long _availmem(void);
nx_long _restrictvol(int fd, int n, int *vols);
nx_long _handler(nx_long type, nx_trap f);

/* --- Byte order ("cube to host" and back): both are the same here, nothing is changed ---------- */

void ctohd(double *v, nx_long n);
void ctohf(float *v, nx_long n);
void ctohl(nx_long *v, nx_long n);
void ctohs(short *v, nx_long n);
void htocd(double *v, nx_long n);
void htocf(float *v, nx_long n);
void htocl(nx_long *v, nx_long n);
void htocs(short *v, nx_long n);

nx_long _ctohd(double *v, nx_long n);
nx_long _ctohf(float *v, nx_long n);
nx_long _ctohl(nx_long *v, nx_long n);
nx_long _ctohs(short *v, nx_long n);
nx_long _htocd(double *v, nx_long n);
nx_long _htocf(float *v, nx_long n);
nx_long _htocl(nx_long *v, nx_long n);
nx_long _htocs(short *v, nx_long n);

#ifdef __cplusplus
}
#endif

#endif
