// SPDX-License-Identifier: BSD-3-Clause
/// The messages between EXEC and its agents on other hosts, over TCP, in the packets of
/// control.hpp: for processes those of a shared process for its ranks, and for the host itself
/// these.
#pragma once

#include "exec/launcher/binding.hpp"
#include "exec/runtime/control.hpp"
#include "generic/base/hex.hpp"
#include "generic/base/keyed.hpp"
#include "generic/seams/backend.hpp"
#include "generic/seams/tool.hpp"
#include "generic/services/notices.hpp"

namespace earl::control {

inline constexpr std::uint32_t most_back_ends = 64;
inline constexpr std::uint32_t most_pieces = 1U << 20;  ///< of files, in one message

/// A secret as hexadecimal digits.
template <class Key>
struct HexSecret {
  Key& secret;

  void write(Writer& to) const { to.text(to_hex(secret)); }
  void read(Reader& from) const {
    auto const read = secret_from_hex(from.text());
    if (!read) throw Error("the configuration of a host is without a secret");
    secret = *read;
  }
};
template <class Key>
HexSecret(Key&) -> HexSecret<Key>;

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
  std::string remote_command;  ///< of the back end's half in EXEC
  std::string output_folder;   ///< a file per process and stream; empty: EXEC gets their output
  exec::Binding binding{};     ///< of its processes to CPUs

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(self.packets, self.number, self.initial, self.capacity, self.back_end, self.link,
          HexSecret{self.secret}, self.encrypted, limited(self.tools, most_tools, "debuggers"),
          self.remote_command, self.output_folder, self.binding);
  }
};

/// An agent's first word.
struct AgentHello {
  std::uint32_t packets = packet_version;
  HostFacts facts{};

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(self.packets);
    if (self.packets == packet_version) visit(self.facts);
  }
};

/// A piece of the id table, as it is in EXEC's memory.
struct TableUpdate {
  std::uint32_t at = 0;  ///< bytes from its beginning
  std::string bytes;

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(self.at, self.bytes);
  }
};

/// A process to be started, of the program that was described last.
struct LaunchRequest {
  Rank rank{0};
  bool reads = false;      ///< EXEC's standard input
  std::string processors;  ///< the only ones it may run on; empty: any

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(self.rank, self.reads, self.processors);
  }
};

/// Where a process is reached from other hosts.
struct AddressUpdate {
  Rank rank{0};
  std::string address;

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(self.rank, self.address);
  }
};

/// The connectivity of a host by each of its back ends.
struct ConnectivityReport {
  struct BackEnd {
    std::string name;
    Connectivity connectivity;

    template <class Self, class Visit>
    static void fields(Self& self, Visit& visit) {
      visit(self.name,
            checked(self.connectivity.grade, Connectivity::Grade::requested, "a grade of a link"),
            self.connectivity.why);
    }
  };
  std::vector<BackEnd> back_ends;

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(limited(self.back_ends, most_back_ends, "back ends"));
  }
};

/// A new piece of a file that the debugger `tool` keeps on the host.
struct TracePieces {
  std::string tool;
  std::vector<FilePiece> pieces;

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(self.tool, limited(self.pieces, most_pieces, "pieces of files"));
  }
};

/// It could not be started; no_rank: the agent itself cannot go on.
struct LaunchRefusal {
  Rank rank{0};
  std::int32_t error = 0;  ///< errno
  std::string sentence;

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(self.rank, self.error, self.sentence);
  }
};

}  // namespace earl::control
