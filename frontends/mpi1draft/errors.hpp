// SPDX-License-Identifier: BSD-3-Clause
/// The draft's error statuses: the values of MPI_ERROR, and their texts in MPI_ETEXT.
#pragma once

#include <string_view>

#include "generic/base/error.hpp"

namespace earl::mpi1draft {

/// The proposal's table, continued from 13 on.
enum class Status {
  none = 0,
  bad_pid = 1,
  bad_gid = 2,
  bad_msgid = 3,
  bad_ccid = 4,
  bad_gcpid = 5,
  bad_size = 6,
  bad_stride = 7,
  bad_block = 8,
  bad_item = 9,  ///< of no use any more: all lengths are bytes
  overflow = 10,
  too_many_contexts = 11,
  too_many_groups = 12,
  bad_mode = 13,
  mode_mismatch = 14,
  bad_type = 15,
  outstanding = 16,
  nothing_to_pop = 17,
  machine = 18,
};

class DraftError : public Error {
 public:
  template <class... Args>
  explicit DraftError(Status status, fmt::format_string<Args...> format, Args&&... args)
      : Error(format, std::forward<Args>(args)...), status_(status) {}

  Status status() const { return status_; }

 private:
  Status status_;
};

/// The status of any Error, also of the core's.
Status status_of(Error const& error);

/// MPI_ETEXT's text: 80 characters at most, for any number.
std::string_view error_text(int status);

}  // namespace earl::mpi1draft
