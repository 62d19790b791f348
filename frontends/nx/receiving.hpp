// SPDX-License-Identifier: BSD-3-Clause
/// What the calls that receive have in common.
#pragma once

#include "frontends/nx/state.hpp"

namespace earl::nx {

/// Posts a receive and gives its message id.
std::int32_t post(State& me, MatchSpec const& spec, Room room, InfoArray const& info = {});

/// A receive that was refused or whose message is lost. Throws NxError.
[[noreturn]] void complain(State& me, Completion const& got, std::size_t room);

/// What a completed receive leaves behind: the facts about its message. A message that was longer
/// than the `room` bytes there were: EQMSGLONG.
inline void accept(State& me, Completion const& got, std::size_t room) {
  if (got.refused || got.lost) [[unlikely]]
    complain(me, got, room);
  me.record(got.envelope);
}
void accept(State& me, Completion const& got, std::size_t room, InfoArray const& info);

}  // namespace earl::nx
