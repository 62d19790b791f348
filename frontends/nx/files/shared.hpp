// SPDX-License-Identifier: BSD-3-Clause
/// Reading and writing in the file's mode, and the modes themselves.
#pragma once

#include "frontends/nx/files/transfer.hpp"
#include "frontends/nx/state.hpp"

namespace earl::nx {

/// One node's part of a call. In M_SYNC and M_GLOBAL it waits for the other nodes'; in M_LOG for
/// those that are at it. ENFPS: the nodes' pointers differ; EMIXIO: so do the calls.
TransferResult transfer_shared(State& me, int fd, Transfer const& transfer);

/// EIMODE: there is no mode of that number.
void check_mode(std::int32_t mode);

/// Sets the mode; all nodes do. EIMODE; ESETIO: the nodes set
/// different ones; ENFPS.
void share(State& me, int fd, std::int32_t mode);

/// The pointer of a file, in M_LOG the common one; null: pipes and terminals have none.
std::optional<std::int64_t> pointer_of(State& me, int fd);
/// Moves it. `from` is lseek()'s.
std::int64_t seek(State& me, int fd, std::int64_t offset, int from);

}  // namespace earl::nx
