// SPDX-License-Identifier: BSD-3-Clause
/// A program that loads others: how it comes to an EXEC and to a cube.
#include <algorithm>
#include <bit>
#include <cstdlib>

#include "exec/runtime/boot.hpp"
#include "frontends/nx/errors.hpp"
#include "frontends/nx/state.hpp"
#include "generic/base/number.hpp"
#include "generic/exec_client.hpp"
#include "generic/system/processors.hpp"

namespace earl::nx {

namespace {

/// Cubes that getcube has got by other names.
std::string cubes_not_meant(State const& me) {
  std::string names;
  if (me.bare())
    for (auto const& name : boot::sessions()) names += (names.empty() ? "" : ", ") + name;
  return names.empty() ? names
                       : "; of the cubes that there are (" + names +
                             ") it takes the one that EARL_CUBE or attachcube() names";
}

}  // namespace

bool State::alone() const {
  return process_.table().find(process_.rank())->role != Role::member && !partition_members_;
}

bool State::bare() const { return process_.table().find(process_.rank())->role == Role::bare; }

void State::require_host_capability() const {
  if (alone() || (partition_members_ && cube_.is_host())) return;
  throw NxError(EQPRIV, "only a host program, started alone, can get a cube");
}

void State::be_host(std::string_view session_server) {
  if (bare()) boot::become_host("nx", session_server);
}

void refuse_released() {
  throw NxError(EQCUBENOTATTCH, "no cube is attached: it was released (relcube)");
}

std::uint32_t State::need_cube() {
  if (!partition_members_ && !alone())
    throw NxError(EQCUBENOTATTCH,
                  "no cube is attached: these nodes were started together, by `earl run -n`, and "
                  "no host among them");
  if (detached_) refuse_released();
  if (partition_members_) return cube_.partition();
  // In a shell that has got a cube, that one.
  be_host(boot::default_session());
  auto const answer = process_.exec().attach({});
  if (answer.fault == PartitionFault::none)
    attach(answer);
  else
    get_cube(default_cube_size(*this));
  return cube_.partition();
}

bool State::find_cube() {
  if (!alone()) return true;
  auto const side = boot::linked_side();
  auto const session_server =
      bare() && side != Side::node ? boot::default_session() : std::string{};
  if (!session_server.empty()) be_host(session_server);
  if (session_server.empty() && (bare() || side != Side::host)) return false;
  auto const answer = process_.exec().attach({});
  if (answer.fault != PartitionFault::none) return false;
  attach(answer);
  return true;
}

void State::initialize() {
  if (!find_cube() && boot::linked_side() == Side::host)
    throw NxError(
        EQCUBENOTATTCH,
        "no cube is attached and nothing is loaded: a host program calls load() before, or "
        "is started with its nodes (`getcube` and `load`; `earl run ./host : -n 4 ./node`){}",
        cubes_not_meant(*this));
  if (cube_.is_host() && !pid_set_)
    throw NxError(EQNOSET, "a host program needs a pid first: call setpid()");
  initialized_ = true;
}

void State::resolve_cube() {
  if (!find_cube() && boot::linked_side() == Side::host) need_cube();
  cube_found_ = true;
}

void State::get_cube(std::uint32_t nodes) {
  auto const answer = process_.exec().allocate({.places = nodes});
  if (answer.fault != PartitionFault::none)
    throw NxError(EQNOCUBES,
                  "cannot allocate a cube of {} nodes: too few places are free; release a cube "
                  "(relcube), or allow more processes (--max-processes)",
                  nodes);
  attach(answer);
}

void State::attach(PartitionAnswer const& answer) {
  cube_ = Cube{process_.table(), process_.rank(), answer.partition};
  partition_members_.emplace(process_, answer.partition);
  detached_ = false;
  initialized_ = false;
}

std::uint32_t default_cube_size(State& me) {
  if (char const* text = std::getenv("EARL_NX_NODES"); text && *text) {
    auto const nodes = number_from<std::uint32_t>(text).value_or(0);
    if (nodes == 0 || nodes > most_ranks)
      throw NxError(EQNOCUBE, "EARL_NX_NODES is '{}': a number of nodes is needed", text);
    return nodes;
  }
  if (me.bare()) return std::bit_floor(usable_processors());
  // EXEC's answer, so that a replay gets the recorded one.
  auto& process = me.process();
  auto const hosts = process.exec().hosts().hosts;
  auto const own = process.table().find(process.rank())->visible_host;
  return std::bit_floor(std::max(hosts.at(own < hosts.size() ? own : 0).processors, 1U));
}

}  // namespace earl::nx
