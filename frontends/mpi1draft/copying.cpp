// SPDX-License-Identifier: BSD-3-Clause
/// Proposal, 3.4: copying between blocks and contiguous memory. `buf` is the blocks' side always.
#include <numeric>

#include "frontends/mpi1draft/call.hpp"
#include "frontends/mpi1draft/include/mpi1.h"

namespace earl::mpi1draft {

namespace {

template <class Piece>
std::size_t size_of(List<Piece> const& pieces) {
  return std::accumulate(pieces.begin(), pieces.end(), std::size_t{0},
                         [](std::size_t sum, Piece const& one) { return sum + one.size(); });
}

int pack(List<Bytes> const& from, void* msg) {
  int const length = length_of(size_of(from));
  copy(Gather{std::span<const Bytes>{from}}, mutable_bytes(msg, length));
  return length;
}

int unpack(List<MutableBytes> const& into, void const* msg) {
  int const length = length_of(size_of(into));
  copy(bytes(msg, length), Scatter{std::span<const MutableBytes>{into}});
  return length;
}

int spack(State&, void const* buf, int lenblk, int stride, int nblk, void* msg) {
  Pattern const pattern = blocks(buf, {.length = lenblk, .stride = stride, .count = nblk});
  int const length = length_of(pattern.size());
  copy(Gather{static_cast<std::byte const*>(buf), pattern}, mutable_bytes(msg, length));
  return length;
}

int sunpack(State&, void* buf, int lenblk, int stride, int nblk, void const* msg) {
  Pattern const pattern = blocks(buf, {.length = lenblk, .stride = stride, .count = nblk});
  int const length = length_of(pattern.size());
  copy(bytes(msg, length), Scatter{static_cast<std::byte*>(buf), pattern});
  return length;
}

int gpack(State&, int const* nlist, void const* ilist, int nblk, void* msg) {
  return pack(listed_bytes(nlist, ilist, nblk), msg);
}

int gunpack(State&, int const* nlist, void const* ilist, int nblk, void const* msg) {
  return unpack(listed_room(nlist, ilist, nblk), msg);
}

int gpack_f(State&, void const* buf, int const* nlist, int const* ilist, int nblk, void* msg) {
  return pack(listed_bytes(buf, nlist, ilist, nblk), msg);
}

int gunpack_f(State&, void* buf, int const* nlist, int const* ilist, int nblk, void const* msg) {
  return unpack(listed_room(buf, nlist, ilist, nblk), msg);
}

}  // namespace
}  // namespace earl::mpi1draft

namespace draft = earl::mpi1draft;
using draft::Integer;

extern "C" int MPI_SPACK(void const* buf, int lenblk, int stride, int nblk, void* msg) {
  return draft::call("MPI_SPACK", draft::spack, buf, lenblk, stride, nblk, msg);
}
extern "C" int mpi_spack_(void const* buf, Integer lenblk, Integer stride, Integer nblk,
                          void* msg) {
  return draft::call("MPI_SPACK", draft::spack, buf, lenblk, stride, nblk, msg);
}
EARL_DRAFT_FORTRAN(mpi_spack);

extern "C" int MPI_SUNPACK(void* buf, int lenblk, int stride, int nblk, void const* msg) {
  return draft::call("MPI_SUNPACK", draft::sunpack, buf, lenblk, stride, nblk, msg);
}
extern "C" int mpi_sunpack_(void* buf, Integer lenblk, Integer stride, Integer nblk,
                            void const* msg) {
  return draft::call("MPI_SUNPACK", draft::sunpack, buf, lenblk, stride, nblk, msg);
}
EARL_DRAFT_FORTRAN(mpi_sunpack);

extern "C" int MPI_GPACK(int const* nlist, void const* ilist, int nblk, void* msg) {
  return draft::call("MPI_GPACK", draft::gpack, nlist, ilist, nblk, msg);
}
extern "C" int mpi_gpack_(void const* buf, int const* nlist, int const* ilist, Integer nblk,
                          void* msg) {
  return draft::call("MPI_GPACK", draft::gpack_f, buf, nlist, ilist, nblk, msg);
}
EARL_DRAFT_FORTRAN(mpi_gpack);

extern "C" int MPI_GUNPACK(int const* nlist, void const* ilist, int nblk, void const* msg) {
  return draft::call("MPI_GUNPACK", draft::gunpack, nlist, ilist, nblk, msg);
}
extern "C" int mpi_gunpack_(void* buf, int const* nlist, int const* ilist, Integer nblk,
                            void const* msg) {
  return draft::call("MPI_GUNPACK", draft::gunpack_f, buf, nlist, ilist, nblk, msg);
}
EARL_DRAFT_FORTRAN(mpi_gunpack);
