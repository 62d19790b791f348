// SPDX-License-Identifier: BSD-3-Clause
/// Elements of the types that C and Fortran programs send, in and out of messages: as they lie in
/// memory, or in XDR (RFC 4506), which every host reads alike.
///
/// No type is sent: the unpacking side must know the packed types and their order. Runs of other
/// lengths are fine, but for bytes in XDR, of which each run is padded.
#pragma once

#include <optional>
#include <string_view>

#include "generic/base/bytes.hpp"
#include "generic/base/values.hpp"

namespace earl {

/// One element's type, and its XDR form.
enum class Element : std::uint8_t {
  byte,              ///< C char, Fortran CHARACTER; XDR: opaque, each run padded to four bytes
  short_integer,     ///< XDR: an int, as for all that are shorter
  unsigned_short,    //
  integer,           ///< C int, Fortran INTEGER
  unsigned_integer,  //
  long_integer,      ///< XDR: a hyper where a long has 64 bits
  unsigned_long,     //
  logical,           ///< Fortran LOGICAL, four bytes; XDR: an int with the same bits
  real,              ///< C float, Fortran REAL
  double_real,       ///< C double, Fortran DOUBLE PRECISION
  complex,           ///< two of them, real part first
  double_complex,    //
};

/// Bytes of one element in the program's memory.
std::size_t size_of(Element element);

/// `count` elements, `stride` elements apart (which may be 0 or negative).
struct Items {
  Element element = Element::byte;
  std::size_t count = 0;
  std::ptrdiff_t stride = 1;
};

/// Bytes that pack() writes. Encodings other than XDR are raw.
std::size_t packed_size(Items const& items, Encoding encoding);
/// Writes the elements at `from` to the start of `to`, which has room for packed_size().
void pack(Items const& items, void const* from, Encoding encoding, MutableBytes to);

struct Unpacked {
  std::size_t bytes = 0;  ///< read
  bool all = false;       ///< false: the message ended before; the elements until then were read
};
Unpacked unpack(Items const& items, Bytes from, Encoding encoding, void* into);

// Texts: their length, then their bytes. Whether a terminating NUL counts is up to the caller.
std::size_t packed_size(std::string_view text, Encoding encoding);
void pack(std::string_view text, Encoding encoding, MutableBytes to);
struct UnpackedText {
  std::string_view text;  ///< inside the message
  std::size_t bytes = 0;  ///< read
};
/// Null: the message does not hold as many bytes as the length says.
std::optional<UnpackedText> unpack_text(Bytes from, Encoding encoding);

}  // namespace earl
