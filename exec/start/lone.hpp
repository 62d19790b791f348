/// A program that nobody started as part of a job is a job of one: it can talk to itself.
#pragma once

#include <memory>

#include "generic/descriptor.hpp"
#include "generic/id_table.hpp"
#include "generic/port.hpp"

namespace earl::boot {

/// Memory with an id table of one row, this process's; owned by nobody, it stays to the end.
Bytes lone_table(char const* front_end);

/// Never carries anything: the core keeps what a process sends to itself.
std::unique_ptr<Port> lone_port();

}  // namespace earl::boot
