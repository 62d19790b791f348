// SPDX-License-Identifier: BSD-3-Clause
/// Manual: global operations. gsync, g{d,s,i}{sum,prod,high,low}, gi{and,or,xor}, gl{and,or,xor},
/// gcol gcolx gopf.
#include <algorithm>
#include <cstring>
#include <limits>

#include "frontends/nx/call.hpp"
#include "frontends/nx/include/nx.h"
#include "generic/collectives/collectives.hpp"

namespace earl::nx {

namespace {

// Integers wrap, as they did on the machines.
template <class T>
using Wrapping = typename std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>,
                                             std::type_identity<T>>::type;

struct Sum {
  static constexpr Reduction reduction = Reduction::sum;
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(static_cast<Wrapping<T>>(a) + static_cast<Wrapping<T>>(b));
  }
};

struct Product {
  static constexpr Reduction reduction = Reduction::product;
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(static_cast<Wrapping<T>>(a) * static_cast<Wrapping<T>>(b));
  }
};

struct High {
  static constexpr Reduction reduction = Reduction::maximum;
  template <class T>
  T operator()(T a, T b) const {
    return std::max(a, b);
  }
};

struct Low {
  static constexpr Reduction reduction = Reduction::minimum;
  template <class T>
  T operator()(T a, T b) const {
    return std::min(a, b);
  }
};

struct And {
  static constexpr Reduction reduction = Reduction::bit_and;
  template <class T>
  T operator()(T a, T b) const {
    return a & b;
  }
};

struct Or {
  static constexpr Reduction reduction = Reduction::bit_or;
  template <class T>
  T operator()(T a, T b) const {
    return a | b;
  }
};

struct ExclusiveOr {
  static constexpr Reduction reduction = Reduction::bit_exclusive_or;
  template <class T>
  T operator()(T a, T b) const {
    return a ^ b;
  }
};

/// into[i] = into[i] (op) from[i]. `from` may lie anywhere in a packet, hence memcpy.
template <class T, class Operator>
void combine(void*, std::byte* into, std::byte const* from, std::size_t size) {
  for (std::size_t at = 0; at < size; at += sizeof(T)) {
    T mine, theirs;
    std::memcpy(&mine, into + at, sizeof(T));
    std::memcpy(&theirs, from + at, sizeof(T));
    mine = Operator{}(mine, theirs);
    std::memcpy(into + at, &mine, sizeof(T));
  }
}

template <class T>
MutableBytes elements(T* x, std::int32_t n) {
  if (n < 0) throw NxError(EQLEN, "{} elements", n);
  if (n > 0 && !x)
    throw NxError(EQPBUF, "the array of {} elements is a null pointer: pass memory", n);
  return std::as_writable_bytes(std::span{x, static_cast<std::size_t>(n)});
}

template <class T>
constexpr ElementType element() {
  if constexpr (std::is_floating_point_v<T>)
    return sizeof(T) == 4 ? ElementType::real_4 : ElementType::real_8;
  else
    return sizeof(T) == 4 ? ElementType::integer_4 : ElementType::integer_8;
}

template <class T, class Operator>
void reduce(State& me, T* x, std::int32_t n, Reduction reduction) {
  earl::all_reduce(
      me.process(), me.group(), elements(x, n),
      {.function = combine<T, Operator>, .reduction = reduction, .element = element<T>()});
}

template <class T, class Operator>
void global(State& me, T* x, Length n, T* /*work*/) {
  reduce<T, Operator>(me, x, n, Operator::reduction);
}

constexpr Reduction logical_form(Reduction bitwise) {
  if (bitwise == Reduction::bit_and) return Reduction::logical_and;
  return bitwise == Reduction::bit_or ? Reduction::logical_or : Reduction::logical_exclusive_or;
}

/// Any value but 0 is true, of whichever compiler; the result is 0 or 1.
template <class T, class Operator>
void logical(State& me, T* x, Length n, T* /*work*/) {
  elements(x, n);
  std::transform(x, x + n, x, [](T value) { return static_cast<T>(value != 0); });
  reduce<T, Operator>(me, x, n, logical_form(Operator::reduction));
}

void gsync(State& me) { earl::barrier(me.process(), me.group()); }

/// All nodes' bytes in node order, which must fill `room` bytes at most.
Buffer collect(State& me, Bytes mine, std::size_t room) {
  Buffer all = earl::all_gather(me.process(), me.group(), mine);
  if (all.size() <= room) return all;
  throw NxError(EQMSGLONG, "the nodes' {} bytes are more than the {} there is room for", all.size(),
                room);
}

template <class Count>
void gcol(State& me, void const* x, Length xlen, void* y, Length ylen, Count* ncnt) {
  const MutableBytes into = mutable_bytes(y, ylen);
  if (!ncnt) throw NxError(EQPBUF, "the address for the number of bytes is null: pass a variable");
  const Buffer all = collect(me, bytes(x, xlen), into.size());
  copy(all.bytes(), into);
  *ncnt = static_cast<Count>(all.size());
}

/// All nodes see the same list, so that a mistake in it is one of all.
template <class Number>
std::int32_t sum_of_lengths(Number const* xlens, std::int32_t nodes) {
  if (!xlens)
    throw NxError(EQPBUF, "the list of lengths is a null pointer: pass one length for each node");
  std::int64_t total = 0;
  for (std::int32_t node = 0; node < nodes; ++node) {
    auto const length = length_in(xlens[node]);
    if (length < 0)
      throw NxError(EQLEN, "the length of node {} is {}: pass 0 or more", node, length);
    total += length;
  }
  if (total > std::numeric_limits<std::int32_t>::max())
    throw NxError(EQLEN, "all nodes together send {} bytes: the limit is {}", total,
                  std::numeric_limits<std::int32_t>::max());
  return static_cast<std::int32_t>(total);
}

template <class Number>
void gcolx(State& me, void const* x, Number const* xlens, void* y) {
  const Group group = me.group();  // a host is refused before the list, which lacks it, is read
  auto const total = sum_of_lengths(xlens, static_cast<std::int32_t>(group.size()));
  const MutableBytes into = mutable_bytes(y, total);
  const Buffer all = collect(me, bytes(x, length_in(xlens[group.me])), into.size());
  if (all.size() != into.size())
    throw NxError(EQLEN, "the nodes sent {} bytes, the list of lengths says {}", all.size(), total);
  copy(all.bytes(), into);
}

/// A program's function, C or Fortran: combines the content of `work` into x. Its result is
/// ignored.
struct Combiner {
  long (*function)(void* x, void* work);
  void* work;

  static void combine(void* with, std::byte* into, std::byte const* from, std::size_t size) {
    auto const& self = *static_cast<Combiner*>(with);
    copy({from, size}, {static_cast<std::byte*>(self.work), size});
    self.function(into, self.work);
  }
};

void gopf(State& me, void* x, Length xlen, void* work, nx_combiner function) {
  if (!function) throw NxError(EQPARAM, "no function to combine with");
  mutable_bytes(work, xlen);
  Combiner combiner{reinterpret_cast<long (*)(void*, void*)>(function), work};
  earl::all_reduce(me.process(), me.group(), mutable_bytes(x, xlen),
                   {.function = Combiner::combine, .with = &combiner});
}

}  // namespace
}  // namespace earl::nx

namespace nx = earl::nx;
using nx::Integer;
using nx::Plain;
using nx::Underscore;

EARL_NX_ENTRY void gsync(void) { nx::call<Plain>("gsync", nx::gsync); }
EARL_NX_ENTRY long _gsync(void) { return nx::call<Underscore>("_gsync", nx::gsync); }
EARL_NX_ENTRY void gsync_(void) { nx::call<Plain>("gsync", nx::gsync); }

// The three forms of one operation; C's integers have 8 bytes, Fortran's 4.
#define EARL_NX_GLOBAL(name, InC, InFortran, function, Operator)                         \
  EARL_NX_ENTRY void name(InC x[], long n, InC work[]) {                                 \
    nx::call<Plain>(#name, nx::function<InC, nx::Operator>, x, n, work);                 \
  }                                                                                      \
  EARL_NX_ENTRY long _##name(InC x[], long n, InC work[]) {                              \
    return nx::call<Underscore>("_" #name, nx::function<InC, nx::Operator>, x, n, work); \
  }                                                                                      \
  EARL_NX_ENTRY void name##_(InFortran x[], Integer n, InFortran work[]) {               \
    nx::call<Plain>(#name, nx::function<InFortran, nx::Operator>, x, n, work);           \
  }

EARL_NX_GLOBAL(gdsum, double, double, global, Sum)
EARL_NX_GLOBAL(gdprod, double, double, global, Product)
EARL_NX_GLOBAL(gdhigh, double, double, global, High)
EARL_NX_GLOBAL(gdlow, double, double, global, Low)
EARL_NX_GLOBAL(gssum, float, float, global, Sum)
EARL_NX_GLOBAL(gsprod, float, float, global, Product)
EARL_NX_GLOBAL(gshigh, float, float, global, High)
EARL_NX_GLOBAL(gslow, float, float, global, Low)
EARL_NX_GLOBAL(gisum, long, std::int32_t, global, Sum)
EARL_NX_GLOBAL(giprod, long, std::int32_t, global, Product)
EARL_NX_GLOBAL(gihigh, long, std::int32_t, global, High)
EARL_NX_GLOBAL(gilow, long, std::int32_t, global, Low)
EARL_NX_GLOBAL(giand, long, std::int32_t, global, And)
EARL_NX_GLOBAL(gior, long, std::int32_t, global, Or)
EARL_NX_GLOBAL(gixor, long, std::int32_t, global, ExclusiveOr)
EARL_NX_GLOBAL(gland, long, std::int32_t, logical, And)
EARL_NX_GLOBAL(glor, long, std::int32_t, logical, Or)
EARL_NX_GLOBAL(glxor, long, std::int32_t, logical, ExclusiveOr)

#undef EARL_NX_GLOBAL

#define EARL_NX_GLOBAL32(name, function, Operator)                       \
  EARL_NX_LONG32(void, name, (nx::function<std::int32_t, nx::Operator>), \
                 (std::int32_t x[], long n, std::int32_t work[]), x, n, work)

EARL_NX_GLOBAL32(gisum, global, Sum)
EARL_NX_GLOBAL32(giprod, global, Product)
EARL_NX_GLOBAL32(gihigh, global, High)
EARL_NX_GLOBAL32(gilow, global, Low)
EARL_NX_GLOBAL32(giand, global, And)
EARL_NX_GLOBAL32(gior, global, Or)
EARL_NX_GLOBAL32(gixor, global, ExclusiveOr)
EARL_NX_GLOBAL32(gland, logical, And)
EARL_NX_GLOBAL32(glor, logical, Or)
EARL_NX_GLOBAL32(glxor, logical, ExclusiveOr)

#undef EARL_NX_GLOBAL32

EARL_NX_ENTRY void gcol(void* x, long xlen, void* y, long ylen, long* ncnt) {
  nx::call<Plain>("gcol", nx::gcol<long>, x, xlen, y, ylen, ncnt);
}
EARL_NX_ENTRY long _gcol(void* x, long xlen, void* y, long ylen, long* ncnt) {
  return nx::call<Underscore>("_gcol", nx::gcol<long>, x, xlen, y, ylen, ncnt);
}
EARL_NX_ENTRY void gcol_(void* x, Integer xlen, void* y, Integer ylen, std::int32_t* ncnt) {
  nx::call<Plain>("gcol", nx::gcol<std::int32_t>, x, xlen, y, ylen, ncnt);
}

EARL_NX_LONG32(void, gcol, nx::gcol<std::int32_t>,
               (void* x, long xlen, void* y, long ylen, std::int32_t* ncnt), x, xlen, y, ylen, ncnt)

EARL_NX_ENTRY void gcolx(void* x, long xlens[], void* y) {
  nx::call<Plain>("gcolx", nx::gcolx<long>, x, xlens, y);
}
EARL_NX_ENTRY long _gcolx(void* x, long xlens[], void* y) {
  return nx::call<Underscore>("_gcolx", nx::gcolx<long>, x, xlens, y);
}
EARL_NX_ENTRY void gcolx_(void* x, std::int32_t xlens[], void* y) {
  nx::call<Plain>("gcolx", nx::gcolx<std::int32_t>, x, xlens, y);
}

EARL_NX_LONG32(void, gcolx, nx::gcolx<std::int32_t>, (void* x, std::int32_t xlens[], void* y), x,
               xlens, y)

EARL_NX_ENTRY void gopf(void* x, long xlen, void* work, nx_combiner f) {
  nx::call<Plain>("gopf", nx::gopf, x, xlen, work, f);
}
EARL_NX_ENTRY long _gopf(void* x, long xlen, void* work, nx_combiner f) {
  return nx::call<Underscore>("_gopf", nx::gopf, x, xlen, work, f);
}
/// The form for Fortran programs that ask for the error.
EARL_NX_ENTRY std::int32_t _gopf_(void* x, Integer xlen, void* work, nx_combiner f) {
  return nx::call<Underscore>("_gopf", nx::gopf, x, xlen, work, f);
}
EARL_NX_ENTRY void gopf_(void* x, Integer xlen, void* work, nx_combiner f) {
  nx::call<Plain>("gopf", nx::gopf, x, xlen, work, f);
}
