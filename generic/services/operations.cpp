// SPDX-License-Identifier: BSD-3-Clause
#include "generic/services/operations.hpp"

#include <algorithm>

#include "generic/base/error.hpp"
#include "generic/base/id_table.hpp"

namespace earl {

void SpawnRequest::write(Writer& to) const {
  to.text(program);
  to.texts(arguments);
  to.texts(search);
  to.texts(environment);
  to.text(folder);
  to.u32(count);
  to.u32(flags);
  to.u32(label);
  to.u32(static_cast<std::uint32_t>(hosts.size()));
  for (auto const host : hosts) to.u32(host);
}

SpawnRequest SpawnRequest::read(Reader& from) {
  SpawnRequest request;
  request.program = from.text();
  request.arguments = from.texts();
  request.search = from.texts();
  request.environment = from.texts();
  request.folder = from.text();
  request.count = from.u32();
  request.flags = from.u32();
  request.label = from.u32();
  auto const count = from.u32();
  if (count > most_hosts) throw Error("a spawn that names {} hosts", count);
  for (std::uint32_t i = 0; i < count; ++i) request.hosts.push_back(from.u32());
  return request;
}

void SpawnAnswer::write(Writer& to) const {
  to.u32(static_cast<std::uint32_t>(ranks.size()));
  for (auto const rank : ranks) to.i32(number(rank));
  to.u32(static_cast<std::uint32_t>(fault));
  to.text(why);
}

SpawnAnswer SpawnAnswer::read(Reader& from) {
  SpawnAnswer answer;
  auto const count = from.u32();
  if (count > 65'536) throw Error("EXEC's answer to a spawn claims {} processes", count);
  for (std::uint32_t i = 0; i < count; ++i) answer.ranks.push_back(Rank{from.i32()});
  answer.fault = static_cast<SpawnFault>(std::min(from.u32(), 4U));
  answer.why = from.text();
  return answer;
}

void SignalRequest::write(Writer& to) const {
  to.i32(number(target));
  to.i32(signal);
}

SignalRequest SignalRequest::read(Reader& from) {
  SignalRequest request;
  request.target = Rank{from.i32()};
  request.signal = from.i32();
  return request;
}

void CallsAnswer::write(Writer& to) const {
  to.text(own);
  to.text(other);
}

CallsAnswer CallsAnswer::read(Reader& from) {
  CallsAnswer answer;
  answer.own = from.text();
  answer.other = from.text();
  return answer;
}

void StatusAnswer::write(Writer& to) const {
  to.u32(known ? 1 : 0);
  to.u32(alive ? 1 : 0);
}

StatusAnswer StatusAnswer::read(Reader& from) {
  StatusAnswer answer;
  answer.known = from.u32() != 0;
  answer.alive = from.u32() != 0;
  return answer;
}

}  // namespace earl
