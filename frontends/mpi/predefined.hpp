// SPDX-License-Identifier: BSD-3-Clause
/// Standard, 4.9.2: which predefined operation does what to which predefined datatype.
#pragma once

#include <string_view>

#include "frontends/mpi/handles.hpp"
#include "generic/collectives/collectives.hpp"

namespace earl::mpi {

/// Numbers for messages, the same in each binary interface. 0: it is no predefined operation.
std::uint32_t code_of_operation(Handle op);
/// MPI_OP_NULL: there is none.
Handle operation_by_code(std::uint32_t code);

/// "MPI_SUM"; empty: it is no predefined operation.
std::string_view name_of_operation(Handle op);
/// For sentences: its name, else its handle.
std::string operation_text(Handle op);

/// No function: there is no such operation, or not for that datatype.
Combine predefined_combine(Handle op, Handle datatype);

}  // namespace earl::mpi
