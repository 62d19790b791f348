/* Paragon: applications and their processes. These calls return -1 when they fail, with errno set;
 * nx_perror() prints its meaning. */
#ifndef EARL_NXPARAGON_H
#define EARL_NXPARAGON_H

#include <nxword.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Attributes of nx_initve_attr() and nx_mkpart_attr(); the list ends with NX_ATTR_END. */
#define NX_ATTR_END     (-1)
#define NX_ATTR_SZ      1  /* nodes */
#define NX_ATTR_RECT    2  /* rows, columns */
#define NX_ATTR_MAP     3  /* nodes, their list */
#define NX_ATTR_ANCHOR  4
#define NX_ATTR_SCHED   5
#define NX_ATTR_RELAXED 6
#define NX_ATTR_EPL     7
#define NX_ATTR_RQ      8
#define NX_ATTR_MOD     9
#define NX_ATTR_SEL     10
#define NX_ATTR_PRI     11
#define NX_ATTR_PKT     12
#define NX_ATTR_MBF     13
#define NX_ATTR_MEX     14
#define NX_ATTR_MEA     15
#define NX_ATTR_NOC     16
#define NX_ATTR_STH     17
#define NX_ATTR_SCT     18
#define NX_ATTR_GTH     19
#define NX_ATTR_PLK     20
#define NX_ATTR_ACCT    21
#define NX_ATTR_GUEST   22
#define NX_SUNMOS       1
#define NX_STD          0
#define NX_GANG         1
#define NX_SPS          2

typedef int *nx_nodes_t;
typedef struct nx_pspart_entry nx_pspart_t; /* nothing is known of it */

/* The caller, started alone, becomes the controlling process of an application of so many nodes,
 * which are given back as the result; size 0: the value of -sz, NX_DFLT_SIZE, or as many as are usual.
 * The system's switches are taken out of argv. */
nx_long nx_initve(char *partition, nx_long size, char *account, int *argc, char **argv);
nx_long nx_initve_rect(char *partition, nx_long anchor, nx_long rows, nx_long cols, char *account,
                       int *argc, char **argv);
nx_long nx_initve_attr(char *partition, int *argc, char **argv, ...);
/* Start a program on n nodes (null and -1: all) as their process ptype; how many, and their pids. */
nx_long nx_load(nx_long *nodes, nx_long n, nx_long ptype, nx_long *pids, char *path);
nx_long nx_loadve(nx_long *nodes, nx_long n, nx_long ptype, nx_long *pids, char *path, char **argv,
                  char **envp);
/* Copies of the caller on n nodes; 0 in each. */
nx_long nx_nfork(nx_long *nodes, nx_long n, nx_long ptype, nx_long *pids);
/* Waits for all that was started. */
nx_long nx_waitall(void);
/* The nodes of the application, to be freed, and how many; its shape as a mesh. */
nx_long nx_app_nodes(pid_t group, nx_nodes_t *nodes, nx_ulong *count);
nx_long nx_app_rect(nx_long *rows, nx_long *cols);
/* Prints "(node N, ptype P) s: " and the meaning of errno. */
void nx_perror(char *s);

/* Partitions and priorities: accepted, and nothing done; nx_pspart() lists none. */
nx_long nx_mkpart(char *partition, nx_long size, nx_long sched);
nx_long nx_mkpart_rect(char *partition, nx_long rows, nx_long cols, nx_long sched);
nx_long nx_mkpart_map(char *partition, nx_long n, nx_long *nodes, nx_long sched);
nx_long nx_mkpart_attr(char *partition, ...);
nx_long nx_rmpart(char *partition, nx_long force, nx_long recursive);
nx_long nx_chpart_epl(char *partition, nx_long limit);
nx_long nx_chpart_mod(char *partition, nx_long mode);
nx_long nx_chpart_name(char *partition, char *name);
nx_long nx_chpart_owner(char *partition, nx_long owner, nx_long group);
nx_long nx_chpart_rq(char *partition, nx_long quantum);
nx_long nx_chpart_sched(char *partition, nx_long sched);
int nx_pspart(char *partition, nx_pspart_t **list, nx_ulong *count);
nx_long nx_pri(nx_long group, nx_long priority);

#ifdef __cplusplus
}
#ifndef EARL_NX_LIBRARY
/* C takes the address of a long for argc, and so does C++: the calls use its lower 32 bits. */
inline int *nx_count_at(nx_long *count) { return reinterpret_cast<int *>(count); }
inline int *nx_count_at(nx_ulong *count) { return reinterpret_cast<int *>(count); }
inline int *nx_count_at(unsigned int *count) { return reinterpret_cast<int *>(count); }
template <class Count>
inline nx_long nx_initve(char *partition, nx_long size, char *account, Count *argc, char **argv)
{
  return nx_initve(partition, size, account, nx_count_at(argc), argv);
}
template <class Count>
inline nx_long nx_initve_rect(char *partition, nx_long anchor, nx_long rows, nx_long cols,
                              char *account, Count *argc, char **argv)
{
  return nx_initve_rect(partition, anchor, rows, cols, account, nx_count_at(argc), argv);
}
#endif
#endif

#endif
