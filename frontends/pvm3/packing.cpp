// SPDX-License-Identifier: BSD-3-Clause
// Packing data: appends to the active send buffer.
#include "frontends/pvm3/call.hpp"
#include "frontends/pvm3/embedded.hpp"
#include "frontends/pvm3/typed_data.hpp"

using namespace earl;
using pvm::Type;

namespace {

[[gnu::always_inline]] inline int pack(char const* name, void const* from, pvm::Items items) {
  return pvm::call(name, [&](pvm::State& s) { return pvm::pack(s.buffers.send(), from, items); });
}

}  // namespace

extern "C" {

int pvm_pkbyte(char* p, int nitem, int stride) {
  return pack("pvm_pkbyte", p, {Type::byte, nitem, stride});
}

int pvm_pkcplx(float* p, int nitem, int stride) {
  return pack("pvm_pkcplx", p, {Type::complex, nitem, stride});
}

int pvm_pkdcplx(double* p, int nitem, int stride) {
  return pack("pvm_pkdcplx", p, {Type::double_complex, nitem, stride});
}

int pvm_pkdouble(double* p, int nitem, int stride) {
  return pack("pvm_pkdouble", p, {Type::double_real, nitem, stride});
}

int pvm_pkfloat(float* p, int nitem, int stride) {
  return pack("pvm_pkfloat", p, {Type::real, nitem, stride});
}

int pvm_pkint(int* p, int nitem, int stride) {
  return pack("pvm_pkint", p, {Type::integer, nitem, stride});
}

int pvm_pklong(long* p, int nitem, int stride) {
  return pack("pvm_pklong", p, {Type::long_int, nitem, stride});
}

int pvm_pkshort(short* p, int nitem, int stride) {
  return pack("pvm_pkshort", p, {Type::short_int, nitem, stride});
}

int pvm_pkuint(unsigned int* p, int nitem, int stride) {
  return pack("pvm_pkuint", p, {Type::unsigned_integer, nitem, stride});
}

int pvm_pkulong(unsigned long* p, int nitem, int stride) {
  return pack("pvm_pkulong", p, {Type::unsigned_long, nitem, stride});
}

int pvm_pkushort(unsigned short* p, int nitem, int stride) {
  return pack("pvm_pkushort", p, {Type::unsigned_short, nitem, stride});
}

int pvm_pkstr(char* text) {
  return pvm::call("pvm_pkstr",
                   [&](pvm::State& s) { return pvm::pack_text(s.buffers.send(), text); });
}

// The three calls for messages in messages print no errors, as in PVM.

int pvm_pkmesg(int bufid) {
  return pvm::quiet_call("pvm_pkmesg", [&](pvm::State& s) { return pvm::embed(s, bufid); });
}

int pvm_pkmesgbody(int bufid) {
  return pvm::quiet_call("pvm_pkmesgbody",
                         [&](pvm::State& s) { return pvm::embed_body(s, bufid); });
}

}  // extern "C"
