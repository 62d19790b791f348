// SPDX-License-Identifier: BSD-3-Clause
// Unpacking data: reads on in the active receive buffer.
#include "frontends/pvm3/call.hpp"
#include "frontends/pvm3/embedded.hpp"
#include "frontends/pvm3/typed_data.hpp"

using namespace earl;
using pvm::Type;

namespace {

[[gnu::always_inline]] inline int unpack(char const* name, void* into, pvm::Items items) {
  return pvm::call(name,
                   [&](pvm::State& s) { return pvm::unpack(s.buffers.receive(), into, items); });
}

}  // namespace

extern "C" {

int pvm_upkbyte(char* p, int nitem, int stride) {
  return unpack("pvm_upkbyte", p, {Type::byte, nitem, stride});
}

int pvm_upkcplx(float* p, int nitem, int stride) {
  return unpack("pvm_upkcplx", p, {Type::complex, nitem, stride});
}

int pvm_upkdcplx(double* p, int nitem, int stride) {
  return unpack("pvm_upkdcplx", p, {Type::double_complex, nitem, stride});
}

int pvm_upkdouble(double* p, int nitem, int stride) {
  return unpack("pvm_upkdouble", p, {Type::double_real, nitem, stride});
}

int pvm_upkfloat(float* p, int nitem, int stride) {
  return unpack("pvm_upkfloat", p, {Type::real, nitem, stride});
}

int pvm_upkint(int* p, int nitem, int stride) {
  return unpack("pvm_upkint", p, {Type::integer, nitem, stride});
}

int pvm_upklong(long* p, int nitem, int stride) {
  return unpack("pvm_upklong", p, {Type::long_int, nitem, stride});
}

int pvm_upkshort(short* p, int nitem, int stride) {
  return unpack("pvm_upkshort", p, {Type::short_int, nitem, stride});
}

int pvm_upkuint(unsigned int* p, int nitem, int stride) {
  return unpack("pvm_upkuint", p, {Type::unsigned_integer, nitem, stride});
}

int pvm_upkulong(unsigned long* p, int nitem, int stride) {
  return unpack("pvm_upkulong", p, {Type::unsigned_long, nitem, stride});
}

int pvm_upkushort(unsigned short* p, int nitem, int stride) {
  return unpack("pvm_upkushort", p, {Type::unsigned_short, nitem, stride});
}

int pvm_upkstr(char* text) {
  return pvm::call("pvm_upkstr",
                   [&](pvm::State& s) { return pvm::unpack_text(s.buffers.receive(), text); });
}

/// Like pvm_upkstr(), into memory for the caller to free.
int pvmupkstralloc(char** text) {
  return pvm::call("pvmupkstralloc",
                   [&](pvm::State& s) { return pvm::unpack_allocated(s.buffers.receive(), text); });
}

int pvm_upkmesg(void) {
  return pvm::quiet_call("pvm_upkmesg", [](pvm::State& s) { return pvm::unembed(s); });
}

}  // extern "C"
