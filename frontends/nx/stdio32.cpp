// SPDX-License-Identifier: BSD-3-Clause
/// printf, scanf and the like for programs whose `long` has 4 bytes (nxstdio32.h): the C library's,
/// with formats that declare that. They need no Process, so that they work before and after it.
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <new>

#include "frontends/nx/call.hpp"
#include "frontends/nx/format.hpp"

namespace earl::nx {

namespace {

/// do(format) with the format rewritten; as the C library has it when there is no memory.
template <class Function>
int formatted(char const* format, Formatted what, Function const& function) {
  try {
    ShortFormat const rewritten(format, what);
    return function(rewritten.text());
  } catch (std::bad_alloc const&) {
    errno = ENOMEM;
    return -1;
  }
}

template <class Function>
int print(char const* format, Function const& function) {
  return formatted(format, Formatted::printing, function);
}

template <class Function>
int scan(char const* format, Function const& function) {
  return formatted(format, Formatted::scanning, function);
}

}  // namespace
}  // namespace earl::nx

namespace nx = earl::nx;

// The variable arguments of a function, handed to the form that takes a list of them.
#define EARL_NX_LISTED(call) \
  std::va_list list;         \
  va_start(list, format);    \
  int const answer = call;   \
  va_end(list);              \
  return answer

EARL_NX_ENTRY int earl_nx32_vfprintf(FILE* stream, char const* format, std::va_list list) {
  return nx::print(format, [&](char const* text) { return std::vfprintf(stream, text, list); });
}
EARL_NX_ENTRY int earl_nx32_vprintf(char const* format, std::va_list list) {
  return nx::print(format, [&](char const* text) { return std::vprintf(text, list); });
}
EARL_NX_ENTRY int earl_nx32_vsprintf(char* to, char const* format, std::va_list list) {
  return nx::print(format, [&](char const* text) { return std::vsprintf(to, text, list); });
}
EARL_NX_ENTRY int earl_nx32_vsnprintf(char* to, std::size_t size, char const* format,
                                      std::va_list list) {
  return nx::print(format, [&](char const* text) { return std::vsnprintf(to, size, text, list); });
}
EARL_NX_ENTRY int earl_nx32_vfscanf(FILE* stream, char const* format, std::va_list list) {
  return nx::scan(format, [&](char const* text) { return std::vfscanf(stream, text, list); });
}
EARL_NX_ENTRY int earl_nx32_vscanf(char const* format, std::va_list list) {
  return nx::scan(format, [&](char const* text) { return std::vscanf(text, list); });
}
EARL_NX_ENTRY int earl_nx32_vsscanf(char const* from, char const* format, std::va_list list) {
  return nx::scan(format, [&](char const* text) { return std::vsscanf(from, text, list); });
}

EARL_NX_ENTRY int earl_nx32_printf(char const* format, ...) {
  EARL_NX_LISTED(earl_nx32_vprintf(format, list));
}
EARL_NX_ENTRY int earl_nx32_fprintf(FILE* stream, char const* format, ...) {
  EARL_NX_LISTED(earl_nx32_vfprintf(stream, format, list));
}
EARL_NX_ENTRY int earl_nx32_sprintf(char* to, char const* format, ...) {
  EARL_NX_LISTED(earl_nx32_vsprintf(to, format, list));
}
EARL_NX_ENTRY int earl_nx32_snprintf(char* to, std::size_t size, char const* format, ...) {
  EARL_NX_LISTED(earl_nx32_vsnprintf(to, size, format, list));
}
EARL_NX_ENTRY int earl_nx32_scanf(char const* format, ...) {
  EARL_NX_LISTED(earl_nx32_vscanf(format, list));
}
EARL_NX_ENTRY int earl_nx32_fscanf(FILE* stream, char const* format, ...) {
  EARL_NX_LISTED(earl_nx32_vfscanf(stream, format, list));
}
EARL_NX_ENTRY int earl_nx32_sscanf(char const* from, char const* format, ...) {
  EARL_NX_LISTED(earl_nx32_vsscanf(from, format, list));
}
