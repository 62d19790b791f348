// SPDX-License-Identifier: BSD-3-Clause
/// A program that was not started as part of a job is a job of one: it can talk to itself.
#pragma once

#include <memory>

#include "generic/base/id_table.hpp"
#include "generic/seams/port.hpp"
#include "generic/system/descriptor.hpp"

namespace earl::boot {

/// Memory with an id table of one row, this process's; without an owner, it stays to the end.
Bytes lone_table(char const* front_end);

/// Never carries anything: the core keeps messages of a process to itself. `advice` ends the report
/// of a wait that only another process could end.
std::unique_ptr<Port> lone_port(char const* advice);

}  // namespace earl::boot
