// SPDX-License-Identifier: BSD-3-Clause
// libgpvm3: the functions that pvm_reduce() knows by name. x = x (op) y, element by element.
#include <complex>

#include "frontends/pvm3/group_call.hpp"

using namespace earl;

namespace {

template <class T, class Operation>
int apply(void* x, void const* y, int count, Operation operation) {
  auto* into = static_cast<T*>(x);
  auto const* from = static_cast<T const*>(y);
  for (int i = 0; i < count; ++i) into[i] = operation(into[i], from[i]);
  return PvmOk;
}

/// PvmBadParam: in PVM there is no such operation on that type.
template <class Operation>
int apply_to_numbers(int type, void* x, void const* y, int count, Operation operation) {
  switch (type) {
    case PVM_SHORT:
      return apply<short>(x, y, count, operation);
    case PVM_INT:
      return apply<int>(x, y, count, operation);
    case PVM_LONG:
      return apply<long>(x, y, count, operation);
    case PVM_FLOAT:
      return apply<float>(x, y, count, operation);
    case PVM_DOUBLE:
      return apply<double>(x, y, count, operation);
    case PVM_CPLX:
      return apply<std::complex<float>>(x, y, count, operation);
    case PVM_DCPLX:
      return apply<std::complex<double>>(x, y, count, operation);
    default:
      return PvmBadParam;
  }
}

/// Complex numbers are ordered by modulus.
struct Order {
  template <class T>
  static bool less(T one, T other) {
    return one < other;
  }
  template <class T>
  static bool less(std::complex<T> one, std::complex<T> other) {
    return std::norm(one) < std::norm(other);
  }
};

struct Larger {
  template <class T>
  T operator()(T one, T other) const {
    return Order::less(one, other) ? other : one;
  }
};

struct Smaller {
  template <class T>
  T operator()(T one, T other) const {
    return Order::less(other, one) ? other : one;
  }
};

struct Sum {
  template <class T>
  T operator()(T one, T other) const {
    return static_cast<T>(one + other);
  }
};

struct Product {
  template <class T>
  T operator()(T one, T other) const {
    return static_cast<T>(one * other);
  }
};

template <class Operation>
int extreme(int type, void* x, void const* y, int count, Operation operation) {
  if (type == PVM_BYTE) return apply<char>(x, y, count, operation);
  return apply_to_numbers(type, x, y, count, operation);
}

}  // namespace

extern "C" {

void PvmMax(int* datatype, void* x, void* y, int* num, int* info) {
  *info = extreme(*datatype, x, y, *num, Larger{});
}

void PvmMin(int* datatype, void* x, void* y, int* num, int* info) {
  *info = extreme(*datatype, x, y, *num, Smaller{});
}

void PvmSum(int* datatype, void* x, void* y, int* num, int* info) {
  *info = apply_to_numbers(*datatype, x, y, *num, Sum{});
}

void PvmProduct(int* datatype, void* x, void* y, int* num, int* info) {
  *info = apply_to_numbers(*datatype, x, y, *num, Product{});
}

}  // extern "C"
