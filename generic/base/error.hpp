// SPDX-License-Identifier: BSD-3-Clause
/// Failures inside Earl: ordinary outcomes are values, a machine's or user's error throws
/// Error, a bug in Earl meets EARL_CHECK.
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>

namespace earl {

/// The kind of the error, for front ends that turn it into a native number.
enum class Fault {
  other,
  bad_rank,
  bad_tag,
  bad_length,
  bad_request,
  too_long,  ///< a message does not fit the receive
  no_memory,
  no_job,  ///< the operation needs EXEC and there is none
  not_found,
  denied,
  full,  ///< a table or a limit of the job is reached
};

/// A sentence a user can act on: the value found, the value expected, the remedy.
class Error : public std::runtime_error {
 public:
  template <class... Args>
  explicit Error(fmt::format_string<Args...> format, Args&&... args)
      : std::runtime_error(fmt::format(format, std::forward<Args>(args)...)) {}
  template <class... Args>
  explicit Error(Fault fault, fmt::format_string<Args...> format, Args&&... args)
      : std::runtime_error(fmt::format(format, std::forward<Args>(args)...)), fault_(fault) {}

  Fault fault() const { return fault_; }

 private:
  Fault fault_ = Fault::other;
};

/// The system's text for an errno value.
std::string system_message(int number);

/// Prints the failed check on stderr and aborts: for bugs in Earl, never for a user's mistake.
[[noreturn]] void check_failed(char const* what, char const* file, int line,
                               std::string_view message);

}  // namespace earl

#define EARL_CHECK(condition, ...)                                                       \
  do {                                                                                   \
    if (!(condition)) [[unlikely]]                                                       \
      ::earl::check_failed(#condition, __FILE__, __LINE__, fmt::format("" __VA_ARGS__)); \
  } while (false)
