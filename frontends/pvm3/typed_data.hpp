// SPDX-License-Identifier: BSD-3-Clause
/// PVM's names for the element types of generic/packing.hpp, and PVM's message buffers around it.
#pragma once

#include <string_view>

#include "frontends/pvm3/message_buffer.hpp"

namespace earl::pvm {

/// The element types of pvm_psend() and the pack routines; PVM_STR is none of them.
enum class Type : int {
  byte = PVM_BYTE,
  short_int = PVM_SHORT,
  integer = PVM_INT,
  real = PVM_FLOAT,
  complex = PVM_CPLX,
  double_real = PVM_DOUBLE,
  double_complex = PVM_DCPLX,
  long_int = PVM_LONG,
  unsigned_short = PVM_USHORT,
  unsigned_integer = PVM_UINT,
  unsigned_long = PVM_ULONG,
};

/// Size in the program's memory of one element of a native type number; 0: no such type.
std::size_t size_of(int type);

/// The elements: `count` of them, `stride` elements apart (which may be 0 or negative).
struct Items {
  Type type = Type::byte;
  int count = 0;
  int stride = 1;
};

// All give PvmOk or the native error.
int pack(MessageBuffer* into, void const* from, Items items);
int unpack(MessageBuffer* from, void* into, Items items);
/// With its length in front, the terminating NUL counted.
int pack_text(MessageBuffer* into, char const* text);
/// Also writes the terminating NUL the message holds; the program must have room for it.
int unpack_text(MessageBuffer* from, char* into);
/// Into memory from malloc().
int unpack_allocated(MessageBuffer* from, char** into);

}  // namespace earl::pvm
