// SPDX-License-Identifier: BSD-3-Clause
/// The two halves of a back end that stands on a native library.
#pragma once

#include <memory>
#include <span>

#include "backends/hosted/library.hpp"
#include "backends/hosted/native.h"
#include "generic/seams/backend.hpp"

namespace earl::hosted_backend {

/// In EXEC: starts the launcher and waits for its placeholders. On one of several hosts: runs the
/// launcher's remote command there, likewise. Throws Error.
std::unique_ptr<PreparedJob> prepare(Library library, JobFacts const& facts);

struct LaunchedProcesses;
/// In EXEC: with places that are there already.
std::unique_ptr<PreparedJob> prepare_with(Library library, LaunchedProcesses crew);

/// The launcher's arguments for the processes that it starts, beside Library's.
struct UserVariables {
  std::string_view all;                    ///< how many there are
  std::string_view here;                   ///< and on this host
  std::vector<std::string_view> prefixes;  ///< of all that it sets
};

/// The one of the user's that has started this process. Null: there is none. Throws Error.
std::unique_ptr<UserLauncher> user_launcher(Library library, UserVariables variables);

/// A launcher of which only the places are used, not the library: the job runs on shared memory.
/// `prefixes`: of the variables that the processes of the job do not see. Throws Error.
std::unique_ptr<UserLauncher> launcher_for_shared_memory(Library library, UserLauncher::Part part,
                                                         std::vector<std::string_view> prefixes);
/// The same for one that is known by UserVariables. Null: it has not started this process.
std::unique_ptr<UserLauncher> launcher_for_shared_memory(Library library, UserVariables variables);

/// In EXEC, for a job of several hosts: starts the launcher and waits until its remote command for
/// each host is known. Throws Error.
std::unique_ptr<SpanningJob> span(Library library, std::span<std::uint32_t const> hosts);

/// Access of a process to the library.
struct LibraryAccess {
  std::string_view handed;              ///< as Library has it
  earl_library_calls const& (*load)();  ///< called while the launcher's variables are set
};

/// In a process, with the descriptors and arguments that the job has handed over. Throws Error.
std::unique_ptr<Port> join(LibraryAccess const& access, std::span<int const> descriptors,
                           Rank rank);

}  // namespace earl::hosted_backend
