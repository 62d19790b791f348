// SPDX-License-Identifier: BSD-3-Clause
/// A native message-passing library, as far as EXEC must know it to start processes on it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace earl::hosted_backend {

/// Names the socket to the launcher's replacement of ssh.
inline constexpr char remote_commands_variable[] = "EARL_REMOTE_COMMANDS";

struct Library {
  std::string_view back_end;  ///< its family, as people say: MPI
  std::string_view title;     ///< its own name: MPICH
  std::string launcher;       ///< its launcher's name, for sentences
  std::string path;           ///< of the launcher
  std::vector<std::string>
      options{};  ///< the launcher's own arguments; -n and how many come behind
  std::vector<std::string> wrapper{};  ///< arguments before the placeholder
  std::string_view rank;               ///< the variable in which the launcher numbers processes
  std::string_view handed{};  ///< that of a descriptor which it hands down; empty: it has none
  std::string_view folder{};  ///< that of where files are shared; empty: it has none
  std::string_view hidden{};  ///< prefix of variables that it must not see; empty: none
  std::vector<std::string> settings{};   ///< `NAME=value`, for its environment
  std::vector<std::string> variables{};  ///< `NAME=value`, for the processes beside its own
  // --- where it spans hosts
  std::string_view word{};  ///< names it to a host
  /// More arguments for the launcher: `shell` is its replacement of ssh, `hosts` has each rank's.
  std::vector<std::string> (*spread)(std::string const& shell,
                                     std::span<std::uint32_t const> hosts) = nullptr;
  std::vector<std::string> spread_settings{};  ///< more of them
};

}  // namespace earl::hosted_backend
