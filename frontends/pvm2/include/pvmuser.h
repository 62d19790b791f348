/*
 * pvmuser.h - the PVM 2.4 interface, provided by Earl.
 *
 * A process is addressed by the name of its component, which is its program's, and by its instance
 * number, counted from 0 in each component. Unless a comment says something else, a routine returns
 * 0 or a positive value when it worked and one of the negative Pvm* codes when it did not. The
 * codes are PVM 2's own: PVM 3 gives some of the names other numbers.
 */
#ifndef _PVMUSER_H_
#define _PVMUSER_H_

#define PvmOk 0
#define PvmSysErr -1   /* the system's; or the caller has not enrolled */
#define PvmSyserr PvmSysErr
#define PvmBadParam -2 /* no such type, count or address */
#define PvmMismatch -3 /* others wait at this barrier with another count */
#define PvmTooLong -4  /* a name of more than 31 characters */
#define PvmNoData -5   /* the message ends before */
#define PvmNoHost -6   /* no such host, or none of that architecture */
#define PvmNoFile -7   /* no such program */
#define PvmNoComp -8   /* no such component or instance */
#define PvmNoMsg -9    /* no such message is waiting */
#define PvmNoMem -10
#define PvmAlready -11 /* enrolled already */

#ifdef __cplusplus
extern "C" {
#endif

/* Identity. enroll() comes before all other calls and returns the caller's instance number. */
int enroll(char *component);
int leave(void);
int whoami(char *component, int *instance);

/* Starting and ending processes. initiate() takes the name of an architecture, initiateM() that of
   a host, "." being this one; null or "" is any. Both give the new instance number, and messages to
   it may be sent at once. They never wait for the new process. */
int initiate(char *program, char *architecture);
int initiateM(char *program, char *host);
int initiatem(char *program, char *host);
int terminate(char *component, int instance);
int status(char *component, int instance); /* 1: it is there; 0: not */
int pstatus(int *hosts, int *formats);     /* gives the number of hosts, too */

/* The one message that is being built: initsend() empties it, the rest add at its end. */
int initsend(void);
int putbytes(char *from, int count);
int putstring(char *from);
int putnshort(short *from, int count);
int putnint(int *from, int count);
int putnlong(long *from, int count);
int putnfloat(float *from, int count);
int putndfloat(double *from, int count);
int putncplx(float *from, int count);   /* pairs */
int putndcplx(double *from, int count); /* pairs */

/* The message received last, from front to end. getstring() writes the ending NUL, too. */
int getbytes(char *to, int count);
int getstring(char *to);
int getnshort(short *to, int count);
int getnint(int *to, int count);
int getnlong(long *to, int count);
int getnfloat(float *to, int count);
int getndfloat(double *to, int count);
int getncplx(float *to, int count);
int getndcplx(double *to, int count);

/* Sending never waits for the receiver; the built message stays. Instance -1: all of the component,
   the caller too if it is one. Only vrcv() and vrcvmulti() receive messages of vsnd(). */
int snd(char *component, int instance, int type);
int vsnd(char *component, int instance, int type);

/* Receiving waits for a message of that type (-1: any), or of any of those, and gives its type. */
int rcv(int type);
int rcvmulti(int count, int *types);
int vrcv(int type);
int vrcvmulti(int count, int *types);
/* As rcv(), but only look: the type of the message, or PvmNoMsg at once. */
int probe(int type);
int probemulti(int count, int *types);
/* The message received last: bytes, type, sender. Any may be null; `component` has 32 bytes. */
int rcvinfo(int *bytes, int *type, char *component, int *instance);

/* Waiting for each other. A barrier ends when `count` processes have called it with that name. An
   event that was announced by ready() stays so, and waituntil() returns at once. */
int barrier(char *name, int count);
int ready(char *event);
int waituntil(char *event);

#ifdef __cplusplus
}
#endif

#endif
