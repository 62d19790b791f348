// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/mpi/predefined.hpp"

#include <algorithm>
#include <complex>
#include <cstring>

namespace earl::mpi {

namespace {

template <class T, class Operation>
inline void apply_to_one(std::byte* into, std::byte const* from) {
  T left, right;
  std::memcpy(&left, into, sizeof(T));
  std::memcpy(&right, from, sizeof(T));
  T const result = Operation::of(left, right);
  std::memcpy(into, &result, sizeof(T));
}

/// So many elements at a time that compilers turn the inner loop into vector instructions.
template <class T, class Operation>
void apply(void*, std::byte* __restrict into, std::byte const* __restrict from, std::size_t bytes) {
  constexpr std::size_t line = 64;
  constexpr std::size_t at_once = line / sizeof(T) > 1 ? line / sizeof(T) : 1;
  std::size_t at = 0;
  for (; at + at_once * sizeof(T) <= bytes; at += at_once * sizeof(T))
    for (std::size_t i = 0; i < at_once; ++i)
      apply_to_one<T, Operation>(into + at + i * sizeof(T), from + at + i * sizeof(T));
  for (; at + sizeof(T) <= bytes; at += sizeof(T)) apply_to_one<T, Operation>(into + at, from + at);
}

// Integers wrap around, as machines do.
template <class T>
constexpr bool whole = std::is_integral_v<T>;
template <class T>
using Wide = std::conditional_t<whole<T>, std::uint64_t, T>;

struct Sum {
  static constexpr Reduction reduction = Reduction::sum;
  template <class T>
  static T of(T const& a, T const& b) {
    return static_cast<T>(static_cast<Wide<T>>(a) + static_cast<Wide<T>>(b));
  }
};
struct Product {
  static constexpr Reduction reduction = Reduction::product;
  template <class T>
  static T of(T const& a, T const& b) {
    return static_cast<T>(static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b));
  }
};
struct Maximum {
  static constexpr Reduction reduction = Reduction::maximum;
  template <class T>
  static T of(T const& a, T const& b) {
    return a < b ? b : a;
  }
};
struct Minimum {
  static constexpr Reduction reduction = Reduction::minimum;
  template <class T>
  static T of(T const& a, T const& b) {
    return b < a ? b : a;
  }
};
struct LogicalAnd {
  static constexpr Reduction reduction = Reduction::logical_and;
  template <class T>
  static T of(T const& a, T const& b) {
    return static_cast<T>(a != 0 && b != 0);
  }
};
struct LogicalOr {
  static constexpr Reduction reduction = Reduction::logical_or;
  template <class T>
  static T of(T const& a, T const& b) {
    return static_cast<T>(a != 0 || b != 0);
  }
};
struct LogicalXor {
  static constexpr Reduction reduction = Reduction::logical_exclusive_or;
  template <class T>
  static T of(T const& a, T const& b) {
    return static_cast<T>((a != 0) != (b != 0));
  }
};
struct BitAnd {
  static constexpr Reduction reduction = Reduction::bit_and;
  template <class T>
  static T of(T const& a, T const& b) {
    return static_cast<T>(a & b);
  }
};
struct BitOr {
  static constexpr Reduction reduction = Reduction::bit_or;
  template <class T>
  static T of(T const& a, T const& b) {
    return static_cast<T>(a | b);
  }
};
struct BitXor {
  static constexpr Reduction reduction = Reduction::bit_exclusive_or;
  template <class T>
  static T of(T const& a, T const& b) {
    return static_cast<T>(a ^ b);
  }
};

/// A value and where it is, without what is between them in the program's memory.
template <class Value, class Place>
struct [[gnu::packed]] Located {
  Value value;
  Place place;
};
struct PlaceOfMaximum {
  static constexpr Reduction reduction = Reduction::place_of_maximum;
  template <class T>
  static T of(T const& a, T const& b) {
    if (a.value == b.value) return b.place < a.place ? b : a;
    return a.value < b.value ? b : a;
  }
};
struct PlaceOfMinimum {
  static constexpr Reduction reduction = Reduction::place_of_minimum;
  template <class T>
  static T of(T const& a, T const& b) {
    if (a.value == b.value) return b.place < a.place ? b : a;
    return b.value < a.value ? b : a;
  }
};

template <class T>
constexpr ElementType element_of() {
  constexpr bool is_signed = std::is_signed_v<T>;
  if constexpr (std::is_floating_point_v<T>)
    return sizeof(T) == 4   ? ElementType::real_4
           : sizeof(T) == 8 ? ElementType::real_8
                            : ElementType::real_16;
  if constexpr (!whole<T>) return ElementType::unspecified;
  switch (sizeof(T)) {
    case 1:
      return ElementType::byte;
    case 2:
      return is_signed ? ElementType::integer_2 : ElementType::unsigned_2;
    case 4:
      return is_signed ? ElementType::integer_4 : ElementType::unsigned_4;
    default:
      return is_signed ? ElementType::integer_8 : ElementType::unsigned_8;
  }
}

template <class T, class Operation>
Combine combine(ElementType element = element_of<T>()) {
  return {.function = apply<T, Operation>,
          .reduction = Operation::reduction,
          .element = element,
          .unit = sizeof(T)};
}

template <class Operation>
Combine on_integers(Handle datatype) {
  switch (datatype) {
    case MPI_CHAR:
    case MPI_SIGNED_CHAR:
    case MPI_INTEGER1:
    case MPI_INT8_T:
      return combine<signed char, Operation>();
    case MPI_UNSIGNED_CHAR:
    case MPI_UINT8_T:
      return combine<unsigned char, Operation>();
    case MPI_SHORT:
    case MPI_INTEGER2:
    case MPI_INT16_T:
      return combine<short, Operation>();
    case MPI_UNSIGNED_SHORT:
    case MPI_UINT16_T:
      return combine<unsigned short, Operation>();
    case MPI_INT:
    case MPI_WCHAR:
    case MPI_INTEGER:
    case MPI_INTEGER4:
    case MPI_INT32_T:
      return combine<int, Operation>();
    case MPI_UNSIGNED:
    case MPI_UINT32_T:
      return combine<unsigned, Operation>();
    case MPI_LONG:
    case MPI_LONG_LONG_INT:
    case MPI_AINT:
    case MPI_INTEGER8:
    case MPI_INT64_T:
    case MPI_OFFSET:
    case MPI_COUNT:
      return combine<long, Operation>();
    case MPI_UNSIGNED_LONG:
    case MPI_UNSIGNED_LONG_LONG:
    case MPI_UINT64_T:
      return combine<unsigned long, Operation>();
    default:
      return {};
  }
}

/// gfortran's REAL*16.
__extension__ using Quadruple = __float128;

template <class Operation>
Combine on_reals(Handle datatype) {
  switch (datatype) {
    case MPI_FLOAT:
    case MPI_REAL:
    case MPI_REAL4:
      return combine<float, Operation>();
    case MPI_DOUBLE:
    case MPI_DOUBLE_PRECISION:
    case MPI_REAL8:
      return combine<double, Operation>();
    case MPI_LONG_DOUBLE:
      return combine<long double, Operation>();
    case MPI_REAL16:
      return combine<Quadruple, Operation>(ElementType::unspecified);
    default:
      return on_integers<Operation>(datatype);
  }
}

template <class Operation>
Combine on_numbers(Handle datatype) {
  switch (datatype) {
    case MPI_COMPLEX:
    case MPI_COMPLEX8:
    case MPI_C_FLOAT_COMPLEX:
    case MPI_CXX_FLOAT_COMPLEX:
      return combine<std::complex<float>, Operation>(ElementType::complex_8);
    case MPI_DOUBLE_COMPLEX:
    case MPI_COMPLEX16:
    case MPI_C_DOUBLE_COMPLEX:
    case MPI_CXX_DOUBLE_COMPLEX:
      return combine<std::complex<double>, Operation>(ElementType::complex_16);
    case MPI_C_LONG_DOUBLE_COMPLEX:
    case MPI_CXX_LONG_DOUBLE_COMPLEX:
      return combine<std::complex<long double>, Operation>(ElementType::unspecified);
    default:
      return on_reals<Operation>(datatype);
  }
}

template <class Operation>
Combine on_truths(Handle datatype) {
  if (datatype == MPI_LOGICAL) return combine<int, Operation>();
  if (datatype == MPI_C_BOOL || datatype == MPI_CXX_BOOL)
    return combine<unsigned char, Operation>();
  bool const of_fortran = datatype == MPI_INTEGER;
  return of_fortran ? Combine{} : on_integers<Operation>(datatype);
}

template <class Operation>
Combine on_bits(Handle datatype) {
  return datatype == MPI_BYTE ? combine<unsigned char, Operation>()
                              : on_integers<Operation>(datatype);
}

template <class Operation>
Combine on_pairs(Handle datatype) {
  switch (datatype) {
    case MPI_FLOAT_INT:
      return combine<Located<float, int>, Operation>(ElementType::pair);
    case MPI_DOUBLE_INT:
      return combine<Located<double, int>, Operation>(ElementType::pair);
    case MPI_LONG_INT:
      return combine<Located<long, int>, Operation>(ElementType::pair);
    case MPI_SHORT_INT:
      return combine<Located<short, int>, Operation>(ElementType::pair);
    case MPI_LONG_DOUBLE_INT:
      return combine<Located<long double, int>, Operation>(ElementType::pair);
    case MPI_2INT:
    case MPI_2INTEGER:
      return combine<Located<int, int>, Operation>(ElementType::pair);
    case MPI_2REAL:
      return combine<Located<float, float>, Operation>(ElementType::pair);
    case MPI_2DOUBLE_PRECISION:
      return combine<Located<double, double>, Operation>(ElementType::pair);
    default:
      return {};
  }
}

/// By their codes.
constexpr Handle operations[]{MPI_OP_NULL, MPI_MAX,    MPI_MIN,    MPI_SUM,     MPI_PROD,
                              MPI_LAND,    MPI_BAND,   MPI_LOR,    MPI_BOR,     MPI_LXOR,
                              MPI_BXOR,    MPI_MINLOC, MPI_MAXLOC, MPI_REPLACE, MPI_NO_OP};

}  // namespace

std::uint32_t code_of_operation(Handle op) {
  auto const* const found = std::ranges::find(operations, op);
  return found == std::end(operations) ? 0 : static_cast<std::uint32_t>(found - operations);
}

Handle operation_by_code(std::uint32_t code) {
  return code < std::size(operations) ? operations[code] : MPI_OP_NULL;
}

std::string_view name_of_operation(Handle op) {
  static constexpr std::string_view names[]{{},           "MPI_MAX",     "MPI_MIN",  "MPI_SUM",
                                            "MPI_PROD",   "MPI_LAND",    "MPI_BAND", "MPI_LOR",
                                            "MPI_BOR",    "MPI_LXOR",    "MPI_BXOR", "MPI_MINLOC",
                                            "MPI_MAXLOC", "MPI_REPLACE", "MPI_NO_OP"};
  static_assert(std::size(names) == std::size(operations));
  return names[code_of_operation(op)];
}

std::string operation_text(Handle op) {
  auto const name = name_of_operation(op);
  return name.empty() ? fmt::format("{:#x}", handle::bits(op)) : std::string{name};
}

Combine predefined_combine(Handle op, Handle datatype) {
  switch (op) {
    case MPI_MAX:
      return on_reals<Maximum>(datatype);
    case MPI_MIN:
      return on_reals<Minimum>(datatype);
    case MPI_SUM:
      return on_numbers<Sum>(datatype);
    case MPI_PROD:
      return on_numbers<Product>(datatype);
    case MPI_LAND:
      return on_truths<LogicalAnd>(datatype);
    case MPI_LOR:
      return on_truths<LogicalOr>(datatype);
    case MPI_LXOR:
      return on_truths<LogicalXor>(datatype);
    case MPI_BAND:
      return on_bits<BitAnd>(datatype);
    case MPI_BOR:
      return on_bits<BitOr>(datatype);
    case MPI_BXOR:
      return on_bits<BitXor>(datatype);
    case MPI_MINLOC:
      return on_pairs<PlaceOfMinimum>(datatype);
    case MPI_MAXLOC:
      return on_pairs<PlaceOfMaximum>(datatype);
    default:
      return {};
  }
}

}  // namespace earl::mpi
