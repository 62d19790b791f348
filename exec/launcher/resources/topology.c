/* SPDX-License-Identifier: BSD-3-Clause */
#include "exec/launcher/resources/topology.h"

#include <errno.h>
#include <hwloc.h>

enum { longest_list = 4096 };

/* The NUMA node that is local to a core; 0, with the CPUs of all, where there is none. */
static void add_core(hwloc_topology_t topology, hwloc_obj_t core,
                     void (*add)(void*, char const*, int, char const*), void* data) {
  char cpus[longest_list];
  char node_cpus[longest_list];
  hwloc_obj_t node = NULL;
  hwloc_const_cpuset_t around = hwloc_topology_get_topology_cpuset(topology);
  int number = 0;
  while ((node = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, node)) != NULL)
    if (hwloc_bitmap_intersects(node->cpuset, core->cpuset)) {
      around = node->cpuset;
      number = (int)node->logical_index;
      break;
    }
  hwloc_bitmap_list_snprintf(cpus, sizeof cpus, core->cpuset);
  hwloc_bitmap_list_snprintf(node_cpus, sizeof node_cpus, around);
  add(data, cpus, number, node_cpus);
}

static int list(char const* synthetic, void (*core)(void*, char const*, int, char const*),
                void* data) {
  hwloc_topology_t topology;
  hwloc_obj_t one = NULL;
  int failed = hwloc_topology_init(&topology);
  if (failed) return -1;
  if (synthetic != NULL) failed = hwloc_topology_set_synthetic(topology, synthetic);
  if (!failed) failed = hwloc_topology_load(topology);
  /* Some virtual computers show CPUs without cores. */
  if (!failed) {
    hwloc_obj_type_t const type =
        hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE) > 0 ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
    while ((one = hwloc_get_next_obj_by_type(topology, type, one)) != NULL)
      add_core(topology, one, core, data);
  }
  {
    int const number = errno;
    hwloc_topology_destroy(topology);
    errno = number;
  }
  return failed ? -1 : 0;
}

__attribute__((visibility("default"))) struct EarlTopology const earl_topology = {
    .version = earl_topology_version, .list = list};
