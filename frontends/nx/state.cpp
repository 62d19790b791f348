// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/nx/state.hpp"

#include <cstdlib>

#include "frontends/common/batch.hpp"
#include "frontends/nx/errors.hpp"

namespace earl::nx {

namespace {

/// Separates the collectives of NX, and of its cubes, from all others.
constexpr std::uint64_t collective_contexts = 0x4e58'0000'0000;

/// The number of ignored operations that may pile up before the complete ones are let go.
constexpr std::size_t most_ignored = 64;

Cube known_cube(Process& process) {
  auto const me = process.rank();
  if (auto const partition = process.table().find(me)->partition)
    return Cube{process.table(), me, partition};
  return Cube{process.table(), me, batch_when_known(process, "nx")};
}

}  // namespace

std::size_t const State::slot = new_slot();

State::State(Process& process) : process_(process), cube_(known_cube(process)) {
  process.contexts().find_names_by(pid_in_reports);
  if (cube_.partition() == 0) return;
  partition_members_.emplace(process, cube_.partition());
  set_pid(static_cast<std::int32_t>(process.table().find(process.rank())->label));
}

Group State::group() {
  if (cube_.is_host())
    throw NxError(EQPRIV, "global operations are for nodes, and this is their host");
  if (partition_members_ && members_at_ != process_.table().count()) {
    members_ = partition_members_->on_all_nodes(pid_);
    members_at_ = process_.table().count();
  }
  // A cube that is a partition has as many groups as its nodes have pids.
  auto const pid = partition_members_ ? static_cast<std::uint64_t>(pid_) + 1 : 0;
  return {.members = partition_members_ ? std::span<const Rank>{members_} : cube_.nodes(),
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
  if (partition_members_ && pid_set_)
    throw NxError(EQSET, "this process was loaded with ptype {}", pid_);
  pid_context_ = context_of_pid(ptype);
  pid_ = ptype;
  pid_set_ = true;
}

Shape State::shape() const {
  if (shape_) return *shape_;
  auto const nodes = cube_.size();
  if (char const* text = std::getenv(shape_variable)) {
    auto const wanted = shape_of(text);
    if (std::int64_t{wanted.rows} * wanted.columns == nodes) return wanted;
  }
  std::int32_t rows = 1;
  for (std::int32_t r = 1; r * r <= nodes; ++r)
    if (nodes % r == 0) rows = r;
  return {.rows = rows, .columns = nodes / rows};
}

Rank State::rank_of(std::int32_t node, std::int32_t pid) {
  if (!partition_members_ || node > cube_.size()) return cube_.rank_of(node);
  return partition_members_->at(node, pid == any ? pid_ : pid);
}

Envelope State::any_envelope(std::int32_t type, std::int32_t node, std::int32_t pid) {
  check_initialized();
  // Pid -1 means all processes on that node; there is one, with the caller's pid by convention.
  const Context context = pid == any ? pid_context_ : context_of_pid(pid);
  const Tag tag = tag_of(type);
  const Rank dest = node == all_nodes ? no_rank : rank_of(node, pid);
  bool const native = node == all_nodes || node <= cube_.size();
  return message_to(dest, native ? context : common_context, tag);
}

std::span<const Rank> State::broadcast_ranks(std::int32_t pid) {
  if (!partition_members_ && pid != any && pid != pid_) return cube_.nodes();
  if (!partition_members_) return named_ = cube_.others();
  named_ =
      pid == any ? partition_members_->known(any, pid_) : partition_members_->on_all_nodes(pid);
  std::erase(named_, process_.rank());
  return named_;
}

Rank State::source_of(std::int32_t nodesel, std::int32_t ptypesel) {
  return nodesel == any ? any_rank : rank_of(nodesel, ptypesel);
}

MatchSpec State::spec(std::int32_t typesel, std::int32_t nodesel, std::int32_t ptypesel) {
  check_initialized();
  // Without nodesel the sender's pid selects nothing: the x-calls come from machines where a node
  // has one process.
  if (ptypesel < any) throw NxError(EQPID, "pid selector {} is negative", ptypesel);
  return receive_of(source_of(nodesel, ptypesel), tags_of(typesel));
}

void State::ignore(RequestId request) {
  ignored_.push_back(request);
  if (ignored_.size() < most_ignored) return;
  std::erase_if(ignored_, [&](RequestId old) { return process_.test(old).has_value(); });
}

bool State::first_time_odd_size() {
  if (odd_size_reported_) return false;
  odd_size_reported_ = true;
  return true;
}

}  // namespace earl::nx
