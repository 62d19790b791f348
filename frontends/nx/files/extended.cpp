// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/nx/files/extended.hpp"

#include <limits>

#include "frontends/nx/errors.hpp"
#include "generic/base/number.hpp"

namespace earl::nx {

namespace {

[[noreturn]] void refuse(std::int64_t a, char const* sign, std::int64_t b) {
  throw NxError(EQESIZE, "{} {} {} does not fit into an extended size", a, sign, b);
}

void check_divisor(std::int64_t a, std::int32_t b) {
  if (b == 0) throw NxError(EQPARAM, "{} is to be divided by zero", a);
}

std::string_view trimmed(std::string_view text) {
  auto const first = text.find_first_not_of(' ');
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

}  // namespace

std::int64_t sum_of(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_add_overflow(a, b, &result)) refuse(a, "+", b);
  return result;
}

std::int64_t difference_of(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_sub_overflow(a, b, &result)) refuse(a, "-", b);
  return result;
}

std::int64_t product_of(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) refuse(a, "*", b);
  return result;
}

std::int32_t quotient_of(std::int64_t a, std::int32_t b) {
  check_divisor(a, b);
  if (b == -1) return one_word(difference_of(0, a));
  return one_word(a / b);
}

std::int32_t remainder_of(std::int64_t a, std::int32_t b) {
  check_divisor(a, b);
  return b == -1 ? 0 : static_cast<std::int32_t>(a % b);
}

std::int32_t one_word(std::int64_t value) {
  if (value < std::numeric_limits<std::int32_t>::min() ||
      value > std::numeric_limits<std::int32_t>::max())
    throw NxError(EQESIZE, "{} does not fit into a word", value);
  return static_cast<std::int32_t>(value);
}

std::int64_t parsed_size(std::string_view digits) {
  auto text = trimmed(digits);
  if (text.starts_with('+')) text.remove_prefix(1);
  auto const value = number_from<std::int64_t>(text);
  if (!value) throw NxError(EQESIZE, "'{}' is no extended size", digits);
  return *value;
}

}  // namespace earl::nx
