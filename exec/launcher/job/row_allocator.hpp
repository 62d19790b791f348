// SPDX-License-Identifier: BSD-3-Clause
/// Gives processes their ranks and rows of the id table. Rows of processes that have ended become
/// those of new ones, so that a job may spawn for ever.
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "exec/launcher/children/child_table.hpp"
#include "exec/launcher/events/loop.hpp"
#include "exec/launcher/job/interceptors.hpp"
#include "exec/launcher/job/job_back_end.hpp"
#include "exec/launcher/roster/roster.hpp"

namespace earl::exec {

class RowAllocator {
 public:
  class Client {
   public:
    /// A request or output of the process, which has ended, waits in EXEC.
    virtual bool has_work_of(Rank rank) const = 0;
    /// A process has left EXEC's services and not ended yet: its row may be free soon.
    virtual bool some_leave() const = 0;
    /// The row is about to be free: everything that is kept for the process is to be dropped.
    virtual void releasing(Child const& child) = 0;
    /// awaits_room() may be false now.
    virtual void room_changed() = 0;

   protected:
    ~Client() = default;
  };
  struct Parts {
    Loop& loop;
    ChildTable& children;
    Roster& roster;
    JobBackEnd const& back_end;
    JobInterceptors const& interceptors;
    std::uint32_t first_spawned = 0;  ///< ranks below are the job's first processes
    /// Each spawn waits a little for the rows of all that have ended: of a replay over hosts, which
    /// needs the rows of the recorded run, and where they are free when agents have said so.
    bool waits_for_all = false;
  };

  RowAllocator(Parts const& parts, Client& client) : parts_(parts), client_(client) {}

  /// Its end has been announced: its row may be released soon.
  void add(Child const& child);
  /// Tries as many rows, the oldest first; one that has to wait goes behind the others.
  void release_some(std::size_t most);
  /// Gives the next process its rank, row and record. Throws Refusal when a replay waits for the
  /// row too long.
  Child& allocate(NewRow const& row);
  /// A spawn of so many processes for which there is no room waits a little for the rows of those
  /// that have ended, or are about to. False: it is to be served now.
  bool awaits_room(std::uint32_t wanted);

 private:
  Rank choose_rank();
  bool try_release(Rank rank);
  void await_row(Rank rank);
  void wake_all_peers_for_release() const;
  void erase_released();

  Parts parts_;
  Client& client_;
  std::deque<Rank> unreleased_;
  std::vector<Rank> released_;                       ///< their records are still there
  std::optional<Clock::time_point> room_awaited_{};  ///< by a spawn, since then
  bool look_due_ = false;
};

}  // namespace earl::exec
