// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/services/waits.hpp"

#include <algorithm>

namespace earl::exec {

void Waits::one(PendingReply const& reply, Places const& where) {
  ask({.reply = reply, .where = where});
}

void Waits::all(PendingReply const& reply, Places const& where) {
  ask({.reply = reply, .where = where, .all = true});
}

void Waits::expect(Rank rank) {
  // The process there before has been killed, or was not waited for.
  IdRow const& row = context_.roster().at(rank);
  const Places same{.partition = row.partition,
                    .place = static_cast<std::int32_t>(row.place),
                    .label = static_cast<std::int32_t>(row.label)};
  std::erase_if(loaded_, [&](Loaded const& loaded) { return covers(same, loaded.rank); });
  loaded_.push_back({.rank = rank});
}

void Waits::ask(Waiting const& waiting) {
  if (!try_answer(waiting)) waiting_.push_back(waiting);
}

void Waits::died(Rank rank, int wait_status) {
  std::erase_if(waiting_, [&](Waiting const& waiting) { return waiting.reply.to == rank; });
  auto const found = std::ranges::find(loaded_, rank, &Loaded::rank);
  if (found == loaded_.end()) return;
  // To the end, so that those that have ended stand in the order of their ends.
  loaded_.erase(found);
  loaded_.push_back({.rank = rank, .ended = true, .wait_status = wait_status});
  std::erase_if(waiting_, [&](Waiting const& waiting) { return try_answer(waiting); });
}

std::optional<WaitReason> Waits::wait_reason_of(Rank rank) const {
  auto const waiting =
      std::ranges::find(waiting_, rank, [](Waiting const& one) { return one.reply.to; });
  if (waiting == waiting_.end()) return std::nullopt;
  WaitReason reason{
      .what = waiting->all ? "the ends of all it has loaded" : "the end of one it has loaded",
      .all = waiting->all,
      .others = !waiting->all};
  for (auto const& loaded : loaded_)
    if (!loaded.ended && loaded.rank != rank && covers(waiting->where, loaded.rank))
      reason.from.push_back(loaded.rank);
  return reason;
}

/// A waiting process does not wait for itself.
bool Waits::covers(Places const& where, Rank rank) const {
  IdRow const& row = context_.roster().at(rank);
  return row.partition == where.partition && where.partition != 0 &&
         where.covers(static_cast<std::int32_t>(row.place), static_cast<std::int32_t>(row.label));
}

WaitAnswer Waits::answer_for(Loaded const& loaded) const {
  IdRow const& row = context_.roster().at(loaded.rank);
  return {.known = true,
          .rank = loaded.rank,
          .place = static_cast<std::int32_t>(row.place),
          .label = static_cast<std::int32_t>(row.label),
          .wait_status = loaded.wait_status};
}

bool Waits::try_answer(Waiting const& waiting) {
  auto const meant = [&](Loaded const& loaded) {
    return loaded.rank != waiting.reply.to && covers(waiting.where, loaded.rank);
  };
  WaitAnswer answer;
  bool running = false;
  for (auto const& loaded : loaded_) {
    if (!meant(loaded)) continue;
    if (!loaded.ended) {
      running = true;
    } else if (waiting.all || !answer.known) {
      answer = answer_for(loaded);
    }
  }
  if (running && (waiting.all || !answer.known)) return false;
  std::erase_if(loaded_, [&](Loaded const& loaded) {
    return loaded.ended && meant(loaded) && (waiting.all || loaded.rank == answer.rank);
  });
  context_.answer(waiting.reply, answer);
  return true;
}

}  // namespace earl::exec
