// SPDX-License-Identifier: BSD-3-Clause
/// Bytes between memory and a file.
#pragma once

#include <sys/types.h>
#include <sys/uio.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "frontends/nx/files/extended.hpp"

namespace earl::nx {

enum class Direction : std::uint8_t { reading, writing };

/// The arguments of a call.
struct Transfer {
  Direction direction = Direction::reading;
  std::vector<iovec> pieces{};
  std::size_t bytes = 0;  ///< of all pieces together
};

/// EQLEN, EQPBUF.
Transfer transfer_of(Direction direction, void* memory, std::int32_t count);
/// EQPARAM, too.
Transfer transfer_of(Direction direction, iovec const* pieces, std::int32_t count);

/// Its outcome. Fewer bytes than requested without a fault: the file ends there.
struct TransferResult {
  std::uint64_t bytes = 0;
  std::int32_t fault = 0;  ///< the system's errno
  std::int32_t unused = 0;
};

/// Moves all there is: at the descriptor's pointer, which moves on, or at `offset`.
TransferResult move_bytes(int fd, Transfer const& transfer,
                          std::optional<std::int64_t> offset = {});

/// The number of bytes. Throws NxError with the system's errno.
std::int32_t checked(TransferResult const& moved);

/// Throws NxError with errno, and the system's text for it.
[[noreturn]] void refuse_file();

}  // namespace earl::nx
