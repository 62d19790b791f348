// SPDX-License-Identifier: BSD-3-Clause
#include "generic/collectives/group_memory.hpp"

#include <algorithm>
#include <string>

#include "generic/contexts.hpp"
#include "generic/endpoint.hpp"
#include "generic/process.hpp"
#include "generic/system/shared_memory.hpp"

namespace earl {

namespace {

/// The host as programs see it decides, so that a replay elsewhere refuses what the recorded run
/// refused; the real one, so that nothing else is mapped.
void check_one_host(Process const& me, Group const& group) {
  auto const* const first = me.table().await(group.members.front());
  for (Rank const rank : group.members) {
    auto const* const other = me.table().await(rank);
    if (!first || !other || first->visible_host != other->visible_host ||
        first->host != other->host)
      throw Error("processes {} and {} are not on one host: share memory among those that are",
                  number(group.members.front()), number(rank));
  }
}

}  // namespace

GroupMemory::GroupMemory(Endpoint const& endpoint, Rank first, std::uint64_t key, std::size_t size)
    : endpoint_(endpoint), first_(first), key_(key), size_(size) {}

GroupMemory::~GroupMemory() = default;

template <class Map>
void GroupMemory::attempt(Map const& map) {
  try {
    memory_ = endpoint_.port->common_memory(key_, size_);
    if (memory_) return;
    map(fmt::format("earl-{:016x}", key_));
    memory_ = {mapped_, mapped_->data()};
  } catch (Error const& error) {
    failure_ = error.what();
  }
}

void GroupMemory::make() {
  attempt([&](std::string const& name) {
    mapped_ = std::make_shared<SharedMemory>(name.c_str(), size_);
  });
}

void GroupMemory::find() {
  attempt([&](std::string const& name) {
    mapped_ = SharedMemory::find(endpoint_.table.await_unix_pid(first_), name, size_);
  });
}

std::shared_ptr<std::byte> GroupMemory::take() {
  if (mapped_) mapped_->close_descriptor();
  return std::move(memory_);
}

std::shared_ptr<std::byte> share_memory(Process& me, Group const& group, std::size_t size) {
  check_one_host(me, group);
  if (group.size() == 1) return private_memory(size);
  if (auto* const debugger = me.debugger()) debugger->shares_memory(size);
  auto& contexts = me.contexts();
  GroupMemory memory(contexts.endpoint(), group.members.front(), key_of(group), size);
  if (group.me == 0) memory.make();
  barrier(me, group);
  if (group.me != 0) memory.find();
  std::byte const failed{!memory.there()};
  auto const all = all_gather(me, group, Bytes{&failed, 1});
  auto const found = std::ranges::find(all.bytes(), std::byte{1});
  if (found == all.bytes().end()) return memory.take();
  if (!memory.there()) throw Error("{}", memory.failure());
  auto const member = static_cast<std::size_t>(found - all.bytes().begin());
  throw Error("process {} cannot map it", number(group.members[member]));
}

}  // namespace earl
