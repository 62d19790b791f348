// SPDX-License-Identifier: BSD-3-Clause
/// Standard, 3.12.5 and 3.13: counting what came, and packing.
#include <limits>

#include "frontends/mpi/call.hpp"

namespace earl::mpi {

namespace {

/// Where `size` bytes go in memory of `room` bytes that `position` are used of. Class `beyond` when
/// there is no such place.
std::size_t place_for(std::uint64_t size, int room, int position, char const* argument,
                      ErrorClass beyond) {
  if (room < 0) throw MpiError(ErrorClass::count, "{} is {}: pass 0 or more", argument, room);
  if (position < 0 || position > room)
    throw MpiError(ErrorClass::arg, "position is {}: {} is {}", position, argument, room);
  if (size > static_cast<std::uint64_t>(room - position))
    throw MpiError(beyond, "{} is {}: {} bytes from position {} do not fit", argument, room, size,
                   position);
  return static_cast<std::size_t>(position);
}

void check_packed(void const* memory, char const* argument) {
  if (!memory) throw MpiError(ErrorClass::buffer, "{} is a null pointer: pass memory", argument);
}

int elements(std::uint64_t bytes, TypeMap const& map) {
  if (map.size() == 0) return bytes == 0 ? 0 : MPI_UNDEFINED;
  auto const found = map.signature().elements_in(bytes);
  bool const fits = found.whole && found.elements <= std::numeric_limits<int>::max();
  return fits ? static_cast<int>(found.elements) : MPI_UNDEFINED;
}

}  // namespace
}  // namespace earl::mpi

namespace mpi = earl::mpi;
using mpi::State;

extern "C" int PMPI_Get_elements(MPI_Status const* status, MPI_Datatype datatype, int* count) {
  return mpi::call("MPI_Get_elements", MPI_COMM_WORLD, [&](State& me) {
    auto const bytes = mpi::bytes_in(mpi::require(status, "status"));
    mpi::require(count, "count") = mpi::elements(bytes, mpi::map_of(me, datatype));
  });
}
EARL_MPI(Get_elements)

extern "C" int PMPI_Pack(void const* inbuf, int incount, MPI_Datatype datatype, void* outbuf,
                         int outsize, int* position, MPI_Comm comm) {
  return mpi::call("MPI_Pack", comm, [&](State& me) {
    static_cast<void>(me.communicator(comm));
    auto const data = mpi::outgoing(me, inbuf, incount, datatype, {"inbuf", "incount"});
    auto& at = mpi::require(position, "position");
    auto const size = data.pieces.size();
    auto const begin = mpi::place_for(size, outsize, at, "outsize", mpi::ErrorClass::truncate);
    if (size == 0) return;
    mpi::check_packed(outbuf, "outbuf");
    earl::copy(data.pieces, earl::MutableBytes{static_cast<std::byte*>(outbuf) + begin, size});
    at += static_cast<int>(size);
  });
}
EARL_MPI(Pack)

extern "C" int PMPI_Unpack(void const* inbuf, int insize, int* position, void* outbuf, int outcount,
                           MPI_Datatype datatype, MPI_Comm comm) {
  return mpi::call("MPI_Unpack", comm, [&](State& me) {
    static_cast<void>(me.communicator(comm));
    auto const data = mpi::incoming(me, outbuf, outcount, datatype, {"outbuf", "outcount"});
    auto& at = mpi::require(position, "position");
    auto const size = data.pieces.size();
    auto const begin = mpi::place_for(size, insize, at, "insize", mpi::ErrorClass::truncate);
    if (size == 0) return;
    mpi::check_packed(inbuf, "inbuf");
    earl::copy(earl::Bytes{static_cast<std::byte const*>(inbuf) + begin, size}, data.pieces);
    at += static_cast<int>(size);
  });
}
EARL_MPI(Unpack)

extern "C" int PMPI_Pack_size(int incount, MPI_Datatype datatype, MPI_Comm comm, int* size) {
  return mpi::call("MPI_Pack_size", comm, [&](State& me) {
    static_cast<void>(me.communicator(comm));
    if (incount < 0)
      throw mpi::MpiError(mpi::ErrorClass::count, "incount is {}: pass 0 or more", incount);
    auto const bytes = mpi::size_of(me, datatype) * static_cast<std::size_t>(incount);
    mpi::require(size, "size") =
        bytes > std::numeric_limits<int>::max() ? MPI_UNDEFINED : static_cast<int>(bytes);
  });
}
EARL_MPI(Pack_size)
