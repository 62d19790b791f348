// SPDX-License-Identifier: BSD-3-Clause
// The mailbox, from Fortran.
#include <algorithm>

#include "frontends/pvm3/fortran/site.hpp"
#include "frontends/pvm3/fortran/strings.hpp"

using namespace earl::pvm::fortran;

namespace {

// pvmfgetmboxinfo() gives one class per call: this is the one it gave last.
int last_class = -1;

}  // namespace

extern "C" {

void pvmfputinfo_(char* name, int* bufid, int* flags, int* index, Length length) {
  Site const site;

  *index = with_text(name, length, [&](char* text) { return pvm_putinfo(text, *bufid, *flags); });
}

void pvmfrecvinfo_(char* name, int* index, int* flags, int* bufid, Length length) {
  Site const site;

  *bufid = with_text(name, length, [&](char* text) { return pvm_recvinfo(text, *index, *flags); });
}

void pvmfdelinfo_(char* name, int* index, int* flags, int* info, Length length) {
  Site const site;

  *info = with_text(name, length, [&](char* text) { return pvm_delinfo(text, *index, *flags); });
}

/// One class per call, and round again; nclasses = -1 starts anew. The data of each of its entries
/// goes into arrays, as in PVM.
void pvmfgetmboxinfo_(char* pattern, char* name, int* nclasses, int* nentries, int* index,
                      int* owner, int* flags, int* info, Length pattern_length,
                      Length name_length) {
  Site const site;

  if (*nclasses == -1) last_class = -1;
  struct pvmmboxinfo* classes = nullptr;
  *info = with_text(pattern, pattern_length,
                    [&](char* text) { return pvm_getmboxinfo(text, nclasses, &classes); });
  if (*info < 0) return;
  if (*nclasses < 1) {
    *info = PvmNotFound;
    return;
  }
  last_class = last_class + 1 < *nclasses ? last_class + 1 : 0;
  struct pvmmboxinfo const& found = classes[last_class];
  give(name, name_length, found.mi_name);
  *nentries = found.mi_nentries;
  std::copy_n(found.mi_indices, found.mi_nentries, index);
  std::copy_n(found.mi_owners, found.mi_nentries, owner);
  std::copy_n(found.mi_flags, found.mi_nentries, flags);
}

}  // extern "C"
