// SPDX-License-Identifier: BSD-3-Clause
/// Memory that the members of a group on one host share: they read and write it without a message.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "generic/collectives/collectives.hpp"

namespace earl {

struct Endpoint;
class SharedMemory;

/// One member's part in sharing memory: member 0 makes it, the others find it after that. What a
/// member cannot do is kept for the members to agree on. All do the same whatever the back end is,
/// so that a recording is replayed on any.
class GroupMemory {
 public:
  /// `key`: the same in all members, and of no other memory. `first`: member 0.
  GroupMemory(Endpoint const& endpoint, Rank first, std::uint64_t key, std::size_t size);
  ~GroupMemory();
  GroupMemory(GroupMemory const&) = delete;
  GroupMemory& operator=(GroupMemory const&) = delete;

  void make();
  void find();
  /// All zeros at first; null: this member does not have it, and failure() says why. No other
  /// process can find it any more.
  std::shared_ptr<std::byte> take();
  bool there() const { return memory_ != nullptr; }
  std::string const& failure() const { return failure_; }

 private:
  template <class Map>
  void attempt(Map const& map);

  Endpoint const& endpoint_;
  Rank first_;
  std::uint64_t key_;
  std::size_t size_;
  std::shared_ptr<SharedMemory> mapped_{};  ///< null: the port's is taken
  std::shared_ptr<std::byte> memory_{};
  std::string failure_{};
};

/// Collective: `size` bytes, all zeros at first, which last as long as a member keeps them. The
/// group shares no other memory. Throws Error in all members alike: they are on several hosts, or
/// the system gives none of them access to memory of another.
std::shared_ptr<std::byte> share_memory(Process& me, Group const& group, std::size_t size);

}  // namespace earl
