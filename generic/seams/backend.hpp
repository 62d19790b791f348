// SPDX-License-Identifier: BSD-3-Clause
/// The two halves of a back end, as its row in backends/registry names them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "generic/base/keyed.hpp"
#include "generic/seams/port.hpp"
#include "generic/seams/shared_process.hpp"

namespace earl {

/// EXEC's knowledge of a job before its first process starts.
struct JobFacts {
  std::uint32_t initial = 1;   ///< processes started at first
  std::uint32_t capacity = 1;  ///< rows of the id table: the most there can be at a time
  std::string host{};  ///< address by which other hosts reach this one; empty: there are none
  std::optional<Secret> secret{};  ///< of a job of several hosts
  bool encrypted = false;          ///< traffic that leaves this host is encrypted
  std::string remote_command{};    ///< SpanningJob's command for this host; empty: none
  int wanted = -1;                 ///< a socket: when its other end is closed, the job is to end
};

/// The half that lives in EXEC, until the job's last process has ended. Every process death, also
/// by SIGKILL, is reported here; nothing named may be left behind when this object and all
/// processes are gone.
class PreparedJob {
 public:
  virtual ~PreparedJob() = default;
  /// The descriptors and arguments for process `rank`; requested when it is started. The job keeps
  /// them open; a process gets duplicates. Throws Error when there is no room for one more.
  virtual std::vector<int> descriptors(Rank rank) = 0;
  /// The process has registered; `unix_pid` is the one its memory is read by.
  virtual void registered(Rank, std::int32_t /*unix_pid*/) {}
  /// EXEC has written to the control channel of `rank`: its Port::poll() must call
  /// on_control_ready() soon, also when it sleeps in wait().
  virtual void notify_control(Rank rank) = 0;
  /// The process has ended (its zombie is still there): peers that wait for it must be notified.
  virtual void ended(Rank rank) = 0;
  /// The same of one that a process of the job has killed: its absence is no failure.
  virtual void killed(Rank rank) { ended(rank); }
  // --- on back ends where the place of a process that has ended can be another's
  /// Whether it can: ranks then grow beyond the capacity, and no two that are there have the same
  /// slot_of(rank, capacity).
  virtual bool reuses() const { return false; }
  /// `rank` has been given; before anything else is said of it.
  virtual void named(Rank /*rank*/) {}
  /// Frees the back end's memory for `rank`, which has ended. False: a process still has packets or
  /// memory of its; ask again later.
  virtual bool release(Rank /*rank*/) { return false; }
  /// Wakes the sleeping processes that release() waits for.
  virtual void wake_peers_for_release(Rank /*rank*/) {}
  // --- on back ends that link hosts: how processes here and there find each other
  /// The address of `rank` for other hosts, once its descriptors have been requested.
  virtual std::string address(Rank /*rank*/) { return {}; }
  /// `rank` is on another host, and is reached so.
  virtual void add_address(Rank /*rank*/, std::string_view /*address*/) {}
  /// Connections so far that were none of this job's.
  virtual std::uint32_t rejected_connections() { return 0; }

  /// Readable when the back end has an event for EXEC; -1: it never has. Does not change.
  virtual int wait_fd() const { return -1; }
  /// Called when wait_fd() is readable. Throws Error when the back end has failed: EXEC says it and
  /// ends the job.
  virtual void handle_event() {}
};

/// In EXEC, for a job of several hosts: the back end's single preparation for all of them. Each
/// host's preparation is prepare()'s.
class SpanningJob : public PreparedJob {
 public:
  /// The argument of that host's prepare(). Bytes of any kind.
  virtual std::string remote_command(std::uint32_t /*host*/) { return {}; }
  std::vector<int> descriptors(Rank) override { return {}; }
  void notify_control(Rank) override {}
  void ended(Rank) override {}
};

/// A launcher that the user has started, not EXEC (`mpiexec -n 4 earl exec ./node`), and that has
/// started this process and others, each in the place of one of the job's. The first becomes EXEC.
class UserLauncher {
 public:
  using Arguments = std::vector<std::string>;

  struct Part {
    std::uint32_t rank = 0;
    std::uint32_t all = 1;   ///< places, on all hosts
    std::uint32_t here = 1;  ///< on this host
  };

  virtual ~UserLauncher() = default;
  virtual std::string name() const = 0;  ///< for sentences
  virtual Part part() const = 0;
  /// The name of the back end that the job runs on.
  virtual std::string_view back_end() const = 0;
  /// Called by any process but the first: passes `arguments` to EXEC and takes the launcher's
  /// descriptors; this process then waits until EXEC has ended, and ends as the one in its place
  /// has. Throws Error when there is no EXEC.
  [[noreturn]] virtual void keep_place(Arguments const& arguments) = 0;
  /// Called by the first process: waits for the others, and returns each one's arguments, by rank;
  /// the first has passed `arguments`. Throws Error naming a missing one.
  virtual std::vector<Arguments> gather(Arguments const& arguments) = 0;
  /// Once all are there. Null: the back end prepares the job as any other. Throws Error.
  virtual std::unique_ptr<PreparedJob> prepare() = 0;
  /// After prepare(): readable when the launcher or one of its places has ended; -1: what prepare()
  /// has returned watches them. Stays this object's.
  virtual int ended_fd() const { return -1; }
  /// The exit code of `rank` for the launcher, once EXEC has ended.
  virtual void ended(Rank rank, int exit_code) = 0;
};

/// Properties of a program's file before it runs, for back ends that cannot run any program.
struct ProgramFacts {
  std::string path{};
  std::vector<std::string> folders{};  ///< where libraries are looked for first
  bool position_independent = false;
  std::set<std::string> imports{};  ///< names it takes from libraries
};

/// One of several native libraries that a back end can stand on.
struct NativeLibrary {
  std::string_view title;
  std::vector<std::string> here{};     ///< its installed parts, and Earl's part for it
  std::vector<std::string> missing{};  ///< empty: it can be used
  std::string remedy{};                ///< how to get the missing parts
};

/// The quality of a back end as a link between hosts, as things are on this one. Where the user
/// names none, the best that all hosts have is taken.
struct Connectivity {
  enum class Grade : std::uint8_t {
    none,
    on_request,  ///< only if it is named
    everywhere,  ///< by means that every host has
    fast,        ///< by hardware that is made for it
    requested,   ///< the user's settings ask for it
  };
  Grade grade = Grade::none;
  std::string why{};  ///< its facilities or the missing ones, for people, short
};

struct Backend {
  std::string_view name;
  std::string_view summary;  ///< one line for `earl run -h`
  /// In EXEC. Throws Error when this back end cannot do it.
  std::unique_ptr<PreparedJob> (*prepare)(JobFacts const&);
  /// In the process. Takes the descriptors over. Throws Error when they are not those of prepare.
  std::unique_ptr<Port> (*join)(std::span<int const> descriptors, Rank rank);
  /// Why this back end cannot run a program, as short text; empty: it can. Null: it runs all.
  std::string (*refuses)(ProgramFacts const&) = nullptr;
  /// In the one process that all ranks live in; `join` is then called there, for each. Null: every
  /// rank is a process.
  std::unique_ptr<SharedProcess> (*shared_process)(SharedProcessHost& host) = nullptr;
  /// All that it knows, used or not. Null: there is no choice.
  std::vector<NativeLibrary> (*libraries)() = nullptr;
  /// Null: it joins none.
  Connectivity (*connectivity)() = nullptr;
  /// The back end that the user's settings mean by the name of this one; empty: itself. Null:
  /// always itself.
  std::string_view (*stands_for)() = nullptr;
  /// With JobFacts::encrypted it encrypts its traffic between hosts.
  bool encrypts = false;
  /// Whether it has several hosts, too, but not beside another back end within each host.
  bool spans_hosts = false;
  /// Its single preparation for all of them; `hosts` has each process's. Throws Error. Null:
  /// nothing.
  std::unique_ptr<SpanningJob> (*span)(std::span<std::uint32_t const> hosts) = nullptr;
  /// The hosts that it has already, for a job without a host list; empty: this one is all. Throws
  /// Error. Null: it has none.
  std::vector<std::string> (*hosts)() = nullptr;
  /// The one that has started this process. Null: there is none; or this back end knows none.
  std::unique_ptr<UserLauncher> (*user_launcher)() = nullptr;
  /// The place of this process among those that the back end's launcher has started without Earl,
  /// by the environment alone; `all` is 1 when there is none. Null: it has no launcher.
  UserLauncher::Part (*launched)() = [] { return UserLauncher::Part{}; };
  /// Descriptors that EXEC keeps open for each process.
  unsigned descriptors_each = 0;
  // The values of its ports' Limits; every process checks it when it joins.
  bool spawns = true;
  bool forks = false;
  bool outlives_a_death = true;
  bool packets_outlive_sender = false;
};

inline bool joins_hosts(Backend const& back_end) {
  return back_end.connectivity && back_end.connectivity().grade != Connectivity::Grade::none;
}

}  // namespace earl
