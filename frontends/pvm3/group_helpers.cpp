// SPDX-License-Identifier: BSD-3-Clause
// Small routines that the native libgpvm3 uses inside and exports by accident.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <span>

#include "frontends/pvm3/group_call.hpp"
#include "generic/system/heap.hpp"

using namespace earl;

namespace {

/// The size of one item, by PVM_STR and its like.
constexpr std::array item_sizes{1, 1, 2, 4, 4, 8, 8, 16, 8};

using Routine = void (*)();

template <class... Arguments>
Routine any(int (*routine)(Arguments...)) {
  return reinterpret_cast<Routine>(routine);
}

struct Packers {
  Routine pack;
  Routine unpack;
};

Packers packers_of(int type) {
  switch (type) {
    case PVM_STR:
      return {any(pvm_pkstr), any(pvm_upkstr)};
    case PVM_BYTE:
      return {any(pvm_pkbyte), any(pvm_upkbyte)};
    case PVM_SHORT:
      return {any(pvm_pkshort), any(pvm_upkshort)};
    case PVM_INT:
      return {any(pvm_pkint), any(pvm_upkint)};
    case PVM_FLOAT:
      return {any(pvm_pkfloat), any(pvm_upkfloat)};
    case PVM_CPLX:
      return {any(pvm_pkcplx), any(pvm_upkcplx)};
    case PVM_DOUBLE:
      return {any(pvm_pkdouble), any(pvm_upkdouble)};
    case PVM_DCPLX:
      return {any(pvm_pkdcplx), any(pvm_upkdcplx)};
    case PVM_LONG:
      return {any(pvm_pklong), any(pvm_upklong)};
    default:
      return {nullptr, nullptr};
  }
}

int itself(int value) { return value; }

}  // namespace

extern "C" {

int gs_retint(int value) { return itself(value); }

int gs_get_datasize(int type) {
  if (type < PVM_STR || type > PVM_LONG) return PvmBadParam;
  return item_sizes[static_cast<std::size_t>(type)];
}

int gs_pack_unpack(int type, void (**pack)(), void (**unpack)()) {
  auto const found = packers_of(type);
  if (!found.pack) return PvmBadParam;
  *pack = found.pack;
  *unpack = found.unpack;
  return PvmOk;
}

int gs_tidtohost(int tid) { return pvm_tidtohost(tid); }

/// Where `wanted` is among the values that `value_of` (null: itself) gives of an ascending list;
/// else below zero: minus one and the place where it belongs.
int gs_binsearch(int const* list, int count, int wanted, int (*value_of)(int)) {
  const std::span all{list, static_cast<std::size_t>(std::max(count, 0))};
  auto const found = std::ranges::lower_bound(all, wanted, {}, value_of ? value_of : itself);
  auto const place = static_cast<int>(found - all.begin());
  bool const there = found != all.end() && (value_of ? value_of : itself)(*found) == wanted;
  return there ? place : -place - 1;
}

/// The array, from the program's malloc(), if it has `wanted` places; else one that has `more` than
/// it, the new ones filled. Null: no memory.
int* gs_realloc_int_array(int wanted, int* size, int* array, int more, int filling,
                          char const* /*who*/) {
  if (*size >= wanted) return array;
  auto const longer = static_cast<std::size_t>(*size + more);
  auto* const grown = static_cast<int*>(heap::program_realloc(array, longer * sizeof(int)));
  if (!grown) return nullptr;
  std::fill(grown + *size, grown + longer, filling);
  *size = static_cast<int>(longer);
  return grown;
}

}  // extern "C"
