// SPDX-License-Identifier: BSD-3-Clause
/// The one place where pieces are put together: environment -> back end -> debuggers -> Process.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "exec/runtime/side.hpp"
#include "generic/process.hpp"
#include "generic/services/partitions.hpp"

namespace earl {
class SharedProcess;
}

namespace earl::boot {

/// Set where a process of a recorded run is to run without the others (earl-replay(1)).
inline constexpr char const* alone_variable = "EARL_ALONE";

/// Called by a front end's library constructor: takes this process's identity (descriptors and
/// environment of EXEC, once), registers with EXEC and makes the Process. Without EXEC the process
/// is a job of one. The first front end to call names the process; later ones share it.
/// Errors end the process with a sentence: there is no caller to catch them yet. `advice`, a
/// literal, is for a job of one that waits for a message: how programs of this front end come to
/// partners.
void load(char const* front_end, char const* advice = "`earl run -n N` starts N processes");

/// Used where process() is null: the Process of a program that had the front end from a preloaded
/// library only and now calls it, so that EXEC waits for it. Null: there is none.
Process* late_process();

/// The calling program's Process. Null only in a fork()ed child: its calls must fail with a native
/// error.
inline Process* process() { return self(); }

/// Ends the caller when the error is a MemoryDamage: no front end has an answer to that.
void end_if_damaged(Process* me, Error const& error);

/// The side that this program was linked for; reads its memory each time.
Side linked_side();
/// It was linked as a whole application (`earlcc -nx`). False where ranks share a process.
bool linked_as_application();

// --- for a front end's library constructor, before load()

/// EXEC has started this process, or it is that of a recording.
bool has_job();
/// Starts this program again in place of the process, with other arguments: `arguments` ends with
/// null and holds argv[0]. `processes` not 0: as `earl run -n` so many. Throws Error.
[[noreturn]] void restart(std::vector<char*> const& arguments, std::uint32_t processes);

/// Null: this process has one program, which the system has loaded.
SharedProcess const* shared_process();

// --- for programs whose processes are made by fork (NX nx_nfork)

struct Forked {
  int unix_pid = 0;  ///< 0: the caller is the child, a process of the job with a Process of its own
  LoadAnswer answer{};
};
/// Forks a process for that place and label, where ExecClient::may_fork(). Throws Error when the
/// system has no more.
Forked fork_into(char const* front_end, Places const& where);

// --- for programs that were started without EXEC (Role::bare) and load others

/// The caller becomes a member of a larger job: that of `session_server`, else that of an EXEC it
/// starts, which ends when its processes and the caller have. Its Rank and id table are others
/// then. Throws Error.
void become_host(char const* front_end, std::string_view session_server);
/// Starts a session server, which holds a partition of that name until it is released. False:
/// there is one already.
bool start_session_server(std::string_view name, std::uint32_t places);
bool has_session_server(std::string_view name);
/// The one that programs join that name none: EARL_CUBE's, else "defaultname", else the only one
/// that was got in this process's session. Empty: this user has none such.
std::string default_session();
/// All of this user's, by name.
std::vector<std::string> sessions();
/// A sentence about one that is not there.
std::string no_such_session(std::string_view name);

}  // namespace earl::boot
