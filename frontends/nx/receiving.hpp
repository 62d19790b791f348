// SPDX-License-Identifier: BSD-3-Clause
/// The common part of the calls that receive.
#pragma once

#include "frontends/nx/state.hpp"

namespace earl::nx {

/// Posts a receive and gives its message id.
std::int32_t post(State& me, MatchSpec const& spec, MutableBytes room, InfoArray const& info = {});

/// Throws NxError for a receive that was refused or whose message is lost.
[[noreturn]] void complain(State& me, Completion const& got, std::size_t room);

/// Stores the facts about a completed receive's message. A message that was longer than the `room`
/// bytes there were: EQMSGLONG.
inline void accept(State& me, Completion const& got, std::size_t room) {
  if (got.refused || got.lost) [[unlikely]]
    complain(me, got, room);
  me.record(got.envelope);
}
void accept(State& me, Completion const& got, std::size_t room, InfoArray const& info);

}  // namespace earl::nx
