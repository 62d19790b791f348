// SPDX-License-Identifier: BSD-3-Clause
#include "generic/services/store.hpp"

#include <algorithm>

#include "generic/base/error.hpp"

namespace earl {

namespace {

constexpr std::uint32_t most_entries = 1U << 20;

void write_flag(Writer& to, bool flag) { to.u32(flag ? 1 : 0); }
bool read_flag(Reader& from) { return from.u32() != 0; }

}  // namespace

void StorePut::write(Writer& to) const {
  to.text(name);
  to.i32(index);
  write_flag(to, several);
  write_flag(to, overwritable);
  write_flag(to, unique);
  write_flag(to, persistent);
  to.u32(word);
  to.text(data);
}

StorePut StorePut::read(Reader& from) {
  StorePut put;
  put.name = from.text();
  put.index = from.i32();
  put.several = read_flag(from);
  put.overwritable = read_flag(from);
  put.unique = read_flag(from);
  put.persistent = read_flag(from);
  put.word = from.u32();
  put.data = from.text();
  return put;
}

void StoreGet::write(Writer& to) const {
  to.text(name);
  to.i32(index);
  write_flag(to, first);
  write_flag(to, remove);
  write_flag(to, wait);
}

StoreGet StoreGet::read(Reader& from) {
  StoreGet get;
  get.name = from.text();
  get.index = from.i32();
  get.first = read_flag(from);
  get.remove = read_flag(from);
  get.wait = read_flag(from);
  return get;
}

void StoreAnswer::write(Writer& to) const {
  to.u32(static_cast<std::uint32_t>(fault));
  to.i32(index);
  to.text(data);
}

StoreAnswer StoreAnswer::read(Reader& from) {
  StoreAnswer answer;
  answer.fault = static_cast<StoreFault>(std::min(from.u32(), 2U));
  answer.index = from.i32();
  answer.data = from.text();
  return answer;
}

void StoreEntry::write(Writer& to) const {
  to.text(name);
  to.i32(index);
  to.i32(number(owner));
  to.u32(word);
}

StoreEntry StoreEntry::read(Reader& from) {
  StoreEntry entry;
  entry.name = from.text();
  entry.index = from.i32();
  entry.owner = Rank{from.i32()};
  entry.word = from.u32();
  return entry;
}

void StoreListing::write(Writer& to) const {
  to.u32(static_cast<std::uint32_t>(entries.size()));
  for (auto const& entry : entries) entry.write(to);
}

StoreListing StoreListing::read(Reader& from) {
  StoreListing listing;
  auto const count = from.u32();
  if (count > most_entries) throw Error("EXEC's answer claims {} entries in its store", count);
  for (std::uint32_t i = 0; i < count; ++i) listing.entries.push_back(StoreEntry::read(from));
  return listing;
}

}  // namespace earl
