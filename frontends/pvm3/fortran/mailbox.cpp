// The mailbox, from Fortran.
#include "frontends/pvm3/fortran/strings.hpp"

using namespace earl::pvm::fortran;

namespace {

// pvmfgetmboxinfo() tells of one entry per call: of which it told last.
int last_entry = -1;

struct Place {
  int of_class;
  int entry;
};

/// The n-th entry over all classes; there are `count`.
Place place_of(struct pvmmboxinfo const* classes, int count, int n) {
  int of_class = 0;
  for (; of_class < count - 1 && n >= classes[of_class].mi_nentries; ++of_class)
    n -= classes[of_class].mi_nentries;
  return {of_class, n};
}

int entries_in(struct pvmmboxinfo const* classes, int count) {
  int entries = 0;
  for (int i = 0; i < count; ++i) entries += classes[i].mi_nentries;
  return entries;
}

}  // namespace

extern "C" {

void pvmfputinfo_(char* name, int* bufid, int* flags, int* index, Length length) {
  *index = with_text(name, length, [&](char* text) { return pvm_putinfo(text, *bufid, *flags); });
}

void pvmfrecvinfo_(char* name, int* index, int* flags, int* bufid, Length length) {
  *bufid = with_text(name, length, [&](char* text) { return pvm_recvinfo(text, *index, *flags); });
}

void pvmfdelinfo_(char* name, int* index, int* flags, int* info, Length length) {
  *info = with_text(name, length, [&](char* text) { return pvm_delinfo(text, *index, *flags); });
}

/// One entry per call, and round again; nclasses = -1 starts anew.
void pvmfgetmboxinfo_(char* pattern, char* name, int* nclasses, int* nentries, int* index,
                      int* owner, int* flags, int* info, Length pattern_length,
                      Length name_length) {
  if (*nclasses == -1) last_entry = -1;
  struct pvmmboxinfo* classes = nullptr;
  *info = with_text(pattern, pattern_length,
                    [&](char* text) { return pvm_getmboxinfo(text, nclasses, &classes); });
  if (*info < 0 || *nclasses < 1) return;
  last_entry = last_entry + 1 < entries_in(classes, *nclasses) ? last_entry + 1 : 0;
  Place const place = place_of(classes, *nclasses, last_entry);
  struct pvmmboxinfo const& found = classes[place.of_class];
  give(name, name_length, found.mi_name);
  *nentries = found.mi_nentries;
  *index = found.mi_indices[place.entry];
  *owner = found.mi_owners[place.entry];
  *flags = found.mi_flags[place.entry];
}

}  // extern "C"
