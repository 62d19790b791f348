// SPDX-License-Identifier: BSD-3-Clause
/// Manual: extended arithmetic. eadd eadd1 esub esub1 emul ediv emod ecmp stoe etos.
#include <cstring>

#include "frontends/common/fortran_text.hpp"
#include "frontends/nx/call.hpp"
#include "frontends/nx/files/extended.hpp"
#include "frontends/nx/text.hpp"

namespace earl::nx {

namespace {

// Sizes travel as esize_t, so that call() does not take them for NX's 32-bit integers.
std::int64_t eadd(State&, esize_t a, esize_t b) { return sum_of(value_of(a), value_of(b)); }
std::int64_t eadd1(State&, esize_t a, std::int32_t n) { return sum_of(value_of(a), n); }
std::int64_t esub(State&, esize_t a, esize_t b) { return difference_of(value_of(a), value_of(b)); }
std::int64_t esub1(State&, esize_t a, std::int32_t n) { return difference_of(value_of(a), n); }
std::int64_t emul(State&, esize_t a, std::int32_t n) { return product_of(value_of(a), n); }
std::int32_t ediv(State&, esize_t a, std::int32_t n) { return quotient_of(value_of(a), n); }
std::int32_t emod(State&, esize_t a, std::int32_t n) { return remainder_of(value_of(a), n); }

std::int32_t ecmp(State&, esize_t a, esize_t b) {
  auto const left = value_of(a);
  auto const right = value_of(b);
  return left < right ? -1 : left > right ? 1 : 0;
}

std::int64_t stoe(State&, std::string const& digits) { return parsed_size(digits); }

void etos(State&, esize_t a, char* digits) {
  if (!digits) throw NxError(EQPBUF, "the address for the digits is null: pass a variable");
  auto const text = std::to_string(value_of(a));
  std::memcpy(digits, text.c_str(), text.size() + 1);
}

void etos_padded(State&, esize_t a, std::span<char> digits) {
  auto const text = std::to_string(value_of(a));
  if (text.size() > digits.size())
    throw NxError(EQESIZE, "{} does not fit into {} characters", text, digits.size());
  fortran::give(digits.data(), digits.size(), text.c_str());
}

}  // namespace
}  // namespace earl::nx

namespace nx = earl::nx;
using nx::extended;
using nx::Integer;
using nx::Plain;
using nx::text;
using nx::Underscore;

// Two operands of one kind: both extended, or the second a word.
#define EARL_NX_EXTENDED(name, Second, SecondInFortran, second)                      \
  EARL_NX_ENTRY esize_t name(esize_t a, Second b) {                                  \
    return extended(nx::call<Plain>(#name, nx::name, a, b));                         \
  }                                                                                  \
  EARL_NX_ENTRY esize_t _##name(esize_t a, Second b) {                               \
    return extended(nx::call<Underscore>("_" #name, nx::name, a, b));                \
  }                                                                                  \
  EARL_NX_ENTRY void name##_(esize_t const* a, SecondInFortran b, esize_t* result) { \
    *result = extended(nx::call<Plain>(#name, nx::name, *a, second));                \
  }

EARL_NX_EXTENDED(eadd, esize_t, esize_t const*, *b)
EARL_NX_EXTENDED(eadd1, long, Integer, b)
EARL_NX_EXTENDED(esub, esize_t, esize_t const*, *b)
EARL_NX_EXTENDED(esub1, long, Integer, b)
EARL_NX_EXTENDED(emul, long, Integer, b)

#undef EARL_NX_EXTENDED

EARL_NX_ENTRY long ediv(esize_t a, long n) { return nx::call<Plain>("ediv", nx::ediv, a, n); }
EARL_NX_ENTRY long _ediv(esize_t a, long n) {
  return nx::call<Underscore>("_ediv", nx::ediv, a, n);
}
EARL_NX_ENTRY std::int32_t ediv_(esize_t const* a, Integer n) {
  return nx::call<Plain>("ediv", nx::ediv, *a, n);
}

EARL_NX_ENTRY long emod(esize_t a, long n) { return nx::call<Plain>("emod", nx::emod, a, n); }
EARL_NX_ENTRY long _emod(esize_t a, long n) {
  return nx::call<Underscore>("_emod", nx::emod, a, n);
}
EARL_NX_ENTRY std::int32_t emod_(esize_t const* a, Integer n) {
  return nx::call<Plain>("emod", nx::emod, *a, n);
}

EARL_NX_ENTRY long ecmp(esize_t a, esize_t b) { return nx::call<Plain>("ecmp", nx::ecmp, a, b); }
EARL_NX_ENTRY long _ecmp(esize_t a, esize_t b) {
  return nx::call<Underscore>("_ecmp", nx::ecmp, a, b);
}
EARL_NX_ENTRY std::int32_t ecmp_(esize_t const* a, esize_t const* b) {
  return nx::call<Plain>("ecmp", nx::ecmp, *a, *b);
}

EARL_NX_ENTRY esize_t stoe(char* digits) {
  return extended(nx::call<Plain>("stoe", nx::stoe, text(digits)));
}
EARL_NX_ENTRY esize_t _stoe(char* digits) {
  return extended(nx::call<Underscore>("_stoe", nx::stoe, text(digits)));
}
EARL_NX_ENTRY void stoe_(char const* digits, esize_t* result, std::size_t length) {
  *result = extended(nx::call<Plain>("stoe", nx::stoe, text(digits, length)));
}

EARL_NX_ENTRY void etos(esize_t a, char* digits) { nx::call<Plain>("etos", nx::etos, a, digits); }
EARL_NX_ENTRY long _etos(esize_t a, char* digits) {
  return nx::call<Underscore>("_etos", nx::etos, a, digits);
}
EARL_NX_ENTRY void etos_(esize_t const* a, char* digits, std::size_t length) {
  nx::call<Plain>("etos", nx::etos_padded, *a, std::span<char>(digits, length));
}
