/*
 * pvm3.h - the PVM 3.4 interface, provided by Earl.
 *
 * Chapters are those of the PVM 3 user's guide. Unless a comment says something else, a routine
 * returns 0 or a positive value when it worked and one of the negative Pvm* codes when it did not;
 * what else happens then is chosen by pvm_setopt(PvmAutoErr, ...).
 */
#ifndef _PVM3_H_
#define _PVM3_H_

#include <stdio.h>
#include <sys/time.h>

#define PVM_VER "3.4.6"
#define PVM_MAJOR_VERSION 3
#define PVM_MINOR_VERSION 4
#define PVM_PATCH_VERSION 6

/* Encodings: pvm_initsend(), pvm_mkbuf() */
#define PvmDataDefault 0
#define PvmDataRaw 1
#define PvmDataInPlace 2
#define PvmDataFoo PvmDataDefault
#define PvmDataTrace 4

/* Flags of pvm_spawn() */
#define PvmTaskDefault 0
#define PvmTaskHost 1
#define PvmTaskArch 2
#define PvmTaskDebug 4
#define PvmTaskTrace 8
#define PvmMppFront 16
#define PvmHostCompl 32
#define PvmNoSpawnParent 64

/* Kinds of pvm_notify() */
#define PvmTaskExit 1
#define PvmHostDelete 2
#define PvmHostAdd 3
#define PvmRouteAdd 4
#define PvmRouteDelete 5
#define PvmNotifyCancel 256

/* Options: pvm_setopt(), pvm_getopt() */
#define PvmRoute 1
#define PvmDontRoute 1
#define PvmAllowDirect 2
#define PvmRouteDirect 3
#define PvmDebugMask 2
#define PvmAutoErr 3
#define PvmOutputTid 4
#define PvmOutputCode 5
#define PvmTraceTid 6
#define PvmTraceCode 7
#define PvmTraceBuffer 8
#define PvmTraceOptions 9
#define PvmTraceFull 1
#define PvmTraceTime 2
#define PvmTraceCount 3
#define PvmFragSize 10
#define PvmResvTids 11
#define PvmSelfOutputTid 12
#define PvmSelfOutputCode 13
#define PvmSelfTraceTid 14
#define PvmSelfTraceCode 15
#define PvmSelfTraceBuffer 16
#define PvmSelfTraceOptions 17
#define PvmShowTids 18
#define PvmPollType 19
#define PvmPollConstant 1
#define PvmPollSleep 2
#define PvmPollTime 20
#define PvmOutputContext 21
#define PvmTraceContext 22
#define PvmSelfOutputContext 23
#define PvmSelfTraceContext 24
#define PvmNoReset 25

/* The owner of a trace mask */
#define PvmTaskSelf 0
#define PvmTaskChild 1

#define PvmBaseContext 0

/* The message mailbox */
#define PvmMboxDefault 0
#define PvmMboxPersistent 1
#define PvmMboxMultiInstance 2
#define PvmMboxOverWritable 4
#define PvmMboxFirstAvail 8
#define PvmMboxReadAndDelete 16
#define PvmMboxWaitForInfo 32
#define PvmMboxMaxFlag 512
#define PvmMboxDirectIndexShift 10
#define PvmMboxMaxDirectIndex ((unsigned)1 << 21)
#define PvmMboxDirectIndex(i)            \
  ((unsigned)(i) < PvmMboxMaxDirectIndex \
       ? (i) << PvmMboxDirectIndexShift  \
       : (fprintf(stderr, "PvmMboxDirectIndex: index %d is too large\n", (int)(i)), 0))
#define PvmMboxDirectIndexOf(f) \
  (((f) & ((PvmMboxMaxDirectIndex - 1) << PvmMboxDirectIndexShift)) >> PvmMboxDirectIndexShift)

#define PVMNORESETCLASS "###_PVM_NO_RESET_###"
#define PVMHOSTERCLASS "###_PVM_HOSTER_###"
#define PVMTASKERCLASS "###_PVM_TASKER_###"
#define PVMTRACERCLASS "###_PVM_TRACER_###"
#define PVMRMCLASS "###_PVM_RM_###"

/* Data types: pvm_psend(), pvm_precv(), pvm_reduce(), pvm_gather(), pvm_scatter() */
#define PVM_STR 0
#define PVM_BYTE 1
#define PVM_SHORT 2
#define PVM_INT 3
#define PVM_FLOAT 4
#define PVM_CPLX 5
#define PVM_DOUBLE 6
#define PVM_DCPLX 7
#define PVM_LONG 8
#define PVM_USHORT 9
#define PVM_UINT 10
#define PVM_ULONG 11

/* Error codes */
#define PvmOk 0
#define PvmBadParam (-2)
#define PvmMismatch (-3)
#define PvmOverflow (-4)
#define PvmNoData (-5)
#define PvmNoHost (-6)
#define PvmNoFile (-7)
#define PvmDenied (-8)
#define PvmNoMem (-10)
#define PvmBadMsg (-12)
#define PvmSysErr (-14)
#define PvmNoBuf (-15)
#define PvmNoSuchBuf (-16)
#define PvmNullGroup (-17)
#define PvmDupGroup (-18)
#define PvmNoGroup (-19)
#define PvmNotInGroup (-20)
#define PvmNoInst (-21)
#define PvmHostFail (-22)
#define PvmNoParent (-23)
#define PvmNotImpl (-24)
#define PvmDSysErr (-25)
#define PvmBadVersion (-26)
#define PvmOutOfRes (-27)
#define PvmDupHost (-28)
#define PvmCantStart (-29)
#define PvmAlready (-30)
#define PvmNoTask (-31)
#define PvmNotFound (-32)
#define PvmExists (-33)
#define PvmHostrNMstr (-34)
#define PvmParentNotSet (-35)
#define PvmIPLoopback (-36)
#define PvmNoEntry PvmNotFound
#define PvmDupEntry PvmDenied

/* A host of the virtual machine: pvm_config() */
struct pvmhostinfo {
  int hi_tid; /* of its daemon: the host part of its tasks' ids */
  char* hi_name;
  char* hi_arch; /* "LINUX64" */
  int hi_speed;  /* 1000 by default */
  int hi_dsig;   /* data signature */
};

/* A task: pvm_tasks() */
struct pvmtaskinfo {
  int ti_tid;
  int ti_ptid;    /* its parent; 0: none */
  int ti_host;    /* the host it is on */
  int ti_flag;    /* status */
  char* ti_a_out; /* the name it was spawned by; "": started by hand */
  int ti_pid;     /* Unix process id */
};

/* About a message: pvm_getminfo(), pvm_setminfo() */
struct pvmminfo {
  int len; /* of the body, bytes */
  int ctx; /* context */
  int tag;
  int wid; /* wait id, the program's own */
  int enc; /* encoding */
  int crc;
  int src; /* sender */
  int dst; /* receiver */
};

/* A class of mailbox entries: pvm_getmboxinfo() */
struct pvmmboxinfo {
  char* mi_name;
  int mi_nentries;
  int* mi_indices;
  int* mi_owners;
  int* mi_flags;
};

#ifdef NOTMPNAM
#define PVMTMPNAMFUN(name) pvmtmpnam(name)
#define PVMTMPNAMLEN 128
#else
#define PVMTMPNAMFUN(name) tmpnam(name)
#define PVMTMPNAMLEN L_tmpnam
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* --- Process control */
int pvm_mytid(void); /* enrols; the task's id, > 0 */
int pvm_exit(void);  /* leaves PVM, not the process */
int pvm_spawn(char* task, char** argv, int flag, char* where, int ntask,
              int* tids);   /* how many were started */
int pvm_kill(int tid);      /* SIGTERM */
int pvm_export(char* name); /* hand a variable to spawned tasks */
int pvm_unexport(char* name);
int pvm_catchout(FILE* file); /* output of tasks spawned later */

/* --- Information */
int pvm_parent(void);
int pvm_siblings(int** tids); /* the array is the library's */
int pvm_pstat(int tid);       /* PvmOk: alive; PvmNoTask */
int pvm_mstat(char* host);
int pvm_config(int* nhost, int* narch, struct pvmhostinfo** hosts);
int pvm_tasks(int where, int* ntask, struct pvmtaskinfo** tasks);
int pvm_tidtohost(int tid);
int pvm_archcode(char* arch);
int pvm_hostsync(int host, struct timeval* clock, struct timeval* delta);
char* pvm_version(void);
int pvm_getnoresets(int** tids, int* ntask);

/* --- Dynamic configuration */
int pvm_addhosts(char** hosts, int nhost, int* infos);
int pvm_delhosts(char** hosts, int nhost, int* infos);
int pvm_start_pvmd(int argc, char** argv, int block);
int pvm_halt(void);

/* --- Signalling */
int pvm_sendsig(int tid, int signal);
int pvm_notify(int what, int tag, int count, int* tids);

/* --- Options, errors */
int pvm_setopt(int what, int value); /* the previous value */
int pvm_getopt(int what);
int pvm_advise(int route); /* PVM 3.0 to 3.2: pvm_setopt(PvmRoute, route) */
int pvm_serror(int how);   /* and pvm_setopt(PvmAutoErr, how) */
int pvm_perror(char* message);
char* pvm_strerror(void);

/* --- Message buffers */
int pvm_initsend(int encoding);
int pvm_mkbuf(int encoding);
int pvm_freebuf(int bufid);
int pvm_getsbuf(void);
int pvm_getrbuf(void);
int pvm_setsbuf(int bufid); /* the previous one, 0: none */
int pvm_setrbuf(int bufid);
int pvm_bufinfo(int bufid, int* bytes, int* tag, int* tid);
int pvm_getminfo(int bufid, struct pvmminfo* info);
int pvm_setminfo(int bufid, struct pvmminfo* info);

/* --- Packing: nitem elements, stride elements apart, are added to the active send buffer */
int pvm_packf(char const* format, ...);
int pvm_pkbyte(char* p, int nitem, int stride);
int pvm_pkcplx(float* p, int nitem, int stride);
int pvm_pkdcplx(double* p, int nitem, int stride);
int pvm_pkdouble(double* p, int nitem, int stride);
int pvm_pkfloat(float* p, int nitem, int stride);
int pvm_pkint(int* p, int nitem, int stride);
int pvm_pklong(long* p, int nitem, int stride);
int pvm_pkshort(short* p, int nitem, int stride);
int pvm_pkuint(unsigned int* p, int nitem, int stride);
int pvm_pkulong(unsigned long* p, int nitem, int stride);
int pvm_pkushort(unsigned short* p, int nitem, int stride);
int pvm_pkstr(char* text);
int pvm_pkmesg(int bufid);
int pvm_pkmesgbody(int bufid);

/* --- Sending: returns when the buffer may be reused, never waits for the receiver */
int pvm_send(int tid, int tag);
int pvm_mcast(int* tids, int ntask, int tag); /* to all but the caller */
int pvm_psend(int tid, int tag, void* p, int nitem, int type);

/* --- Receiving: tid -1, tag -1: any. Frees the active receive buffer first */
int pvm_recv(int tid, int tag);                           /* waits; the new receive buffer */
int pvm_nrecv(int tid, int tag);                          /* 0: nothing there */
int pvm_trecv(int tid, int tag, struct timeval* timeout); /* 0: nothing came in time */
int pvm_probe(int tid, int tag);                          /* 0: nothing there */
int pvm_precv(int tid, int tag, void* p, int nitem, int type, int* from, int* its_tag, int* bytes);
int (*pvm_recvf(int (*match)(int bufid, int tid, int tag)))(int bufid, int tid, int tag);
int pvm_getfds(int** fds);

/* --- Unpacking: from the active receive buffer, in the order it was packed */
int pvm_unpackf(char const* format, ...);
int pvm_upkbyte(char* p, int nitem, int stride);
int pvm_upkcplx(float* p, int nitem, int stride);
int pvm_upkdcplx(double* p, int nitem, int stride);
int pvm_upkdouble(double* p, int nitem, int stride);
int pvm_upkfloat(float* p, int nitem, int stride);
int pvm_upkint(int* p, int nitem, int stride);
int pvm_upklong(long* p, int nitem, int stride);
int pvm_upkshort(short* p, int nitem, int stride);
int pvm_upkuint(unsigned int* p, int nitem, int stride);
int pvm_upkulong(unsigned long* p, int nitem, int stride);
int pvm_upkushort(unsigned short* p, int nitem, int stride);
int pvm_upkstr(char* text);
int pvm_upkmesg(void); /* a new buffer */

/* --- Contexts */
int pvm_newcontext(void);
int pvm_setcontext(int context); /* the previous one */
int pvm_getcontext(void);
int pvm_freecontext(int context);

/* --- Message handlers */
int pvm_addmhf(int source, int tag, int context, int (*handler)(int bufid));
int pvm_delmhf(int handler);

/* --- Mailbox */
int pvm_putinfo(char* name, int bufid, int flags);  /* the index */
int pvm_recvinfo(char* name, int index, int flags); /* the new receive buffer */
int pvm_delinfo(char* name, int index, int flags);  /* the index */
int pvm_getmboxinfo(char* pattern, int* nclass, struct pvmmboxinfo** classes);
int pvm_insert(char* name, int index, int data);
int pvm_lookup(char* name, int index, int* data);
int pvm_delete(char* name, int index);

/* --- System tasks */
int pvm_reg_hoster(void);
int pvm_reg_rm(struct pvmhostinfo** hosts);
int pvm_reg_tasker(void);
int pvm_reg_tracer(int trace_context, int trace_tag, int output_context, int output_tag, char* mask,
                   int buffer, int options);
int pvm_tickle(int narg, int* args, int* nresp, int* resp);
char* pvmgetrsh(void);
char* pvmgettmp(void);
char* pvmtmpnam(char* name);

/* --- Dynamic process groups (libgpvm3) */
int pvm_joingroup(char* group); /* the caller's instance number */
int pvm_lvgroup(char* group);
int pvm_gsize(char* group);
int pvm_gettid(char* group, int instance);
int pvm_getinst(char* group, int tid);
int pvm_barrier(char* group, int count);
int pvm_bcast(char* group, int tag);
int pvm_freezegroup(char* group, int size);
int pvm_reduce(void (*function)(int* type, void* into, void* from, int* nitem, int* info),
               void* data, int nitem, int type, int tag, char* group, int root);
int pvm_gather(void* result, void* data, int nitem, int type, int tag, char* group, int root);
int pvm_scatter(void* result, void* data, int nitem, int type, int tag, char* group, int root);
void PvmMax(int* type, void* into, void* from, int* nitem, int* info);
void PvmMin(int* type, void* into, void* from, int* nitem, int* info);
void PvmSum(int* type, void* into, void* from, int* nitem, int* info);
void PvmProduct(int* type, void* into, void* from, int* nitem, int* info);

#ifdef __cplusplus
}
#endif

#endif
