// SPDX-License-Identifier: BSD-3-Clause
// Message buffers, packing, sending and receiving, from Fortran.
#include <sys/time.h>

#include "frontends/pvm3/fortran/site.hpp"
#include "frontends/pvm3/include/pvm3.h"

using earl::pvm::fortran::Site;

namespace {

// The numbers of fpvm3.h are those of the C interface: STRING is PVM_STR and so on, up to
// INTEGER8, which is PVM_LONG. A STRING travels as bytes, without a length.
int pack(int what, void* p, int count, int stride) {
  switch (what) {
    case PVM_STR:
    case PVM_BYTE:
      return pvm_pkbyte(static_cast<char*>(p), count, stride);
    case PVM_SHORT:
      return pvm_pkshort(static_cast<short*>(p), count, stride);
    case PVM_INT:
      return pvm_pkint(static_cast<int*>(p), count, stride);
    case PVM_FLOAT:
      return pvm_pkfloat(static_cast<float*>(p), count, stride);
    case PVM_CPLX:
      return pvm_pkcplx(static_cast<float*>(p), count, stride);
    case PVM_DOUBLE:
      return pvm_pkdouble(static_cast<double*>(p), count, stride);
    case PVM_DCPLX:
      return pvm_pkdcplx(static_cast<double*>(p), count, stride);
    case PVM_LONG:
      return pvm_pklong(static_cast<long*>(p), count, stride);
    default:
      return PvmBadParam;
  }
}

int unpack(int what, void* p, int count, int stride) {
  switch (what) {
    case PVM_STR:
    case PVM_BYTE:
      return pvm_upkbyte(static_cast<char*>(p), count, stride);
    case PVM_SHORT:
      return pvm_upkshort(static_cast<short*>(p), count, stride);
    case PVM_INT:
      return pvm_upkint(static_cast<int*>(p), count, stride);
    case PVM_FLOAT:
      return pvm_upkfloat(static_cast<float*>(p), count, stride);
    case PVM_CPLX:
      return pvm_upkcplx(static_cast<float*>(p), count, stride);
    case PVM_DOUBLE:
      return pvm_upkdouble(static_cast<double*>(p), count, stride);
    case PVM_DCPLX:
      return pvm_upkdcplx(static_cast<double*>(p), count, stride);
    case PVM_LONG:
      return pvm_upklong(static_cast<long*>(p), count, stride);
    default:
      return PvmBadParam;
  }
}

}  // namespace

extern "C" {

void pvmfinitsend_(int* encoding, int* bufid) {
  Site const site;
  *bufid = pvm_initsend(*encoding);
}
void pvmfmkbuf_(int* encoding, int* bufid) {
  Site const site;
  *bufid = pvm_mkbuf(*encoding);
}
void pvmffreebuf_(int* bufid, int* info) {
  Site const site;
  *info = pvm_freebuf(*bufid);
}
void pvmfgetsbuf_(int* bufid) {
  Site const site;
  *bufid = pvm_getsbuf();
}
void pvmfgetrbuf_(int* bufid) {
  Site const site;
  *bufid = pvm_getrbuf();
}
void pvmfsetsbuf_(int* bufid, int* previous) {
  Site const site;
  *previous = pvm_setsbuf(*bufid);
}
void pvmfsetrbuf_(int* bufid, int* previous) {
  Site const site;
  *previous = pvm_setrbuf(*bufid);
}

void pvmfbufinfo_(int* bufid, int* bytes, int* tag, int* tid, int* info) {
  Site const site;

  *info = pvm_bufinfo(*bufid, bytes, tag, tid);
}

// When xp is a CHARACTER variable its length comes behind; it is the count that counts.
void pvmfpack_(int* what, void* xp, int* nitem, int* stride, int* info) {
  Site const site;

  *info = pack(*what, xp, *nitem, *stride);
}

void pvmfunpack_(int* what, void* xp, int* nitem, int* stride, int* info) {
  Site const site;

  *info = unpack(*what, xp, *nitem, *stride);
}

void pvmfsend_(int* tid, int* tag, int* info) {
  Site const site;
  *info = pvm_send(*tid, *tag);
}

void pvmfmcast_(int* ntask, int* tids, int* tag, int* info) {
  Site const site;

  *info = pvm_mcast(tids, *ntask, *tag);
}

void pvmfpsend_(int* tid, int* tag, void* buf, int* len, int* type, int* info) {
  Site const site;

  *info = pvm_psend(*tid, *tag, buf, *len, *type);
}

void pvmfrecv_(int* tid, int* tag, int* bufid) {
  Site const site;
  *bufid = pvm_recv(*tid, *tag);
}
void pvmfnrecv_(int* tid, int* tag, int* bufid) {
  Site const site;
  *bufid = pvm_nrecv(*tid, *tag);
}
void pvmfprobe_(int* tid, int* tag, int* bufid) {
  Site const site;
  *bufid = pvm_probe(*tid, *tag);
}

/// sec = -1 waits for ever.
void pvmftrecv_(int* tid, int* tag, int* sec, int* usec, int* bufid) {
  Site const site;

  struct timeval timeout = {};
  timeout.tv_sec = *sec;
  timeout.tv_usec = *usec;
  *bufid = pvm_trecv(*tid, *tag, *sec == -1 ? nullptr : &timeout);
}

void pvmfprecv_(int* tid, int* tag, void* buf, int* len, int* type, int* atid, int* atag, int* alen,
                int* info) {
  Site const site;

  *info = pvm_precv(*tid, *tag, buf, *len, *type, atid, atag, alen);
}

void pvmfnewcontext_(int* context) {
  Site const site;
  *context = pvm_newcontext();
}
void pvmfgetcontext_(int* context) {
  Site const site;
  *context = pvm_getcontext();
}
void pvmfsetcontext_(int* context, int* previous) {
  Site const site;
  *previous = pvm_setcontext(*context);
}
// The native one sets the context instead.
void pvmffreecontext_(int* context, int* info) {
  Site const site;
  *info = pvm_freecontext(*context);
}

void pvmfaddmhf_(int* src, int* tag, int* ctx, void*, int (*function)(int), int* id) {
  Site const site;

  *id = pvm_addmhf(*src, *tag, *ctx, function);
}

void pvmfdelmhf_(int* id, int* info) {
  Site const site;
  *info = pvm_delmhf(*id);
}

}  // extern "C"
