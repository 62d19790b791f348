// SPDX-License-Identifier: BSD-3-Clause
/// Standard, 3.12: making datatypes, and asking about them.
#include <algorithm>
#include <cstring>
#include <limits>

#include "frontends/mpi/call.hpp"
#include "frontends/mpi/distributed_arrays.hpp"

namespace earl::mpi {

namespace {

Handle open(State& me, TypeMap map) { return me.datatypes().open(make<Datatype>(std::move(map))); }

/// Class COUNT.
void check_count(int count, char const* argument) {
  if (count < 0) throw MpiError(ErrorClass::count, "{} is {}: pass 0 or more", argument, count);
}

/// Class ARG.
void check_array(void const* array, int count, char const* argument) {
  check_count(count, "count");
  if (!array && count > 0)
    throw MpiError(ErrorClass::arg, "{} is a null pointer: pass an array of {}", argument, count);
}

/// Lengths of blocks, and where these begin: each `unit` bytes of what the program says.
struct Blocks {
  std::span<int const> lengths{};
  std::vector<std::ptrdiff_t> places{};

  template <class Place>
  Blocks(int count, int const* given_lengths, Place const* given_places, std::ptrdiff_t unit) {
    check_array(given_lengths, count, "array_of_blocklengths");
    check_array(given_places, count, "array_of_displacements");
    lengths = {given_lengths, static_cast<std::size_t>(count)};
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      check_count(lengths[i], "a blocklength");
      std::ptrdiff_t place = 0;
      if (__builtin_mul_overflow(std::ptrdiff_t{given_places[i]}, unit, &place))
        throw MpiError(ErrorClass::arg, "displacement {} reaches beyond all addresses: {} times {}",
                       i, given_places[i], unit);
      places.push_back(place);
    }
  }
};

/// The arguments of a constructor: class TYPE also where the type says too much.
template <class Make>
void construct(State& me, Handle* result, Make const& making) {
  require(result, "newtype");
  try {
    *result = open(me, making());
  } catch (MpiError const&) {
    throw;
  } catch (Error const& error) {
    throw MpiError(ErrorClass::arg, "{}: make a smaller one", error.what());
  }
}

void strided(State& me, int count, int length, std::ptrdiff_t stride, bool in_items, Handle old,
             Handle* result) {
  check_count(count, "count");
  check_count(length, "blocklength");
  TypeMap const& map = map_of(me, old, "oldtype");
  construct(me, result, [&] {
    std::ptrdiff_t bytes = stride;
    if (in_items && __builtin_mul_overflow(stride, map.extent(), &bytes))
      throw MpiError(ErrorClass::arg, "a stride of {} items reaches beyond all addresses", stride);
    return TypeMap::strided(count, length, bytes, map);
  });
}

template <class Place>
void indexed(State& me, int count, int const* lengths, Place const* places, bool in_items,
             Handle old, Handle* result) {
  TypeMap const& map = map_of(me, old, "oldtype");
  Blocks const blocks(count, lengths, places, in_items ? map.extent() : 1);
  construct(me, result, [&] { return TypeMap::indexed(blocks.lengths, blocks.places, map); });
}

void structure(State& me, int count, int const* lengths, long const* places, Handle const* types,
               Handle* result) {
  Blocks const blocks(count, lengths, places, 1);
  check_array(types, count, "array_of_types");
  std::vector<TypeMap const*> maps;
  for (int i = 0; i < count; ++i) maps.push_back(&map_of(me, types[i], "a type"));
  construct(me, result, [&] { return TypeMap::structure(blocks.lengths, blocks.places, maps); });
}

/// Class ARG.
void check_array_form(int dimensions, int order) {
  if (dimensions <= 0) throw MpiError(ErrorClass::arg, "ndims is {}: pass 1 or more", dimensions);
  if (order != MPI_ORDER_C && order != MPI_ORDER_FORTRAN)
    throw MpiError(ErrorClass::arg, "order is {}: pass MPI_ORDER_C or MPI_ORDER_FORTRAN", order);
}

/// One dimension of an array, and of the part of it that a type describes.
struct Dimension {
  int size;
  int part;
  int start;
};

/// From the one whose elements are neighbours on. Classes ARG.
std::vector<Dimension> dimensions(int count, int const* sizes, int const* parts, int const* starts,
                                  int order) {
  check_array_form(count, order);
  check_array(sizes, count, "array_of_sizes");
  check_array(parts, count, "array_of_subsizes");
  check_array(starts, count, "array_of_starts");
  std::vector<Dimension> made;
  for (int i = 0; i < count; ++i) {
    Dimension const one{sizes[i], parts[i], starts[i]};
    if (one.part < 1 || one.part > one.size)
      throw MpiError(ErrorClass::arg, "array_of_subsizes[{}] is {}: pass 1 to its size, {}", i,
                     one.part, one.size);
    if (one.start < 0 || one.start > one.size - one.part)
      throw MpiError(ErrorClass::arg, "array_of_starts[{}] is {}: pass 0 to {}", i, one.start,
                     one.size - one.part);
    made.push_back(one);
  }
  if (order == MPI_ORDER_C) std::ranges::reverse(made);
  return made;
}

TypeMap subarray(std::span<Dimension const> all, TypeMap const& old) {
  auto made = TypeMap::contiguous(all.front().part, old);
  std::ptrdiff_t step = old.extent(), begin = 0;  // of the dimension; of the part
  for (auto const& one : all) {
    if (&one != &all.front()) made = TypeMap::strided(one.part, 1, step, made);
    std::ptrdiff_t offset = 0;
    if (__builtin_mul_overflow(step, std::ptrdiff_t{one.start}, &offset) ||
        __builtin_add_overflow(begin, offset, &begin) ||
        __builtin_mul_overflow(step, std::ptrdiff_t{one.size}, &step))
      throw MpiError(ErrorClass::arg, "an array of {} dimensions reaches beyond all addresses",
                     all.size());
  }
  int const once = 1;
  auto const placed = TypeMap::indexed({&once, 1}, {&begin, 1}, made);
  return TypeMap::resized(placed, 0, step);
}

/// The program's own; class TYPE for a predefined one.
Ref<Datatype>& made(State& me, Handle datatype, char const* what) {
  if (auto* const found = me.datatypes().find(datatype)) return *found;
  if (builtin::find(datatype))
    throw MpiError(ErrorClass::type, "datatype is {}, a predefined one: it cannot be {}",
                   datatype_text(me, datatype), what);
  handle::refuse(datatype, Kind::datatype, "datatype");
}

int as_int(std::uint64_t number) {
  return number > std::numeric_limits<int>::max() ? MPI_UNDEFINED : static_cast<int>(number);
}

}  // namespace
}  // namespace earl::mpi

namespace mpi = earl::mpi;
using mpi::State;

extern "C" int PMPI_Type_contiguous(int count, MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return mpi::call("MPI_Type_contiguous", MPI_COMM_WORLD,
                   [&](State& me) { mpi::strided(me, 1, count, 0, false, oldtype, newtype); });
}
EARL_MPI(Type_contiguous)

extern "C" int PMPI_Type_vector(int count, int blocklength, int stride, MPI_Datatype oldtype,
                                MPI_Datatype* newtype) {
  return mpi::call("MPI_Type_vector", MPI_COMM_WORLD, [&](State& me) {
    mpi::strided(me, count, blocklength, stride, true, oldtype, newtype);
  });
}
EARL_MPI(Type_vector)

extern "C" int PMPI_Type_hvector(int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype,
                                 MPI_Datatype* newtype) {
  return mpi::call("MPI_Type_hvector", MPI_COMM_WORLD, [&](State& me) {
    mpi::strided(me, count, blocklength, stride, false, oldtype, newtype);
  });
}
EARL_MPI(Type_hvector)

extern "C" int PMPI_Type_create_hvector(int count, int blocklength, MPI_Aint stride,
                                        MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return mpi::call("MPI_Type_create_hvector", MPI_COMM_WORLD, [&](State& me) {
    mpi::strided(me, count, blocklength, stride, false, oldtype, newtype);
  });
}
EARL_MPI(Type_create_hvector)

extern "C" int PMPI_Type_indexed(int count, int const lengths[], int const places[],
                                 MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return mpi::call("MPI_Type_indexed", MPI_COMM_WORLD, [&](State& me) {
    mpi::indexed(me, count, lengths, places, true, oldtype, newtype);
  });
}
EARL_MPI(Type_indexed)

extern "C" int PMPI_Type_hindexed(int count, int const lengths[], MPI_Aint const places[],
                                  MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return mpi::call("MPI_Type_hindexed", MPI_COMM_WORLD, [&](State& me) {
    mpi::indexed(me, count, lengths, places, false, oldtype, newtype);
  });
}
EARL_MPI(Type_hindexed)

extern "C" int PMPI_Type_create_hindexed(int count, int const lengths[], MPI_Aint const places[],
                                         MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return mpi::call("MPI_Type_create_hindexed", MPI_COMM_WORLD, [&](State& me) {
    mpi::indexed(me, count, lengths, places, false, oldtype, newtype);
  });
}
EARL_MPI(Type_create_hindexed)

extern "C" int PMPI_Type_create_indexed_block(int count, int blocklength, int const places[],
                                              MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return mpi::call("MPI_Type_create_indexed_block", MPI_COMM_WORLD, [&](State& me) {
    mpi::check_count(count, "count");
    std::vector<int> const lengths(static_cast<std::size_t>(count), blocklength);
    mpi::indexed(me, count, lengths.data(), places, true, oldtype, newtype);
  });
}
EARL_MPI(Type_create_indexed_block)

extern "C" int PMPI_Type_struct(int count, int const lengths[], MPI_Aint const places[],
                                MPI_Datatype const types[], MPI_Datatype* newtype) {
  return mpi::call("MPI_Type_struct", MPI_COMM_WORLD,
                   [&](State& me) { mpi::structure(me, count, lengths, places, types, newtype); });
}
EARL_MPI(Type_struct)

extern "C" int PMPI_Type_create_struct(int count, int const lengths[], MPI_Aint const places[],
                                       MPI_Datatype const types[], MPI_Datatype* newtype) {
  return mpi::call("MPI_Type_create_struct", MPI_COMM_WORLD,
                   [&](State& me) { mpi::structure(me, count, lengths, places, types, newtype); });
}
EARL_MPI(Type_create_struct)

extern "C" int PMPI_Type_create_resized(MPI_Datatype oldtype, MPI_Aint lb, MPI_Aint extent,
                                        MPI_Datatype* newtype) {
  return mpi::call("MPI_Type_create_resized", MPI_COMM_WORLD, [&](State& me) {
    auto const& map = mpi::map_of(me, oldtype, "oldtype");
    mpi::construct(me, newtype, [&] { return mpi::TypeMap::resized(map, lb, extent); });
  });
}
EARL_MPI(Type_create_resized)

extern "C" int PMPI_Type_create_subarray(int ndims, int const sizes[], int const subsizes[],
                                         int const starts[], int order, MPI_Datatype oldtype,
                                         MPI_Datatype* newtype) {
  return mpi::call("MPI_Type_create_subarray", MPI_COMM_WORLD, [&](State& me) {
    auto const all = mpi::dimensions(ndims, sizes, subsizes, starts, order);
    auto const& map = mpi::map_of(me, oldtype, "oldtype");
    mpi::construct(me, newtype, [&] { return mpi::subarray(all, map); });
  });
}
EARL_MPI(Type_create_subarray)

extern "C" int PMPI_Type_create_darray(int size, int rank, int ndims, int const gsizes[],
                                       int const distribs[], int const dargs[], int const psizes[],
                                       int order, MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return mpi::call("MPI_Type_create_darray", MPI_COMM_WORLD, [&](State& me) {
    mpi::check_array_form(ndims, order);
    mpi::check_array(gsizes, ndims, "array_of_gsizes");
    mpi::check_array(distribs, ndims, "array_of_distribs");
    mpi::check_array(dargs, ndims, "array_of_dargs");
    mpi::check_array(psizes, ndims, "array_of_psizes");
    std::vector<mpi::DistributedDimension> all;
    for (int i = 0; i < ndims; ++i) all.push_back({gsizes[i], distribs[i], dargs[i], psizes[i]});
    auto const& map = mpi::map_of(me, oldtype, "oldtype");
    mpi::construct(me, newtype, [&] { return mpi::distributed(all, size, rank, order, map); });
  });
}
EARL_MPI(Type_create_darray)

extern "C" int PMPI_Type_dup(MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return mpi::call("MPI_Type_dup", MPI_COMM_WORLD, [&](State& me) {
    auto const& map = mpi::map_of(me, oldtype, "oldtype");
    mpi::construct(me, newtype, [&] { return map; });
    auto* const old = me.datatypes().find(oldtype);
    (*me.datatypes().find(*newtype))->committed = !old || (*old)->committed;
  });
}
EARL_MPI(Type_dup)

extern "C" int PMPI_Type_commit(MPI_Datatype* datatype) {
  return mpi::call("MPI_Type_commit", MPI_COMM_WORLD, [&](State& me) {
    static_cast<void>(mpi::map_of(me, mpi::require(datatype, "datatype")));
    if (auto* const made = me.datatypes().find(*datatype)) (*made)->committed = true;
  });
}
EARL_MPI(Type_commit)

extern "C" int PMPI_Type_free(MPI_Datatype* datatype) {
  return mpi::call("MPI_Type_free", MPI_COMM_WORLD, [&](State& me) {
    mpi::made(me, mpi::require(datatype, "datatype"), "freed");
    me.datatypes().close(*datatype);
    *datatype = MPI_DATATYPE_NULL;
  });
}
EARL_MPI(Type_free)

extern "C" int PMPI_Address(void const* location, MPI_Aint* address) {
  return mpi::call("MPI_Address", MPI_COMM_WORLD, [&](State&) {
    mpi::require(address, "address") = reinterpret_cast<MPI_Aint>(location);
  });
}
EARL_MPI(Address)

extern "C" int PMPI_Get_address(void const* location, MPI_Aint* address) {
  return mpi::call("MPI_Get_address", MPI_COMM_WORLD, [&](State&) {
    mpi::require(address, "address") = reinterpret_cast<MPI_Aint>(location);
  });
}
EARL_MPI(Get_address)

extern "C" int PMPI_Type_extent(MPI_Datatype datatype, MPI_Aint* extent) {
  return mpi::call("MPI_Type_extent", MPI_COMM_WORLD, [&](State& me) {
    mpi::require(extent, "extent") = mpi::map_of(me, datatype).extent();
  });
}
EARL_MPI(Type_extent)

extern "C" int PMPI_Type_get_extent(MPI_Datatype datatype, MPI_Aint* lb, MPI_Aint* extent) {
  return mpi::call("MPI_Type_get_extent", MPI_COMM_WORLD, [&](State& me) {
    auto const& map = mpi::map_of(me, datatype);
    mpi::require(lb, "lb") = map.lower();
    mpi::require(extent, "extent") = map.extent();
  });
}
EARL_MPI(Type_get_extent)

extern "C" int PMPI_Type_get_true_extent(MPI_Datatype datatype, MPI_Aint* true_lb,
                                         MPI_Aint* true_extent) {
  return mpi::call("MPI_Type_get_true_extent", MPI_COMM_WORLD, [&](State& me) {
    auto const& map = mpi::map_of(me, datatype);
    mpi::require(true_lb, "true_lb") = map.true_lower();
    mpi::require(true_extent, "true_extent") = map.true_extent();
  });
}
EARL_MPI(Type_get_true_extent)

extern "C" int PMPI_Type_size(MPI_Datatype datatype, int* size) {
  return mpi::call("MPI_Type_size", MPI_COMM_WORLD, [&](State& me) {
    mpi::require(size, "size") = mpi::as_int(mpi::map_of(me, datatype).size());
  });
}
EARL_MPI(Type_size)

extern "C" int PMPI_Type_count(MPI_Datatype datatype, int* count) {
  return mpi::call("MPI_Type_count", MPI_COMM_WORLD, [&](State& me) {
    mpi::require(count, "count") = mpi::as_int(mpi::map_of(me, datatype).signature().elements());
  });
}
EARL_MPI(Type_count)

extern "C" int PMPI_Type_lb(MPI_Datatype datatype, MPI_Aint* displacement) {
  return mpi::call("MPI_Type_lb", MPI_COMM_WORLD, [&](State& me) {
    mpi::require(displacement, "displacement") = mpi::map_of(me, datatype).lower();
  });
}
EARL_MPI(Type_lb)

extern "C" int PMPI_Type_ub(MPI_Datatype datatype, MPI_Aint* displacement) {
  return mpi::call("MPI_Type_ub", MPI_COMM_WORLD, [&](State& me) {
    mpi::require(displacement, "displacement") = mpi::map_of(me, datatype).upper();
  });
}
EARL_MPI(Type_ub)
