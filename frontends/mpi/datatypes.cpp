// SPDX-License-Identifier: BSD-3-Clause
/// Standard, 3.12: what datatypes mean for messages.
#include "frontends/mpi/datatypes.hpp"

#include "frontends/mpi/state.hpp"
#include "frontends/mpi/text.hpp"

namespace earl::mpi {

namespace {

[[noreturn]] void refuse(Handle datatype, char const* argument) {
  handle::refuse(datatype, Kind::datatype, argument);
}

/// The memory of so many items of a type that may have holes.
Pattern described(State& me, void const* buffer, std::size_t items, Handle datatype,
                  ArgumentNames const& names, std::uint32_t& signature) {
  TypeMap const& map = committed(me, datatype, names.datatype);
  if (map.true_lower() == 0) check_memory(buffer, items * map.size(), names);
  Pattern const pattern = map.pattern(items);
  signature = signature_of(map, pattern.size());
  return pattern;
}

template <class Piece, class Memory>
Payload<Piece> payload(State& me, Memory* buffer, int count, Handle datatype,
                       ArgumentNames const& names) {
  using Byte = typename Piece::element_type;
  Payload<Piece> payload;
  if (builtin::is_plain(datatype)) [[likely]] {
    payload.pieces = plain_memory<Piece>(buffer, count, datatype, names);
    payload.signature = builtin::signature_of(datatype);
    return payload;
  }
  const std::size_t items = checked_count(count, names);
  auto* const base = static_cast<Byte*>(buffer);
  Pattern const pattern = described(me, buffer, items, datatype, names, payload.signature);
  if (pattern.contiguous()) {
    payload.pieces = memory_at<Piece>(base, pattern);
    return payload;
  }
  payload.kept.pattern = std::make_unique<Pattern>(pattern);
  payload.pieces = {base, *payload.kept.pattern};
  if (auto* const made = me.datatypes().find(datatype)) payload.kept.datatype = *made;
  return payload;
}

}  // namespace

void refuse_count(int count, ArgumentNames const& names) {
  throw MpiError(ErrorClass::count, "{} is {}: pass 0 or more", names.count, count);
}

void refuse_memory(std::size_t length, ArgumentNames const& names) {
  throw MpiError(ErrorClass::buffer, "{} is a null pointer: pass memory of {} bytes", names.buffer,
                 length);
}

template <class Piece>
void Borrowed<Piece>::describe(State& me, Byte* base, std::size_t items, Handle datatype,
                               ArgumentNames const& names) {
  pattern_ = described(me, base, items, datatype, names, signature_);
  pieces_ = memory_at<Piece>(base, *pattern_);
}
template class Borrowed<Bytes>;
template class Borrowed<MutableBytes>;

Outgoing outgoing(State& me, void const* buffer, int count, Handle datatype,
                  ArgumentNames const& names) {
  return payload<Bytes>(me, buffer, count, datatype, names);
}

Incoming incoming(State& me, void* buffer, int count, Handle datatype, ArgumentNames const& names) {
  return payload<MutableBytes>(me, buffer, count, datatype, names);
}

namespace {

[[noreturn, gnu::cold, gnu::noinline]] void refuse_uncommitted(State& me, Handle datatype,
                                                               char const* argument) {
  throw MpiError(ErrorClass::type, "{} is {}, which is not committed: call MPI_Type_commit",
                 argument, datatype_text(me, datatype));
}

}  // namespace

TypeMap const& map_of(State& me, Handle datatype, char const* argument) {
  if (auto const* const known = builtin::find(datatype)) return *known;
  auto* const made = me.datatypes().find(datatype);
  if (!made) refuse(datatype, argument);
  return (*made)->map;
}

TypeMap const& committed(State& me, Handle datatype, char const* argument) {
  auto* const made = me.datatypes().find(datatype);
  if (made && !(*made)->committed) refuse_uncommitted(me, datatype, argument);
  if (builtin::is_lower_marker(datatype) || builtin::is_upper_marker(datatype))
    throw MpiError(ErrorClass::type, "{} is {}: it only marks bounds of other types", argument,
                   builtin::name_of(datatype));
  return map_of(me, datatype, argument);
}

std::uint32_t signature_of(TypeMap const& map, std::uint64_t bytes) {
  if (Basic const* const only = map.signature().uniform())
    return only->id == builtin::number_of(MPI_PACKED) ? 0 : only->id;
  // Numbers of basic types are below this.
  constexpr std::uint32_t mixed = 0x800;
  return bytes == 0
             ? 0
             : mixed | static_cast<std::uint32_t>(map.signature().hash_of(bytes).value >> 53);
}

std::string datatype_text(State& me, Handle datatype) {
  auto* const made = me.datatypes().find(datatype);
  auto const renamed = me.datatypes().renamed.find(datatype);
  std::string_view name = builtin::name_of(datatype);
  if (made) name = (*made)->name;
  if (renamed != me.datatypes().renamed.end()) name = renamed->second;
  return name.empty() ? fmt::format("{:#x}", handle::bits(datatype)) : printable(name);
}

std::size_t size_of(State& me, Handle datatype) {
  if (builtin::is_plain(datatype)) [[likely]]
    return builtin::size_of(datatype);
  return map_of(me, datatype).size();
}

}  // namespace earl::mpi
