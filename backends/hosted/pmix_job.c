/* SPDX-License-Identifier: BSD-3-Clause */
#include "backends/hosted/pmix_job.h"

#include <pmix.h>
#include <stddef.h>

/* A number of the whole job. */
static pmix_status_t get(pmix_proc_t const* job, char const* key, uint32_t* number) {
  pmix_value_t* value = NULL;
  pmix_status_t status = PMIx_Get(job, key, NULL, 0, &value);
  if (status != PMIX_SUCCESS) return status;
  if (value->type == PMIX_UINT32)
    *number = value->data.uint32;
  else
    status = PMIX_ERR_BAD_PARAM;
  PMIX_VALUE_RELEASE(value);
  return status;
}

static char const* ask(struct earl_pmix_job* facts) {
  pmix_proc_t me;
  pmix_proc_t job;
  pmix_status_t status = PMIx_Init(&me, NULL, 0);
  if (status != PMIX_SUCCESS) return PMIx_Error_string(status);
  PMIX_PROC_LOAD(&job, me.nspace, PMIX_RANK_WILDCARD);
  facts->rank = me.rank;
  status = get(&job, PMIX_JOB_SIZE, &facts->all);
  if (status == PMIX_SUCCESS) status = get(&job, PMIX_LOCAL_SIZE, &facts->here);
  PMIx_Finalize(NULL, 0);
  return status == PMIX_SUCCESS ? NULL : PMIx_Error_string(status);
}

extern __attribute__((visibility("default"))) struct earl_pmix_calls const earl_pmix;
struct earl_pmix_calls const earl_pmix = {earl_pmix_version, ask};
