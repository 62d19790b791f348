// SPDX-License-Identifier: BSD-3-Clause
/// MPI's error classes, and what an Error of the core is among them.
#pragma once

#include <string_view>

#include "frontends/mpi/abi.hpp"
#include "generic/base/error.hpp"

namespace earl::mpi {

enum class ErrorClass {
  success = MPI_SUCCESS,
  buffer = MPI_ERR_BUFFER,
  count = MPI_ERR_COUNT,
  type = MPI_ERR_TYPE,
  tag = MPI_ERR_TAG,
  comm = MPI_ERR_COMM,
  rank = MPI_ERR_RANK,
  root = MPI_ERR_ROOT,
  group = MPI_ERR_GROUP,
  op = MPI_ERR_OP,
  topology = MPI_ERR_TOPOLOGY,
  dims = MPI_ERR_DIMS,
  arg = MPI_ERR_ARG,
  unknown = MPI_ERR_UNKNOWN,
  truncate = MPI_ERR_TRUNCATE,
  other = MPI_ERR_OTHER,
  intern = MPI_ERR_INTERN,
  in_status = MPI_ERR_IN_STATUS,
  pending = MPI_ERR_PENDING,
  request = MPI_ERR_REQUEST,
  info = MPI_ERR_INFO,
  info_key = MPI_ERR_INFO_KEY,
  info_value = MPI_ERR_INFO_VALUE,
  info_nokey = MPI_ERR_INFO_NOKEY,
  win = MPI_ERR_WIN,
  base = MPI_ERR_BASE,
  locktype = MPI_ERR_LOCKTYPE,
  keyval = MPI_ERR_KEYVAL,
  rma_conflict = MPI_ERR_RMA_CONFLICT,
  rma_sync = MPI_ERR_RMA_SYNC,
  size = MPI_ERR_SIZE,
  disp = MPI_ERR_DISP,
  assertion = MPI_ERR_ASSERT,
  rma_range = MPI_ERR_RMA_RANGE,
  rma_attach = MPI_ERR_RMA_ATTACH,
  rma_shared = MPI_ERR_RMA_SHARED,
  rma_flavor = MPI_ERR_RMA_FLAVOR,
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
