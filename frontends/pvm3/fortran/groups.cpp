// SPDX-License-Identifier: BSD-3-Clause
// Process groups, from Fortran.
#include "frontends/pvm3/fortran/site.hpp"
#include "frontends/pvm3/fortran/strings.hpp"

using namespace earl::pvm::fortran;

namespace {

template <class Body>
int with_group(char const* group, Length length, Body body) {
  return with_text<GroupName>(group, length, body);
}

using Function = void(int*, void*, void*, int*, int*);

}  // namespace

extern "C" {

void pvmfjoingroup_(char* group, int* inum, Length length) {
  Site const site;

  *inum = with_group(group, length, pvm_joingroup);
}

void pvmflvgroup_(char* group, int* info, Length length) {
  Site const site;

  *info = with_group(group, length, pvm_lvgroup);
}

void pvmfgsize_(char* group, int* size, Length length) {
  Site const site;

  *size = with_group(group, length, pvm_gsize);
}

void pvmfgettid_(char* group, int* inum, int* tid, Length length) {
  Site const site;

  *tid = with_group(group, length, [&](char* name) { return pvm_gettid(name, *inum); });
}

void pvmfgetinst_(char* group, int* tid, int* inum, Length length) {
  Site const site;

  *inum = with_group(group, length, [&](char* name) { return pvm_getinst(name, *tid); });
}

void pvmfbarrier_(char* group, int* count, int* info, Length length) {
  Site const site;

  *info = with_group(group, length, [&](char* name) { return pvm_barrier(name, *count); });
}

void pvmffreezegroup_(char* group, int* count, int* info, Length length) {
  Site const site;

  *info = with_group(group, length, [&](char* name) { return pvm_freezegroup(name, *count); });
}

void pvmfbcast_(char* group, int* tag, int* info, Length length) {
  Site const site;

  *info = with_group(group, length, [&](char* name) { return pvm_bcast(name, *tag); });
}

void pvmfreduce_(Function* func, void* data, int* count, int* type, int* tag, char* group,
                 int* root, int* info, Length length) {
  Site const site;

  *info = with_group(group, length, [&](char* name) {
    return pvm_reduce(func, data, *count, *type, *tag, name, *root);
  });
}

void pvmfgather_(void* result, void* data, int* count, int* type, int* tag, char* group, int* root,
                 int* info, Length length) {
  Site const site;

  *info = with_group(group, length, [&](char* name) {
    return pvm_gather(result, data, *count, *type, *tag, name, *root);
  });
}

void pvmfscatter_(void* result, void* data, int* count, int* type, int* tag, char* group, int* root,
                  int* info, Length length) {
  Site const site;

  *info = with_group(group, length, [&](char* name) {
    return pvm_scatter(result, data, *count, *type, *tag, name, *root);
  });
}

// To be given to pvmfreduce().
void pvmmax_(int* type, void* x, void* y, int* n, int* info) { PvmMax(type, x, y, n, info); }
void pvmmin_(int* type, void* x, void* y, int* n, int* info) { PvmMin(type, x, y, n, info); }
void pvmsum_(int* type, void* x, void* y, int* n, int* info) { PvmSum(type, x, y, n, info); }
void pvmproduct_(int* type, void* x, void* y, int* n, int* info) {
  PvmProduct(type, x, y, n, info);
}

}  // extern "C"
