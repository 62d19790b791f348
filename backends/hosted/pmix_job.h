/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of the module that is linked with libpmix (tasks.cpp loads it): asks the PMIx server
 * that has started this process about its job. */
#ifndef EARL_BACKENDS_HOSTED_PMIX_JOB_H
#define EARL_BACKENDS_HOSTED_PMIX_JOB_H

#include <stdint.h>

enum { earl_pmix_version = 1 };

struct earl_pmix_job {
  uint32_t rank;
  uint32_t all;  /* processes, on all hosts */
  uint32_t here; /* and on this host */
};

struct earl_pmix_calls {
  int version;
  /* Blocks until the server has answered, and is no client of it afterwards. NULL: `job` is set;
     otherwise libpmix's text of the failure, which stays valid. */
  char const* (*ask)(struct earl_pmix_job* job);
};

#endif
