// SPDX-License-Identifier: BSD-3-Clause
/// MPI's error classes, and what an Error of the core is among them.
#pragma once

#include <string_view>

#include "generic/base/error.hpp"

namespace earl::mpi {

enum class ErrorClass {
  success = 0,
  buffer = 1,
  count = 2,
  type = 3,
  tag = 4,
  comm = 5,
  rank = 6,
  root = 7,
  group = 8,
  op = 9,
  topology = 10,
  dims = 11,
  arg = 12,
  unknown = 13,
  truncate = 14,
  other = 15,
  intern = 16,
  in_status = 17,
  pending = 18,
  request = 19,
  info = 28,
  info_key = 29,
  info_value = 30,
  info_nokey = 31,
  win = 45,
  base = 46,
  locktype = 47,
  keyval = 48,
  rma_conflict = 49,
  rma_sync = 50,
  size = 51,
  disp = 52,
  assertion = 53,
  rma_range = 55,
  rma_attach = 56,
  rma_shared = 57,
  rma_flavor = 58,
};

/// The reason for refusing a call of the program: "dest is 9: MPI_COMM_WORLD has ranks 0 to 3". The
/// call and the caller's rank come before it.
class MpiError : public Error {
 public:
  template <class... Args>
  explicit MpiError(ErrorClass error_class, fmt::format_string<Args...> format, Args&&... args)
      : Error(format, std::forward<Args>(args)...), class_(error_class) {}

  ErrorClass error_class() const { return class_; }

 private:
  ErrorClass class_;
};

/// The class of any Error, also of the core's.
ErrorClass class_of(Error const& error);

/// "MPI_ERR_RANK"; null: there is no such class.
char const* name_of(ErrorClass error_class);
/// The text of MPI_Error_string, for any number.
std::string_view error_text(int code);

}  // namespace earl::mpi
