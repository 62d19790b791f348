// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/mpi/errors.hpp"

namespace earl::mpi {

namespace {

struct Words {
  ErrorClass error_class;
  char const* name;
  std::string_view text;
};

constexpr Words all[]{
    Words{ErrorClass::success, "MPI_SUCCESS", "no error"},
    Words{ErrorClass::buffer, "MPI_ERR_BUFFER", "invalid buffer, or no room in the one attached"},
    Words{ErrorClass::count, "MPI_ERR_COUNT", "invalid count"},
    Words{ErrorClass::type, "MPI_ERR_TYPE", "invalid datatype"},
    Words{ErrorClass::tag, "MPI_ERR_TAG", "invalid tag"},
    Words{ErrorClass::comm, "MPI_ERR_COMM", "invalid communicator"},
    Words{ErrorClass::rank, "MPI_ERR_RANK", "invalid rank"},
    Words{ErrorClass::root, "MPI_ERR_ROOT", "invalid root"},
    Words{ErrorClass::group, "MPI_ERR_GROUP", "invalid group"},
    Words{ErrorClass::op, "MPI_ERR_OP", "invalid operation, or none for this datatype"},
    Words{ErrorClass::topology, "MPI_ERR_TOPOLOGY", "invalid topology"},
    Words{ErrorClass::dims, "MPI_ERR_DIMS", "invalid dimensions"},
    Words{ErrorClass::arg, "MPI_ERR_ARG", "invalid argument"},
    Words{ErrorClass::unknown, "MPI_ERR_UNKNOWN", "unknown error"},
    Words{ErrorClass::truncate, "MPI_ERR_TRUNCATE", "message longer than the room for it"},
    Words{ErrorClass::other, "MPI_ERR_OTHER", "another error"},
    Words{ErrorClass::intern, "MPI_ERR_INTERN", "the back end or the job failed"},
    Words{ErrorClass::in_status, "MPI_ERR_IN_STATUS", "the error is in the statuses"},
    Words{ErrorClass::pending, "MPI_ERR_PENDING", "the operation is still under way"},
    Words{ErrorClass::request, "MPI_ERR_REQUEST", "invalid request"},
    Words{ErrorClass::info, "MPI_ERR_INFO", "invalid info object"},
    Words{ErrorClass::info_key, "MPI_ERR_INFO_KEY", "invalid key of an info object"},
    Words{ErrorClass::info_value, "MPI_ERR_INFO_VALUE", "invalid value of an info object"},
    Words{ErrorClass::info_nokey, "MPI_ERR_INFO_NOKEY", "no such key in the info object"},
    Words{ErrorClass::win, "MPI_ERR_WIN", "invalid window"},
    Words{ErrorClass::base, "MPI_ERR_BASE", "invalid base of a window"},
    Words{ErrorClass::locktype, "MPI_ERR_LOCKTYPE", "invalid lock type"},
    Words{ErrorClass::keyval, "MPI_ERR_KEYVAL", "invalid keyval"},
    Words{ErrorClass::rma_conflict, "MPI_ERR_RMA_CONFLICT", "conflicting accesses to a window"},
    Words{ErrorClass::rma_sync, "MPI_ERR_RMA_SYNC", "wrong synchronization of a window"},
    Words{ErrorClass::size, "MPI_ERR_SIZE", "invalid size of a window"},
    Words{ErrorClass::disp, "MPI_ERR_DISP", "invalid displacement"},
    Words{ErrorClass::assertion, "MPI_ERR_ASSERT", "invalid assertion"},
    Words{ErrorClass::rma_range, "MPI_ERR_RMA_RANGE", "memory outside the target's window"},
    Words{ErrorClass::rma_attach, "MPI_ERR_RMA_ATTACH", "memory that cannot be attached"},
    Words{ErrorClass::rma_shared, "MPI_ERR_RMA_SHARED", "memory that cannot be shared"},
    Words{ErrorClass::rma_flavor, "MPI_ERR_RMA_FLAVOR", "a window of another kind"},
};

Words const* find(int code) {
  for (auto const& one : all)
    if (static_cast<int>(one.error_class) == code) return &one;
  return nullptr;
}

ErrorClass class_of(Fault fault) {
  switch (fault) {
    case Fault::bad_rank:
      return ErrorClass::rank;
    case Fault::bad_tag:
      return ErrorClass::tag;
    case Fault::bad_length:
      return ErrorClass::count;
    case Fault::too_long:
      return ErrorClass::truncate;
    case Fault::bad_request:
      return ErrorClass::request;
    case Fault::no_memory:
      return ErrorClass::other;
    default:
      return ErrorClass::intern;
  }
}

}  // namespace

ErrorClass class_of(Error const& error) {
  auto const* native = dynamic_cast<MpiError const*>(&error);
  return native ? native->error_class() : class_of(error.fault());
}

char const* name_of(ErrorClass error_class) {
  auto const* found = find(static_cast<int>(error_class));
  return found ? found->name : nullptr;
}

std::string_view error_text(int code) {
  auto const* found = find(code);
  return found ? found->text : "unknown error code";
}

}  // namespace earl::mpi
