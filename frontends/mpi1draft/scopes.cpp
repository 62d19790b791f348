// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/mpi1draft/scopes.hpp"

#include <utility>

#include "frontends/mpi1draft/errors.hpp"
#include "frontends/mpi1draft/translate.hpp"

namespace earl::mpi1draft {

namespace {

constexpr int most_contexts = 65'535;
constexpr std::size_t most_groups = 1024;

}  // namespace

Group Members::group() const { return {.members = ranks, .me = me, .context = agreement_of(gid)}; }

Scopes::Scopes(std::vector<Rank> all_ranks, std::size_t me) {
  auto const made = groups_.emplace(all, Members{.ranks = std::move(all_ranks), .me = me});
  frames_.push_back({.group = &made.first->second});
}

Members* Scopes::find_or_null(int gid) {
  if (gid <= 0) throw DraftError(Status::bad_gid, "a GID of {}", gid);
  Members& here = *frames_.back().group;
  if (gid == all || gid == here.gid) return &here;
  auto const found = groups_.find(gid);
  if (found == groups_.end()) return nullptr;
  if (found->second.depth != depth())
    throw DraftError(Status::bad_gid, "group {} is outside the current group context", gid);
  return &found->second;
}

Members& Scopes::find(int gid) {
  if (auto* group = find_or_null(gid)) return *group;
  throw DraftError(Status::bad_gid, "the caller is in no group {}", gid);
}

void Scopes::add(Members group) {
  group.depth = depth();
  int const gid = group.gid;
  groups_.insert_or_assign(gid, std::move(group));
}

void Scopes::free(int gid) {
  Members const& group = find(gid);
  if (&group == frames_.back().group)
    throw DraftError(Status::bad_gid, "group {} is the current group context", gid);
  groups_.erase(gid);
}

void Scopes::push_group(int gid) {
  Members& group = find(gid);
  if (frames_.size() > most_groups)
    throw DraftError(Status::too_many_groups, "{} group contexts in one another", most_groups);
  frames_.push_back({.group = &group, .instance = ++group.pushes});
  changed();
}

int Scopes::pop_group() {
  if (at_top()) throw DraftError(Status::nothing_to_pop, "there is no group context to leave");
  std::erase_if(groups_, [&](auto const& one) { return one.second.depth == depth(); });
  frames_.pop_back();
  changed();
  return current().gid;
}

int Scopes::new_context() {
  Frame& frame = frames_.back();
  if (frame.contexts >= most_contexts)
    throw DraftError(Status::too_many_contexts, "{} communication contexts", frame.contexts);
  return ++frame.contexts;
}

void Scopes::push_context(int ccid) {
  if (ccid < 1 || ccid > contexts())
    throw DraftError(Status::bad_ccid, "context {} is none of 1 to {}", ccid, contexts());
  frames_.back().pushed.push_back(ccid);
  changed();
}

int Scopes::pop_context() {
  auto& pushed = frames_.back().pushed;
  if (!pushed.empty()) pushed.pop_back();
  changed();
  return ccid();
}

void Scopes::changed() { context_ = context_of(current().gid, frames_.back().instance, ccid()); }

}  // namespace earl::mpi1draft
