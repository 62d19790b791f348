// SPDX-License-Identifier: BSD-3-Clause
// Lines as the native library writes them on standard error about itself.
#include <fmt/format.h>
#include <sys/select.h>

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "frontends/pvm3/call.hpp"

using namespace earl;

namespace {

/// One line, with the end of it or without.
int log(char const* name, char const* after_name, std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  return pvm::call(name, [&](pvm::State& s) {
    s.me.print_line(fmt::format("{}{}{}", pvm::own_name(s), after_name, text));
    return PvmOk;
  });
}

std::string formatted(char const* format, std::va_list values) {
  std::va_list again;
  va_copy(again, values);
  int const length = std::vsnprintf(nullptr, 0, format, values);
  std::string text(static_cast<std::size_t>(std::max(length, 0)), '\0');
  if (length > 0) std::vsnprintf(text.data(), text.size() + 1, format, again);
  va_end(again);
  return text;
}

/// The length of the text behind the task's name, as in PVM.
int log_formatted(char const* format, std::va_list values) {
  auto const text = formatted(format, values);
  log("pvmlogprintf", " ", text);
  return static_cast<int>(text.size());
}

constexpr int bytes_per_line = 16;

}  // namespace

extern "C" {

int pvmlogerror(char const* text) { return log("pvmlogerror", ": ", text ? text : "(null)"); }

/// The system's text for errno goes behind it.
int pvmlogperror(char const* text) {
  int const number = errno;
  return log("pvmlogperror", " ",
             fmt::format("{}: {}", text ? text : "(null)", system_message(number)));
}

int vpvmlogprintf(char const* format, std::va_list values) { return log_formatted(format, values); }

int pvmlogprintf(char const* format, ...) {
  std::va_list values;
  va_start(values, format);
  int const length = log_formatted(format, values);
  va_end(values);
  return length;
}

/// Bytes in hexadecimal, sixteen a line, `pad` before each line.
int pvmhdump(char const* bytes, int count, char const* pad) {
  std::string line;
  for (int i = 0; i < count; ++i) {
    line += fmt::format("{}{:02x}", line.empty() ? (pad ? pad : "") : " ",
                        static_cast<unsigned char>(bytes[i]));
    if ((i + 1) % bytes_per_line != 0 && i + 1 < count) continue;
    log("pvmhdump", ": ", line);
    line.clear();
  }
  return PvmOk;
}

/// The descriptors below `count` that are in the set.
int print_fdset(char const* pad, int count, fd_set* set) {
  std::string list;
  for (int i = 0; set && i < count && i < FD_SETSIZE; ++i)
    if (FD_ISSET(i, set)) list += fmt::format("{}{}", list.empty() ? "" : ",", i);
  return log("print_fdset", " ", (pad ? pad : "") + list);
}

}  // extern "C"
