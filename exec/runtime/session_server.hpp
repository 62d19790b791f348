// SPDX-License-Identifier: BSD-3-Clause
/// SessionServers: EXECs that hold a partition for any process of their user that knows its name.
/// Only they can be found by name, an abstract socket of Unix that vanishes with them.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

#include "generic/system/descriptor.hpp"

namespace earl::boot {

inline constexpr std::size_t longest_cube_name = 15;  ///< of a cube
inline constexpr std::size_t longest_session_name = 80;

/// getcube's name for a partition without a name: EARL_CUBE, else "defaultname".
std::string default_session_name();
/// While it is open, cube_of_shell() knows that the cube was got in this process's session, that of
/// a terminal or script. Throws Error.
Descriptor mark_of_shell(std::string_view cube);
/// The cube that was got in this process's session; empty: none, or several.
std::string cube_of_shell();

/// The line to this user's session server; empty: there is none of that name. Throws Error with a
/// sentence when the name is another user's.
Descriptor connect_session_server(std::string_view name);
/// The socket on which a session server listens. Empty: this user has a session server of that
/// name. Throws Error, also when the name is another user's.
Descriptor listen_as_session_server(std::string_view name);
/// A connection by a process of this user; empty: none (any more), or another user's.
struct SessionConnection {
  Descriptor channel;
  pid_t unix_pid = 0;
};
SessionConnection accept_client(int listener);

/// All of this user's cubes, sorted.
std::vector<std::string> session_server_names();

/// The name of this user's session that is PVM's virtual machine: as in PVM there is one for each
/// PVM_VMID and PVM_TMP.
std::string session_name();

/// The name of the console socket of the job of that EXEC; and all such jobs of this user, sorted.
std::string console_name(pid_t exec);
std::vector<std::string> console_names();
/// The sentence for one that is not there.
std::string no_such_session(std::string_view name);

/// Starts an EXEC that is no child of the caller: for the caller itself, which gets the line to it,
/// or as the session server that listens on `listener` and keeps `shell` open. Throws Error when
/// `earl` is not where libearl.so expects it.
Descriptor start_exec();
void start_session_server(Descriptor listener, Descriptor shell, std::string_view name,
                          std::uint32_t places);
/// Starts the session that listens on `listener`. Returns the line of the caller, its first member,
/// if it wants to be one.
enum class FirstMember { caller, none };
Descriptor start_session(Descriptor listener, FirstMember first);

}  // namespace earl::boot
