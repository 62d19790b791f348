// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/mpi/distributed_arrays.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "frontends/mpi/abi.hpp"
#include "frontends/mpi/errors.hpp"

namespace earl::mpi {

namespace {

/// The indices of one dimension that a process has: `count` blocks of `length`, the first at
/// `first`, each `stride` behind the one before; then `rest` more, a stride behind the last block.
struct Share {
  std::int64_t first = 0;
  std::int64_t length = 0;
  std::int64_t stride = 0;
  std::int64_t count = 0;
  std::int64_t rest = 0;
};

std::int64_t block_size(DistributedDimension const& one, std::size_t number) {
  std::int64_t const even = (std::int64_t{one.size} + one.processes - 1) / one.processes;
  bool const is_block = one.distribution == MPI_DISTRIBUTE_BLOCK;
  if (one.argument == MPI_DISTRIBUTE_DFLT_DARG) return is_block ? even : 1;
  std::int64_t const least = is_block ? even : 1;
  if (one.argument < least)
    throw MpiError(ErrorClass::arg,
                   "array_of_dargs[{}] is {}: pass {} or more, or MPI_DISTRIBUTE_DFLT_DARG", number,
                   one.argument, least);
  return one.argument;
}

Share share_of(DistributedDimension const& one, std::size_t number, int place) {
  if (one.distribution == MPI_DISTRIBUTE_NONE) return {.length = one.size, .count = 1};
  std::int64_t const block = block_size(one, number);
  std::int64_t const first = place * block, stride = one.processes * block;
  std::int64_t const size = one.size;
  if (first >= size) return {};
  std::int64_t const whole = size - first >= block ? (size - first - block) / stride + 1 : 0;
  std::int64_t const next = first + whole * stride;
  return {.first = first,
          .length = block,
          .stride = stride,
          .count = whole,
          .rest = std::clamp<std::int64_t>(size - next, 0, block)};
}

/// Class ARG.
void check(DistributedDimension const& one, std::size_t number) {
  if (one.size < 1)
    throw MpiError(ErrorClass::arg, "array_of_gsizes[{}] is {}: pass 1 or more", number, one.size);
  if (one.processes < 1)
    throw MpiError(ErrorClass::arg, "array_of_psizes[{}] is {}: pass 1 or more", number,
                   one.processes);
  if (one.distribution == MPI_DISTRIBUTE_NONE && one.processes != 1)
    throw MpiError(ErrorClass::arg,
                   "array_of_psizes[{}] is {}: pass 1 where nothing is distributed", number,
                   one.processes);
  if (one.distribution != MPI_DISTRIBUTE_BLOCK && one.distribution != MPI_DISTRIBUTE_CYCLIC &&
      one.distribution != MPI_DISTRIBUTE_NONE)
    throw MpiError(ErrorClass::arg,
                   "array_of_distribs[{}] is {}: pass MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC "
                   "or MPI_DISTRIBUTE_NONE",
                   number, one.distribution);
}

/// The place of a process in each dimension of the grid. Class ARG.
std::vector<int> places(std::span<DistributedDimension const> all, int processes, int process) {
  if (processes < 1) throw MpiError(ErrorClass::arg, "size is {}: pass 1 or more", processes);
  if (process < 0 || process >= processes)
    throw MpiError(ErrorClass::arg, "rank is {}: pass 0 to {}", process, processes - 1);
  std::vector<int> result(all.size());
  std::int64_t grid = 1;
  for (std::size_t i = all.size(); i-- > 0;) {
    result[i] = process % all[i].processes;
    process /= all[i].processes;
    if (grid <= processes) grid *= all[i].processes;
  }
  if (grid != processes)
    throw MpiError(ErrorClass::arg,
                   "array_of_psizes is a grid of {} processes, size is {}: they "
                   "must be the same",
                   grid, processes);
  return result;
}

/// `step`: from one index to the next, in bytes. Nothing overflows: the whole array does not.
TypeMap share(Share const& one, std::ptrdiff_t step, TypeMap const& element) {
  auto const blocks = TypeMap::strided(one.count, one.length, one.stride * step, element);
  auto const rest = TypeMap::contiguous(one.rest, element);
  std::array const once{1, 1};
  std::array const at{one.first * step, (one.first + one.count * one.stride) * step};
  std::array const both{&blocks, &rest};
  auto const used = one.rest == 0 ? std::size_t{1} : both.size();
  return TypeMap::structure(std::span{once}.first(used), std::span{at}.first(used),
                            std::span{both}.first(used));
}

}  // namespace

TypeMap distributed(std::span<DistributedDimension const> dimensions, int processes, int process,
                    int order, TypeMap const& old) {
  for (std::size_t i = 0; i < dimensions.size(); ++i) check(dimensions[i], i);
  auto const at = places(dimensions, processes, process);
  std::ptrdiff_t whole = old.extent();
  for (auto const& one : dimensions)
    if (__builtin_mul_overflow(whole, std::ptrdiff_t{one.size}, &whole))
      throw MpiError(ErrorClass::arg, "an array of {} dimensions reaches beyond all addresses",
                     dimensions.size());
  TypeMap made = old;
  std::ptrdiff_t step = old.extent();
  for (std::size_t n = 0; n < dimensions.size(); ++n) {
    std::size_t const i = order == MPI_ORDER_C ? dimensions.size() - 1 - n : n;
    made = share(share_of(dimensions[i], i, at[i]), step, made);
    step *= dimensions[i].size;
    made = TypeMap::resized(made, 0, step);
  }
  return made;
}

}  // namespace earl::mpi
