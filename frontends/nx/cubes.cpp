// SPDX-License-Identifier: BSD-3-Clause
/// Manual: cubes. getcube attachcube relcube cubeinfo newserver setsyslog killsyslog.
#include <algorithm>
#include <cstring>

#include "exec/runtime/boot.hpp"
#include "frontends/nx/call.hpp"
#include "frontends/nx/cube_type.hpp"
#include "frontends/nx/include/nx.h"
#include "frontends/nx/text.hpp"
#include "generic/exec_client.hpp"

namespace earl::nx {

namespace {

std::string checked_name(std::string name) {
  if (name.size() > longest_name)
    throw NxError(EQCUBENAMELEN, "the cube name '{}' has more than {} characters", name,
                  longest_name);
  return name;
}

[[noreturn]] void refuse(PartitionFault fault, std::string_view name, std::uint32_t nodes) {
  if (fault == PartitionFault::exists)
    throw NxError(EQCUBEEXISTS,
                  "there is a cube '{}' already: choose another name, or release it (relcube)",
                  name);
  if (fault == PartitionFault::unknown)
    throw NxError(EQCUBENOTEXIST, "there is no cube '{}': `cubeinfo` lists yours", name);
  throw NxError(EQCUBETABFULL,
                "cannot allocate a cube of {} nodes: too few places are free; release a cube "
                "(relcube), or allow more processes (--max-processes)",
                nodes);
}

void attach_or_refuse(State& me, PartitionAnswer const& answer, std::string_view name,
                      std::uint32_t nodes) {
  if (answer.fault != PartitionFault::none) refuse(answer.fault, name, nodes);
  me.attach(answer);
}

/// Another system's resource manager has no say here.
void getcube(State& me, std::string const& given, std::string const& type,
             std::string const& /*srmname*/, std::int32_t keep) {
  auto name = checked_name(given);
  if (name.empty()) name = "defaultname";
  auto const typed = nodes_of_type(type);
  auto const nodes = typed ? *typed : default_cube_size(me);
  me.require_host_capability();
  if (keep != 0 && me.bare()) {
    if (!boot::start_session_server(name, nodes)) refuse(PartitionFault::exists, name, nodes);
    me.be_host(name);
    return attach_or_refuse(me, me.process().exec().attach(name), name, nodes);
  }
  me.be_host({});
  auto const answer =
      me.process().exec().allocate({.name = name, .places = nodes, .keep = keep != 0});
  attach_or_refuse(me, answer, name, nodes);
}

void attachcube(State& me, std::string const& given) {
  auto const name = checked_name(given);
  me.require_host_capability();
  if (me.bare() && !boot::has_session_server(name))
    throw NxError(EQCUBENOTEXIST, "{}", boot::no_such_session(name));
  me.be_host(name);
  attach_or_refuse(me, me.process().exec().attach(name), name, 0);
}

/// Only the current cube can be named: the names of the others are not kept.
void relcube(State& me, std::string const& given) {
  auto const name = checked_name(given);
  if (!name.empty() && me.bare())
    attachcube(me, name);
  else if (!name.empty() && me.cube().partition() != 0)
    attach_or_refuse(me, me.process().exec().attach(name), name, 0);
  auto const partition = me.need_cube();
  me.process().exec().release(partition);
  me.detach();
}

void put(char (&field)[16], std::string_view value) {
  std::memset(field, 0, sizeof field);
  value.copy(field, sizeof field - 1);
}

std::int32_t cubeinfo(State& me, struct cubetable* table, std::int32_t slots, std::int32_t global) {
  if (global < 0 || global > 2)
    throw NxError(EQBADGLOBAL, "global is {}; 0, 1 and 2 are defined", global);
  if (slots < 0) throw NxError(EQPARAM, "the table has {} slots: pass 0 or more", slots);
  if (!table && slots > 0)
    throw NxError(EQPBUF, "the address for the table is null: pass a variable");
  if (me.bare()) return 0;
  auto const list = me.process().exec().partitions();
  auto const count = std::min(list.all.size(), static_cast<std::size_t>(slots));
  for (std::size_t i = 0; i < count; ++i) {
    auto const& facts = list.all[i];
    put(table[i].cubename, facts.name);
    put(table[i].cubetype, fmt::format("{}", facts.places));
    put(table[i].hostname, "localhost");
    put(table[i].owner, "");
    table[i].size = static_cast<int>(facts.places);
    table[i].attached = facts.attached ? 1 : 0;
  }
  return static_cast<std::int32_t>(count);
}

/// File and terminal servers and the system log belonged to a machine whose nodes had no files.
void newserver(State&, std::string const& /*cubename*/) {}
void setsyslog(State&, std::int32_t /*stdfd*/) {}
void killsyslog(State&) {}

}  // namespace
}  // namespace earl::nx

namespace nx = earl::nx;
using nx::Integer;
using nx::Plain;
using nx::text;
using nx::Underscore;

EARL_NX_ENTRY void getcube(char* cubename, char* cubetype, char* srmname, long keep) {
  nx::call<Plain>("getcube", nx::getcube, text(cubename), text(cubetype), text(srmname), keep);
}
EARL_NX_ENTRY long _getcube(char* cubename, char* cubetype, char* srmname, long keep) {
  return nx::call<Underscore>("_getcube", nx::getcube, text(cubename), text(cubetype),
                              text(srmname), keep);
}
EARL_NX_ENTRY void getcube_(char* cubename, char* cubetype, char* srmname, Integer keep,
                            std::size_t name, std::size_t type, std::size_t srm) {
  nx::call<Plain>("getcube", nx::getcube, text(cubename, name), text(cubetype, type),
                  text(srmname, srm), keep);
}

EARL_NX_ENTRY void attachcube(char* cubename) {
  nx::call<Plain>("attachcube", nx::attachcube, text(cubename));
}
EARL_NX_ENTRY long _attachcube(char* cubename) {
  return nx::call<Underscore>("_attachcube", nx::attachcube, text(cubename));
}
EARL_NX_ENTRY void attachcube_(char* cubename, std::size_t name) {
  nx::call<Plain>("attachcube", nx::attachcube, text(cubename, name));
}

EARL_NX_ENTRY void relcube(char* cubename) {
  nx::call<Plain>("relcube", nx::relcube, text(cubename));
}
EARL_NX_ENTRY long _relcube(char* cubename) {
  return nx::call<Underscore>("_relcube", nx::relcube, text(cubename));
}
EARL_NX_ENTRY void relcube_(char* cubename, std::size_t name) {
  nx::call<Plain>("relcube", nx::relcube, text(cubename, name));
}

EARL_NX_ENTRY long cubeinfo(struct cubetable* ct, long numslots, long global) {
  return nx::call<Plain>("cubeinfo", nx::cubeinfo, ct, numslots, global);
}
EARL_NX_ENTRY long _cubeinfo(struct cubetable* ct, long numslots, long global) {
  return nx::call<Underscore>("_cubeinfo", nx::cubeinfo, ct, numslots, global);
}
EARL_NX_ENTRY std::int32_t cubeinfo_(struct cubetable* ct, Integer numslots, Integer global) {
  return nx::call<Plain>("cubeinfo", nx::cubeinfo, ct, numslots, global);
}

EARL_NX_ENTRY void newserver(char* cubename) {
  nx::call<Plain>("newserver", nx::newserver, text(cubename));
}
EARL_NX_ENTRY long _newserver(char* cubename) {
  return nx::call<Underscore>("_newserver", nx::newserver, text(cubename));
}
EARL_NX_ENTRY void newserver_(char* cubename, std::size_t name) {
  nx::call<Plain>("newserver", nx::newserver, text(cubename, name));
}

EARL_NX_ENTRY void setsyslog(long stdfd) { nx::call<Plain>("setsyslog", nx::setsyslog, stdfd); }
EARL_NX_ENTRY long _setsyslog(long stdfd) {
  return nx::call<Underscore>("_setsyslog", nx::setsyslog, stdfd);
}
EARL_NX_ENTRY void setsyslog_(Integer stdfd) { nx::call<Plain>("setsyslog", nx::setsyslog, stdfd); }

EARL_NX_ENTRY void killsyslog(void) { nx::call<Plain>("killsyslog", nx::killsyslog); }
EARL_NX_ENTRY long _killsyslog(void) { return nx::call<Underscore>("_killsyslog", nx::killsyslog); }
EARL_NX_ENTRY void killsyslog_(void) { nx::call<Plain>("killsyslog", nx::killsyslog); }
