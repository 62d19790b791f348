// SPDX-License-Identifier: BSD-3-Clause
/// A pipe, both ends close-on-exec.
#pragma once

#include <string_view>

#include "generic/system/descriptor.hpp"

namespace earl {

struct Pipe {
  Descriptor read;
  Descriptor write;
};

/// `purpose`, "for a launcher", goes into the sentence. Throws Error (Fault::full).
Pipe make_pipe(std::string_view purpose);

/// For one end only: programs of the time know nothing of O_NONBLOCK.
void never_block(Descriptor const& end);

}  // namespace earl
