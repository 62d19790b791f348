// SPDX-License-Identifier: BSD-3-Clause
#include "generic/services/partitions.hpp"

#include <algorithm>

#include "generic/base/error.hpp"

namespace earl {

namespace {

constexpr std::uint32_t most_entries = 65'536;

std::uint32_t checked_count(Reader& from) {
  auto const count = from.u32();
  if (count > most_entries) throw Error("a message of EXEC's protocol claims {} entries", count);
  return count;
}

}  // namespace

void Places::write(Writer& to) const {
  to.u32(partition);
  to.i32(place);
  to.i32(label);
}

Places Places::read(Reader& from) {
  Places places;
  places.partition = from.u32();
  places.place = from.i32();
  places.label = from.i32();
  return places;
}

void AllocateRequest::write(Writer& to) const {
  to.text(name);
  to.u32(places);
  to.u32(keep ? 1 : 0);
}

AllocateRequest AllocateRequest::read(Reader& from) {
  AllocateRequest request;
  request.name = from.text();
  request.places = from.u32();
  request.keep = from.u32() != 0;
  return request;
}

void PartitionAnswer::write(Writer& to) const {
  to.u32(static_cast<std::uint32_t>(fault));
  to.u32(partition);
  to.u32(places);
}

PartitionAnswer PartitionAnswer::read(Reader& from) {
  PartitionAnswer answer;
  answer.fault = static_cast<PartitionFault>(std::min(from.u32(), 3U));
  answer.partition = from.u32();
  answer.places = from.u32();
  return answer;
}

void PartitionFacts::write(Writer& to) const {
  to.text(name);
  to.u32(places);
  to.u32(processes);
  to.u32(attached ? 1 : 0);
}

PartitionFacts PartitionFacts::read(Reader& from) {
  PartitionFacts facts;
  facts.name = from.text();
  facts.places = from.u32();
  facts.processes = from.u32();
  facts.attached = from.u32() != 0;
  return facts;
}

void PartitionList::write(Writer& to) const {
  to.u32(static_cast<std::uint32_t>(all.size()));
  for (auto const& facts : all) facts.write(to);
}

PartitionList PartitionList::read(Reader& from) {
  PartitionList list;
  auto const count = checked_count(from);
  for (std::uint32_t i = 0; i < count; ++i) list.all.push_back(PartitionFacts::read(from));
  return list;
}

void ReserveAnswer::write(Writer& to) const {
  to.u32(static_cast<std::uint32_t>(ranks.size()));
  for (auto const rank : ranks) to.i32(number(rank));
}

ReserveAnswer ReserveAnswer::read(Reader& from) {
  ReserveAnswer answer;
  auto const count = checked_count(from);
  for (std::uint32_t i = 0; i < count; ++i) answer.ranks.push_back(Rank{from.i32()});
  return answer;
}

void LoadRequest::write(Writer& to) const {
  what.write(to);
  where.write(to);
  to.u32(held ? 1 : 0);
}

LoadRequest LoadRequest::read(Reader& from) {
  LoadRequest request;
  request.what = SpawnRequest::read(from);
  request.where = Places::read(from);
  request.held = from.u32() != 0;
  return request;
}

void LoadAnswer::write(Writer& to) const {
  to.u32(static_cast<std::uint32_t>(fault));
  started.write(to);
}

LoadAnswer LoadAnswer::read(Reader& from) {
  LoadAnswer answer;
  answer.fault = static_cast<LoadFault>(std::min(from.u32(), 3U));
  answer.started = SpawnAnswer::read(from);
  return answer;
}

void AdoptRequest::write(Writer& to) const {
  where.write(to);
  to.i32(unix_pid);
}

AdoptRequest AdoptRequest::read(Reader& from) {
  AdoptRequest request;
  request.where = Places::read(from);
  request.unix_pid = from.i32();
  return request;
}

void WaitAnswer::write(Writer& to) const {
  to.u32(known ? 1 : 0);
  to.i32(number(rank));
  to.i32(place);
  to.i32(label);
  to.i32(wait_status);
}

WaitAnswer WaitAnswer::read(Reader& from) {
  WaitAnswer answer;
  answer.known = from.u32() != 0;
  answer.rank = Rank{from.i32()};
  answer.place = from.i32();
  answer.label = from.i32();
  answer.wait_status = from.i32();
  return answer;
}

}  // namespace earl
