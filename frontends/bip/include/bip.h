/*
 * BIP messages: the Basic Interface for Parallelism over Myrinet, version 0.92 (manual: LIP TR-97-02).
 * All lengths are words of 4 bytes. A tag names a receive queue of the destination; receives select
 * by tag only. Errors end the program.
 */
#ifndef EARL_BIP_H
#define EARL_BIP_H

#ifdef __cplusplus
extern "C" {
#endif

/* The longest message, in words, that waits at its receiver; longer ones wait at their sender. */
#define BIPSMALLSIZE 64
/* Tags are 0 to NTAGS-1. */
#define BIP_NTAGS 200
#ifndef NTAGS
#define NTAGS BIP_NTAGS
#endif

/* --- Manual, 3.1. The process's number and how many there are, once bip_init() has returned. */
extern int bip_mynode, bip_numnodes;

/* Joins the other nodes; waits for all. */
void bip_init(void);
/* Before bip_init(): makes room for nbufs messages of size words in a queue of this node. 0, or -1. */
int bip_taginit(int tag, int nbufs, int size);

/* Starts a send and gives its id; the buffer must stay as it is. */
int bip_tisend(int dst, int tag, int *buf, int length);
/* Waits for a send. */
void bip_swait(int id);
/* 1: the buffer may be used again; 0: not yet. */
int bip_stest(int id);

/* Posts a receive and gives its id; one at a time for each tag. */
int bip_tirecv(int tag, int *buf, int maxlength);
/* Waits for a receive; gives the message's length, and its source in node. */
int bip_rwait(int id);
int bip_rwaitx(int id, int *node);
/* The same if it is complete, else -1, and node stays as it is. */
int bip_rtest(int id);
int bip_rtestx(int id, int *node);

/* The length of the short message at the head of a queue, else -1. */
int bip_tprobe(int tag);
/* Receives it, else -1. */
int bip_tnrecv(int tag, int *buf, int maxlength);
int bip_tnrecvx(int tag, int *buf, int maxlength, int *node);

/* Waits for a message and gives a pointer to it, valid until bip_tfreemsg(). */
int *bip_tgetmsg(int tag, int *length, int *node);
/* The same if a short message is there, else null. */
int *bip_tngetmsg(int tag, int *length, int *node);
/* Gives back the oldest of those that were got. */
void bip_tfreemsg(int tag);

/* --- Manual, 3.2: blocking calls. */
int bip_trecv(int tag, int *buf, int maxlength);
int bip_trecvx(int tag, int *buf, int maxlength, int *node);
int bip_tsend(int dst, int tag, int *buf, int length);

/* --- Manual, 3.3: the same with tag 0. */
int bip_isend(int dst, int *buf, int length);
int bip_irecv(int *buf, int maxlength);
int bip_nrecv(int *buf, int maxlength);
int bip_nrecvx(int *buf, int maxlength, int *node);
int *bip_getmsg(int *length, int *node);
int *bip_ngetmsg(int *length, int *node);
void bip_freemsg(void);
int bip_probe(void);
int bip_recv(int *buf, int maxlength);
int bip_recvx(int *buf, int maxlength, int *node);
int bip_send(int dst, int *buf, int length);

#ifdef __cplusplus
}
#endif

#endif
