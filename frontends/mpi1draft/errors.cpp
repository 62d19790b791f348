// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/mpi1draft/errors.hpp"

#include <array>

namespace earl::mpi1draft {

namespace {

constexpr std::array<std::string_view, 19> texts{
    "no error",
    "invalid PID",
    "invalid GID",
    "invalid MSGID",
    "invalid CCID",
    "invalid GCPID",
    "invalid message buffer size",
    "invalid stride",
    "invalid block size",
    "invalid data item size",
    "system buffer overflow",
    "too many communication contexts",
    "too many group contexts",
    "invalid mode: blocking, nonblocking or synchronized",
    "a synchronized operation met one that was not",
    "invalid message type",
    "nonblocking operations outstanding",
    "no group context to leave",
    "the machine or the job failed",
};

Status status_of(Fault fault) {
  switch (fault) {
    case Fault::bad_rank:
      return Status::bad_pid;
    case Fault::bad_tag:
      return Status::bad_type;
    case Fault::bad_length:
    case Fault::too_long:
      return Status::bad_size;
    case Fault::bad_request:
      return Status::bad_msgid;
    case Fault::no_memory:
      return Status::overflow;
    default:
      return Status::machine;
  }
}

}  // namespace

Status status_of(Error const& error) {
  auto const* native = dynamic_cast<DraftError const*>(&error);
  return native ? native->status() : status_of(error.fault());
}

std::string_view error_text(int status) {
  auto const at = static_cast<std::size_t>(status);
  return at < texts.size() ? texts[at] : "unknown error status";
}

}  // namespace earl::mpi1draft
