// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/services/store.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace earl::exec {

Store::Entries& Store::entries_of(std::string const& name) {
  auto const [at, is_new] = names_.try_emplace(name);
  if (is_new) at->second.since = ++names_ever_;
  return at->second.entries;
}

void Store::put(PendingReply const& reply, StorePut const& request) {
  auto& entries = entries_of(request.name);
  auto index = request.index;
  auto taken = entries.find(index);
  if (request.several)
    for (; taken != entries.end(); taken = entries.find(index)) ++index;
  if (taken != entries.end() && (request.unique || !taken->second.yields_to(reply.to)))
    return context_.answer(reply, StoreAnswer{.fault = StoreFault::denied, .index = index});
  entries[index] = {.owner = reply.to,
                    .overwritable = request.overwritable,
                    .persistent = request.persistent,
                    .word = request.word,
                    .data = request.data};
  context_.answer(reply, StoreAnswer{.index = index});
  serve_waiting(request.name);
}

/// The requests that wait for an entry of that name, first come, first served.
void Store::serve_waiting(std::string const& name) {
  for (std::size_t i = 0; i < waiting_.size();) {
    auto const one = waiting_[i];
    if (one.request.name == name && serve(one.reply, one.request))
      waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(i));
    else
      ++i;
  }
}

Store::Entries::iterator Store::find(Entries& entries, StoreGet const& request) {
  return request.first ? entries.lower_bound(request.index) : entries.find(request.index);
}

/// False: there is no such entry, and no request has been answered.
bool Store::serve(PendingReply const& reply, StoreGet const& request) {
  auto const name = names_.find(request.name);
  if (name == names_.end()) return false;
  auto& entries = name->second.entries;
  auto const found = find(entries, request);
  if (found == entries.end()) return false;
  auto& [index, entry] = *found;
  if (request.remove && !entry.yields_to(reply.to)) {
    context_.answer(reply, StoreAnswer{.fault = StoreFault::denied, .index = index});
    return true;
  }
  context_.answer(reply, StoreAnswer{.index = index, .data = entry.data});
  if (request.remove) entries.erase(found);
  if (entries.empty()) names_.erase(name);
  return true;
}

void Store::get(PendingReply const& reply, StoreGet const& request) {
  if (serve(reply, request)) return;
  if (request.wait)
    waiting_.push_back({.reply = reply, .request = request});
  else
    context_.answer(reply, StoreAnswer{.fault = StoreFault::not_found});
}

std::optional<WaitReason> Store::wait_reason_of(Rank rank) const {
  for (auto const& one : waiting_)
    if (one.reply.to == rank)
      return WaitReason{.what = fmt::format("an entry \"{}\" in the mailbox", one.request.name)};
  return std::nullopt;
}

void Store::list(PendingReply const& reply) {
  std::map<std::uint64_t, std::string const*> in_order;
  for (auto const& [name, what] : names_) in_order.emplace(what.since, &name);
  StoreListing listing;
  for (auto const& [since, name] : in_order)
    for (auto const& [index, entry] : names_.at(*name).entries)
      listing.entries.push_back(
          {.name = *name, .index = index, .owner = entry.owner, .word = entry.word});
  context_.answer(reply, listing);
}

void Store::died(Rank rank, int) {
  std::erase_if(waiting_, [rank](Waiting const& one) { return one.reply.to == rank; });
  for (auto& [name, what] : names_) {
    auto& entries = what.entries;
    std::erase_if(entries, [rank](auto const& one) {
      return one.second.owner == rank && !one.second.persistent;
    });
    for (auto& [index, entry] : entries)
      if (entry.owner == rank) entry.owner = no_rank;
  }
  std::erase_if(names_, [](auto const& one) { return one.second.entries.empty(); });
}

}  // namespace earl::exec
