// SPDX-License-Identifier: BSD-3-Clause
/// An id table as bytes of a file, and the way back.
#pragma once

#include <string>

#include "generic/base/id_table.hpp"

namespace earl::contents {

std::string bytes_of_table(IdTable const& table);
/// Memory with that table, in which every process lives; without an owner, it stays to the end.
/// Throws Error.
IdTable table_from(Bytes bytes);

}  // namespace earl::contents
