/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of the module that is linked with hwloc (cpu_binding.cpp loads it): the CPUs of each
 * core and NUMA node. */
#ifndef EARL_TOPOLOGY_H
#define EARL_TOPOLOGY_H

enum { earl_topology_version = 1 };

struct EarlTopology {
  int version;
  /* Calls `core` for each core of this host, in hwloc's order: its CPUs, and the number of its NUMA
     node and that node's CPUs, as lists ("0-3,6"). `synthetic`: a description in place of this
     host, as HWLOC_SYNTHETIC has it; NULL: none. 0: done; -1: there is no such topology, errno says
     why. */
  int (*list)(char const* synthetic,
              void (*core)(void* data, char const* cpus, int node, char const* node_cpus),
              void* data);
};

#endif
