// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/mpi/type_checks.hpp"

#include <cstdlib>
#include <string_view>

#include "exec/runtime/places.hpp"
#include "frontends/mpi/names.hpp"

namespace earl::mpi {

namespace {

/// No communicator has this id.
constexpr Context announcements = context_of(Space::front_end, 0x00ff'ffff'ffff'fffe);

void const* site_of_call(State& me) {
  void const* site = nullptr;
  me.process().debugged().stack({&site, 1});
  return site;
}

constexpr std::uint32_t mixed = 0x800;

/// Whether both stand for the same `bytes` bytes: of one type each, or by a hash. A prefix of a
/// mixture may be of one type.
bool alike(std::uint32_t one, std::uint32_t other, std::uint64_t bytes) {
  TypeMap const* const maps[]{builtin::find(builtin::by_number(one)),
                              builtin::find(builtin::by_number(other))};
  if (maps[0] && maps[1]) {
    // Pairs of one type consist of that type.
    Basic const* const elements[]{maps[0]->signature().uniform(), maps[1]->signature().uniform()};
    return elements[0] && elements[1] ? *elements[0] == *elements[1] : one == other;
  }
  auto const hash = [&](std::uint32_t signature, TypeMap const* map) {
    constexpr unsigned others = 53;
    return map ? mixed | static_cast<std::uint32_t>(map->signature().hash_of(bytes).value >> others)
               : signature;
  };
  return hash(one, maps[0]) == hash(other, maps[1]);
}

std::string_view to_text(std::uint32_t signature) {
  Handle const type = builtin::by_number(signature);
  return type != 0 ? builtin::name_of(type) : "a mixture of types";
}

std::string_view received_text(std::uint32_t sent, std::uint32_t wanted) {
  return to_text(wanted) == to_text(sent) ? "another mixture of types" : to_text(wanted);
}

}  // namespace

std::unique_ptr<TypeChecks> TypeChecks::wanted(State& me) {
  char const* const value = std::getenv("EARL_MPI_TYPES");
  bool const printed = value && std::string_view{value} == "1";
  auto* watch = me.process().debugger();
  if (watch && !watch->compares_types()) watch = nullptr;
  if (!printed && !watch) return {};
  return std::unique_ptr<TypeChecks>{new TypeChecks{me, watch, printed}};
}

std::uint32_t TypeChecks::sender(Communicator const& comm, Rank dest) {
  return printed_ ? number_of_call(dest) : static_cast<std::uint32_t>(comm.local->me());
}

std::uint32_t TypeChecks::number_of_call(Rank dest) {
  void const* const site = site_of_call(me_);
  auto const next = static_cast<std::uint32_t>(calls_.size() + 1);
  std::uint32_t const call = calls_.try_emplace(site, next).first->second;
  if (!announced_.emplace(dest, call).second) return call;
  std::string const place = boot::place_of(site);
  me_.process().send({.dest = dest,
                      .context = announcements,
                      .tag = Tag{static_cast<std::int32_t>(call)},
                      .mode = Mode::buffered},
                     std::as_bytes(std::span{place}));
  return call;
}

Expected TypeChecks::expected(Handle datatype) const {
  Expected made{.map = &map_of(me_, datatype), .site = site_of_call(me_)};
  if (auto* const own = me_.datatypes().find(datatype)) made.datatype = *own;
  return made;
}

std::string TypeChecks::place_of_send(Rank source, std::uint32_t call) {
  auto const [known, fresh] = places_.try_emplace({source, call}, "an unknown place");
  if (!fresh) return known->second;
  auto const tag = TagMatch::exactly(Tag{static_cast<std::int32_t>(call)});
  if (auto const said =
          me_.process().try_take({.source = source, .context = announcements, .tag = tag}))
    known->second.assign(reinterpret_cast<char const*>(said->body.bytes().data()),
                         said->body.size());
  return known->second;
}

void TypeChecks::compare(Communicator const& comm, Completion const& got,
                         Expected const& expected) {
  std::uint64_t const bytes = got.envelope.length;
  if (bytes == 0) return;
  std::uint32_t const sent = signature_in(got.envelope.word);
  std::uint32_t const wanted = signature_of(*expected.map, bytes);
  if (sent == 0 || wanted == 0 || got.cancelled || got.truncated) return;
  if (alike(sent, wanted, bytes)) return;
  if (watch_)
    watch_->mistyped(
        {.id = got.id, .sent = to_text(sent), .received = received_text(sent, wanted)});
  if (printed_) print(comm, got, expected, wanted);
}

std::string_view TypeChecks::element_of(CollectiveData const& data) {
  TypeMap const* map = builtin::find(data.datatype);
  if (auto* const made = map ? nullptr : me_.datatypes().find(data.datatype)) map = &(*made)->map;
  Basic const* const only = data.some && map ? map->signature().uniform() : nullptr;
  if (!only || only->id == builtin::number_of(MPI_PACKED)) return {};
  return builtin::name_of(builtin::by_number(only->id));
}

void TypeChecks::note_collective(CollectiveData const& given, CollectiveData const& taken) {
  if (watch_) watch_->collective_types({.given = element_of(given), .taken = element_of(taken)});
}

void TypeChecks::print(Communicator const& comm, Completion const& got, Expected const& expected,
                       std::uint32_t wanted) {
  std::uint32_t const sent = signature_in(got.envelope.word);
  auto const from = place_of_send(got.envelope.source, upper_in(got.envelope.word));
  if (!reported_.emplace(from, expected.site).second) return;
  me_.process().print_line(fmt::format(
      "mpi: {}: the message from {} on {}, tag {}, was sent as {} at {} and is received as {} at "
      "{}",
      caller_text(me_, comm), peer_text(me_, comm, got.envelope.source), comm.to_text(),
      number(got.envelope.tag), to_text(sent), from, received_text(sent, wanted),
      boot::place_of(expected.site)));
}

}  // namespace earl::mpi
