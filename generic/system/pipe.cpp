// SPDX-License-Identifier: BSD-3-Clause
#include "generic/system/pipe.hpp"

#include <fcntl.h>

#include <array>
#include <cerrno>

#include "generic/base/error.hpp"

namespace earl {

Pipe make_pipe(std::string_view purpose) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    throw Error(Fault::full, "no pipe {}: {}", purpose, system_message(errno));
  return {.read = Descriptor(ends[0]), .write = Descriptor(ends[1])};
}

void never_block(Descriptor const& end) { ::fcntl(end.get(), F_SETFL, O_NONBLOCK); }

}  // namespace earl
