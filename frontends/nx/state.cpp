// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/nx/state.hpp"

#include <cstdlib>

#include "frontends/common/batch.hpp"
#include "frontends/nx/errors.hpp"
#include "frontends/nx/include/nx.h"

// Weak like every entry point, so that a Fortran program's COMMON /MSGINFO/ takes the place of
// ours.
extern "C" {
[[gnu::weak]] long msginfo[8] = {-1, -1, -1, -1, -1, -1, -1, -1};
[[gnu::weak]] std::int32_t msginfo_[8] = {-1, -1, -1, -1, -1, -1, -1, -1};
}

namespace earl::nx {

namespace {

/// Separates the collectives of NX, and of its cubes, from all others.
constexpr std::uint64_t collective_contexts = 0x4e58'0000'0000;

/// How many ignored operations may pile up before the complete ones are let go.
constexpr std::size_t most_ignored = 64;

template <class Integer>
void write(Integer* info, Facts const& facts) {
  info[0] = facts.type;
  info[1] = facts.count;
  info[2] = facts.node;
  info[3] = facts.pid;
}

}  // namespace

std::size_t const State::slot = new_slot();

State::State(Process& process) : process_(process), cube_(known_cube()) {
  if (cube_.partition() == 0) return;
  seats_.emplace(process, cube_.partition());
  set_pid(static_cast<std::int32_t>(process.table().find(process.rank())->label));
}

Cube State::known_cube() {
  auto const me = process_.rank();
  if (auto const partition = process_.table().find(me)->partition)
    return Cube{process_.table(), me, partition};
  return Cube{process_.table(), me, batch_when_known(process_, "nx")};
}

Group State::group() {
  if (cube_.hosted_by_me())
    throw NxError(EQPRIV, "global operations are for nodes, and this is their host");
  if (seats_ && members_at_ != process_.table().count()) {
    members_ = seats_->on_all_nodes(pid_);
    members_at_ = process_.table().count();
  }
  // A cube that is a partition has as many groups as its nodes have pids.
  auto const pid = seats_ ? static_cast<std::uint64_t>(pid_) + 1 : 0;
  return {.members = seats_ ? std::span<const Rank>{members_} : cube_.nodes(),
          .me = static_cast<std::size_t>(cube_.me()),
          .context = context_of(Space::collective,
                                (collective_contexts ^ pid << 16) | (cube_.batch() & 0xffff))};
}

void State::set_pid(std::int32_t pid) {
  const Context context = context_of_pid(pid);
  if (pid_set_) throw NxError(EQSET, "this process has pid {} already", pid_);
  pid_context_ = context;
  pid_ = pid;
  pid_set_ = true;
}

void State::set_ptype(std::int32_t ptype) {
  if (pid_set_ && ptype == pid_) return;
  if (seats_ && pid_set_) throw NxError(EQSET, "this process was loaded with ptype {}", pid_);
  pid_context_ = context_of_pid(ptype);
  pid_ = ptype;
  pid_set_ = true;
}

Shape State::shape() const {
  if (shape_) return *shape_;
  auto const nodes = cube_.size();
  if (char const* text = std::getenv(shape_variable)) {
    auto const told = shape_of(text);
    if (std::int64_t{told.rows} * told.columns == nodes) return told;
  }
  std::int32_t rows = 1;
  for (std::int32_t r = 1; r * r <= nodes; ++r)
    if (nodes % r == 0) rows = r;
  return {.rows = rows, .columns = nodes / rows};
}

Rank State::rank_of(std::int32_t node, std::int32_t pid) {
  if (!seats_ || node > cube_.size()) return cube_.rank_of(node);
  return seats_->at(node, pid == any ? pid_ : pid);
}

Envelope State::any_envelope(std::int32_t type, std::int32_t node, std::int32_t pid) {
  check_settled();
  // Pid -1 means all processes on that node; there is one, with the caller's pid by convention.
  const Context context = pid == any ? pid_context_ : context_of_pid(pid);
  const Tag tag = tag_of(type);
  const Rank dest = node == all_nodes ? no_rank : rank_of(node, pid);
  bool const native = node == all_nodes || node <= cube_.size();
  return message_to(dest, native ? context : common_context, tag);
}

std::span<const Rank> State::everybody_for(std::int32_t pid) {
  if (!seats_ && pid != any && pid != pid_) return cube_.nodes();
  if (!seats_) return named_ = cube_.others();
  named_ = pid == any ? seats_->known(any, pid_) : seats_->on_all_nodes(pid);
  std::erase(named_, process_.rank());
  return named_;
}

Rank State::source_of(std::int32_t nodesel, std::int32_t ptypesel) {
  return nodesel == any ? any_rank : rank_of(nodesel, ptypesel);
}

MatchSpec State::spec(std::int32_t typesel, std::int32_t nodesel, std::int32_t ptypesel) {
  check_settled();
  // Without nodesel the sender's pid selects nothing: the x-calls come from machines where a node
  // has one process.
  if (ptypesel < any) throw NxError(EQPID, "pid selector {} is negative", ptypesel);
  return receive_of(source_of(nodesel, ptypesel), tags_of(typesel));
}

void State::record(Envelope const& envelope, InfoArray const& info) {
  const Facts facts = facts_of(envelope);
  if (info.wide) write(info.wide, facts);
  if (info.narrow) write(info.narrow, facts);
  // Programs hand the global over as `info` and then ask infocount(), in either language.
  if (info.named() && info.wide != process_.cell(msginfo) && info.narrow != process_.cell(msginfo_))
    return;
  restore(facts);
}

Facts State::facts() { return {fact(0), fact(1), fact(2), fact(3)}; }

void State::restore(Facts const& facts) {
  write(process_.cell(msginfo), facts);
  write(process_.cell(msginfo_), facts);
}

std::int32_t State::fact(std::size_t which) {
  return static_cast<std::int32_t>(process_.cell(msginfo)[which]);
}

void State::ignore(RequestId request) {
  ignored_.push_back(request);
  if (ignored_.size() < most_ignored) return;
  std::erase_if(ignored_, [&](RequestId old) { return process_.test(old).has_value(); });
}

bool State::first_time_odd_size() {
  if (odd_size_told_) return false;
  odd_size_told_ = true;
  return true;
}

}  // namespace earl::nx
