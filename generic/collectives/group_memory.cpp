// SPDX-License-Identifier: BSD-3-Clause
#include "generic/collectives/group_memory.hpp"

#include <algorithm>
#include <string>

#include "generic/contexts.hpp"
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

/// One member's part in sharing memory. The members do the same whatever the back end is, so that
/// a recording is replayed on any.
class Sharing {
 public:
  Sharing(Process& me, Group const& group, std::size_t size)
      : me_(me), group_(group), size_(size), key_(key_of(group)) {}

  void make() {
    attempt([&] { mapped_ = std::make_shared<SharedMemory>(name().c_str(), size_); });
  }
  void find() {
    attempt([&] {
      auto const* const first = me_.table().await(group_.members.front());
      mapped_ = SharedMemory::find(first ? first->unix_pid.load() : 0, name(), size_);
    });
  }
  /// Collective: all have it, or all throw.
  std::shared_ptr<std::byte> agree() {
    std::byte const failed{!memory_};
    auto const all = all_gather(me_, group_, Bytes{&failed, 1});
    auto const found = std::ranges::find(all.bytes(), std::byte{1});
    if (found != all.bytes().end()) refuse(static_cast<std::size_t>(found - all.bytes().begin()));
    if (mapped_) mapped_->close_descriptor();
    return memory_;
  }

 private:
  std::string name() const { return fmt::format("earl-{:016x}", key_); }
  template <class Map>
  void attempt(Map const& map) {
    try {
      memory_ = me_.contexts().common_memory(key_, size_);
      if (memory_) return;
      map();
      memory_ = {mapped_, mapped_->data()};
    } catch (Error const& error) {
      failure_ = error.what();
    }
  }
  [[noreturn]] void refuse(std::size_t member) const {
    if (memory_) throw Error("process {} cannot map it", number(group_.members[member]));
    throw Error("{}", failure_);
  }

  Process& me_;
  Group const& group_;
  std::size_t size_;
  std::uint64_t key_;
  std::shared_ptr<SharedMemory> mapped_{};  ///< null: the port's is taken
  std::shared_ptr<std::byte> memory_{};
  std::string failure_{};
};

}  // namespace

std::shared_ptr<std::byte> share_memory(Process& me, Group const& group, std::size_t size) {
  check_one_host(me, group);
  if (group.size() == 1) return private_memory(size);
  if (auto* const debugger = me.debugger()) debugger->shares_memory(size);
  Sharing sharing(me, group, size);
  if (group.me == 0) sharing.make();
  barrier(me, group);
  if (group.me != 0) sharing.find();
  return sharing.agree();
}

}  // namespace earl
