// SPDX-License-Identifier: BSD-3-Clause
/// The messages between EXEC and its agents on other hosts, over TCP, in the packets of
/// control.hpp: for processes those of a shared process for its ranks, and for the host itself
/// these.
#pragma once

#include "exec/runtime/control.hpp"
#include "generic/base/keyed.hpp"
#include "generic/seams/backend.hpp"
#include "generic/seams/tool.hpp"
#include "generic/services/notices.hpp"

namespace earl::control {

/// The configuration that an agent needs before its first process starts.
struct HostConfiguration {
  std::uint32_t packets = packet_version;
  std::uint32_t number = 0;  ///< n-th of the job's hosts
  std::uint32_t initial = 1;
  std::uint32_t capacity = 1;
  std::string back_end;        ///< among this host's processes
  std::string link;            ///< towards other hosts; empty: `back_end` goes there, too
  Secret secret{};             ///< of the processes' own connections
  bool encrypted = false;      ///< traffic over these is encrypted
  std::vector<ToolUse> tools;  ///< with the arguments that a host needs
  std::string remote_command;  ///< of the machine's half in EXEC
  std::string output_folder;   ///< a file per process and stream; empty: EXEC gets their output

  void write(Writer& to) const;
  static HostConfiguration read(Reader& from);
};

/// An agent's first word.
struct AgentHello {
  std::uint32_t packets = packet_version;
  HostFacts facts{};

  void write(Writer& to) const;
  static AgentHello read(Reader& from);
};

/// A piece of the id table, as it is in EXEC's memory.
struct TableUpdate {
  std::uint32_t at = 0;  ///< bytes from its beginning
  std::string bytes;

  void write(Writer& to) const;
  static TableUpdate read(Reader& from);
};

/// A process to be started, of the program that was described last.
struct LaunchRequest {
  Rank rank{0};
  bool reads = false;      ///< EXEC's standard input
  std::string processors;  ///< the only ones it may run on; empty: any

  void write(Writer& to) const;
  static LaunchRequest read(Reader& from);
};

/// Where a process is reached from other hosts.
struct AddressUpdate {
  Rank rank{0};
  std::string address;

  void write(Writer& to) const;
  static AddressUpdate read(Reader& from);
};

/// How well the machines of a host join it to others.
struct ConnectivityReport {
  struct Machine {
    std::string name;
    Connectivity reach;
  };
  std::vector<Machine> machines;

  void write(Writer& to) const;
  static ConnectivityReport read(Reader& from);
};

/// A new piece of a file that the debugger `tool` keeps on the host.
struct TracePieces {
  std::string tool;
  std::vector<FilePiece> pieces;

  void write(Writer& to) const;
  static TracePieces read(Reader& from);
};

/// It could not be started; no_rank: the agent itself cannot go on.
struct LaunchRefusal {
  Rank rank{0};
  std::int32_t error = 0;  ///< errno
  std::string sentence;

  void write(Writer& to) const;
  static LaunchRefusal read(Reader& from);
};

}  // namespace earl::control
