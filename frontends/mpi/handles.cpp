// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/mpi/handles.hpp"

#include <string_view>

namespace earl::mpi::handle {

namespace {

struct Row {
  Kind kind;
  char const* name;
  char const* null;
  ErrorClass error_class;
};

constexpr Row rows[]{
    Row{Kind::communicator, "communicator", "MPI_COMM_NULL", ErrorClass::comm},
    Row{Kind::group, "group", "MPI_GROUP_NULL", ErrorClass::group},
    Row{Kind::datatype, "datatype", "MPI_DATATYPE_NULL", ErrorClass::type},
    Row{Kind::errhandler, "error handler", "MPI_ERRHANDLER_NULL", ErrorClass::arg},
    Row{Kind::operation, "operation", "MPI_OP_NULL", ErrorClass::op},
    Row{Kind::info, "info object", "MPI_INFO_NULL", ErrorClass::info},
    Row{Kind::window, "window", "MPI_WIN_NULL", ErrorClass::win},
    Row{Kind::keyval, "keyval", "MPI_KEYVAL_INVALID", ErrorClass::keyval},
    Row{Kind::request, "request", "MPI_REQUEST_NULL", ErrorClass::request},
};

char const* article_of(char const* noun) {
  return std::string_view{"aeiou"}.find(noun[0]) == std::string_view::npos ? "a" : "an";
}

Row const* row_of(std::uint32_t kind) {
  for (auto const& row : rows)
    if (static_cast<std::uint32_t>(row.kind) == kind) return &row;
  return nullptr;
}

}  // namespace

std::string objection(Bits value, Kind kind) {
  Row const& wanted = *row_of(static_cast<std::uint32_t>(kind));
  if (value == bits(null(kind))) return wanted.null;
  Row const* const row = row_of(kind_number(static_cast<Handle>(value)));
  if (!row) {
    char const* const other = other_library(static_cast<Handle>(value));
    if (!other) return fmt::format("{:#x}, no handle of any kind", value);
    return fmt::format("{:#x}, a handle of {}'s (compile and link with one -api of earlcc)", value,
                       other);
  }
  if (row != &wanted) return fmt::format("{:#x}, a handle of kind {}", value, row->name);
  return fmt::format("{:#x}, {} {} that was freed or never made", value, article_of(wanted.name),
                     wanted.name);
}

void refuse_bits(Bits value, Kind kind, char const* argument) {
  Row const& wanted = *row_of(static_cast<std::uint32_t>(kind));
  char const* const article = article_of(wanted.name);
  throw MpiError(wanted.error_class, "{} is {}: pass {} {} that is there", argument,
                 objection(value, kind), article, wanted.name);
}

}  // namespace earl::mpi::handle
