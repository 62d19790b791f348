// SPDX-License-Identifier: BSD-3-Clause
/// Windows: memory of the members of a group that each of them may reach.
///
/// Where all members have the window's memory mapped, the origin of an operation carries it out by
/// itself: direct_access.hpp. Elsewhere it sends the target a request, which the target serves in a
/// handler of the core: whenever it is in a call, and one after the other. Answers are ordinary
/// messages.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "frontends/mpi/access_message.hpp"
#include "frontends/mpi/communicators.hpp"
#include "frontends/mpi/datatypes.hpp"
#include "frontends/mpi/direct_access.hpp"
#include "frontends/mpi/info.hpp"
#include "frontends/mpi/lock_queue.hpp"
#include "generic/handlers.hpp"
#include "generic/process.hpp"

namespace earl::mpi {

/// The messages of a window, by their tags.
enum class WindowTag : std::int32_t {
  request,    ///< an operation, which a handler serves
  data,       ///< the answer to one that reads, in the order of the requests
  done,       ///< all that the origin asked for before has happened
  granted,    ///< the lock is the origin's
  posted,     ///< the target has exposed its window
  completed,  ///< the origin's access epoch has ended
};
constexpr Tag tag_of(WindowTag tag) { return Tag{static_cast<std::int32_t>(tag)}; }

/// The program's memory in a window, as all members know it.
struct Exposed {
  std::int64_t size = 0;  ///< bytes
  std::int64_t unit = 1;  ///< of displacements, in bytes
};

/// The state of a lock at its origin.
enum class Held : std::uint8_t {
  no,
  shared,
  exclusive,
  unchecked,  ///< MPI_MODE_NOCHECK: none is held
};

/// The epochs of an origin, and what it has not completed yet.
class Epochs {
 public:
  explicit Epochs(std::size_t members) : held_(members), dirty_(members) {}

  bool fenced = false;
  Held all = Held::no;     ///< by MPI_Win_lock_all
  Ref<Members> started{};  ///< null: MPI_Win_start was not called

  bool is_locked(int target) const { return held(target) != Held::no; }
  bool is_locked_all() const { return all != Held::no; }
  Held held(int target) const { return held_[static_cast<std::size_t>(target)]; }
  void set_held(int target, Held how) {
    locks_ += how == Held::no ? -1 : 1;
    held_[static_cast<std::size_t>(target)] = how;
  }
  bool has_locks() const { return locks_ != 0; }
  /// Whether the target has operations that it may not have served.
  bool is_dirty(int target) const { return dirty_[static_cast<std::size_t>(target)]; }
  void set_dirty(int target, bool dirty) { dirty_[static_cast<std::size_t>(target)] = dirty; }
  bool is_any_dirty() const { return std::ranges::find(dirty_, true) != dirty_.end(); }
  void set_all_clean() { dirty_.assign(dirty_.size(), false); }

 private:
  std::vector<Held> held_;
  std::vector<bool> dirty_;
  int locks_ = 0;
};

struct Window final : Counted {
  Window(Process& owner, Ref<Communicator> members);
  ~Window();

  Process& process;
  /// Its group, contexts, name, error handler and attributes. Its handle is the window's.
  Ref<Communicator> scope;
  std::byte* base = nullptr;
  void* allocated = nullptr;  ///< memory of this library's; null: the program's
  /// All members' memory where they share it, and where each one's begins in that.
  std::shared_ptr<std::byte> shared{};
  std::vector<std::int64_t> offsets{};
  DirectAccess direct{};
  MPI_Aint size = 0;
  int unit = 1;
  int flavor = MPI_WIN_FLAVOR_CREATE;
  int model = MPI_WIN_UNIFIED;
  Info info{};
  std::vector<Exposed> exposed{};                       ///< by member
  std::map<std::uintptr_t, std::uintptr_t> attached{};  ///< begin and end, of a dynamic one

  // --- as an origin
  /// A receive of data, and the memory that it fills, unless a request of the program's has that.
  struct Fetch {
    RequestId request = no_request;
    Kept kept{};
    int target = 0;
    Handle handle = MPI_REQUEST_NULL;  ///< the program's, which may be complete already
  };
  Epochs epochs;
  /// The lock that it waits for, for reports; null: none.
  struct WantedLock {
    int target;
    LockType type;
  };
  std::optional<WantedLock> wanted{};
  std::vector<Fetch> fetches{};

  // --- as a target
  LockQueue lock{};
  std::optional<FilterId> filter{};
  bool only_answers = true;  ///< no request of now grants the lock to another one than its origin
  /// MPI_Win_post's: what ends the epoch of each origin.
  bool is_posted = false;
  std::vector<RequestId> completions{};

  /// From now on requests of others are served.
  void serve();
  int members() const { return scope->local->size(); }
  bool dynamic() const { return flavor == MPI_WIN_FLAVOR_DYNAMIC; }
  void send(Rank to, WindowTag tag, Gather const& bytes = {});
  /// Waits for a message of no bytes. Class INTERN: the member has ended.
  void await(int member, WindowTag tag);
  /// Sends a request to a member.
  void ask(int target, AccessHead head, LayoutWords const& words = {}, Bytes data = {});
  std::byte* shared_memory(int member) const {
    return shared.get() + offsets[static_cast<std::size_t>(member)];
  }
  /// Returns when the target has served all, and all data are here.
  void flush(int target);
  void flush_all();
  /// The end of a flush() of a target that has answered.
  void finish_fetches(int target);
  void add_fetch(Fetch fetch);

 private:
  /// Requests that the program completes itself stay in `fetches` until there are so many.
  static constexpr std::size_t first_limit = 64;
  std::size_t limit_ = first_limit;
};

/// Serves one request at the target.
void serve_access(Window& window, Rank origin, Bytes message);

}  // namespace earl::mpi
