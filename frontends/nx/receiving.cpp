// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/nx/receiving.hpp"

#include "frontends/nx/errors.hpp"

namespace earl::nx {

std::int32_t post(State& me, MatchSpec const& spec, MutableBytes room, InfoArray const& info) {
  me.ids().check_room();
  return me.ids().open({.request = me.process().start_receive(spec, room),
                        .room = room.size(),
                        .info = info,
                        .merged = {}});
}

void complain(State& me, Completion const& got, std::size_t room) {
  Envelope const& message = got.envelope;
  auto const type = number(message.tag);
  auto const node = me.cube().node_of(message.source);
  if (got.refused)
    throw NxError(EQMSGLONG,
                  "message of {} bytes (type {}, node {}) is longer than the buffer of {}",
                  message.length, type, node, room);
  throw NxError(EQBADNODE, "node {} ended before its message of type {} could be read", node, type);
}

void accept(State& me, Completion const& got, std::size_t room, InfoArray const& info) {
  if (got.refused || got.lost) complain(me, got, room);
  me.record(got.envelope, info);
}

}  // namespace earl::nx
