// SPDX-License-Identifier: BSD-3-Clause
/// The control channel between EXEC and a process: a Unix SOCK_SEQPACKET socket, and its protocol.
/// Both ends trust nothing: every packet is checked before a byte of it is used.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "exec/runtime/failure_report.hpp"
#include "exec/runtime/tool_use.hpp"
#include "generic/base/bytes.hpp"
#include "generic/base/error.hpp"
#include "generic/message/header.hpp"
#include "generic/services/operations.hpp"
#include "generic/system/unix_socket.hpp"

namespace earl::control {

/// Names the inherited descriptor. Wrappers (valgrind, sh -c) pass it on; a rank registers once.
inline constexpr char const* variable = "EARL_CONTROL";
/// Gives a wrapper the program that it is to start.
inline constexpr char const* rank_variable = "EARL_RANK";

enum class Type : std::uint16_t {
  welcome = 1,     ///< EXEC: the receiver's identity; carries descriptors; one packet, there before
                   ///< the start
  hello,           ///< the process: I am here
  request,         ///< the process: an operation of generic/services/operations.hpp
  answer,          ///< EXEC: with the request's ticket
  message,         ///< EXEC: a packet for the matcher, from exec_rank; body: Header, payload
  failure_report,  ///< the process: why it is about to end before its time
  goodbye,  ///< a process that EXEC has not started: it leaves, and waits for the end of the line
  leaving,  ///< the process: its program has ended, itself not yet; body: Leaving
  inquiry,  ///< EXEC: can you go on? Its ticket is the question
  report,   ///< the process: generic/seams/report.hpp
  note,     ///< the process: a debugger's, for its half in EXEC; body: Note
  // --- on the line to a shared process (exec/launcher/children/shared_process_channel.hpp)
  // where a welcome comes first; its second descriptor is the line for `printed`
  program,      ///< EXEC: program of the next ranks; body: ProgramDescription
  rank_launch,  ///< EXEC: a rank to take in; body: RankLaunchRequest; carries its descriptors
  begin,        ///< EXEC: all that were to be there at first are
  passed,   ///< both: what a process would find or leave on a channel of its own; body: RankMessage
  signal,   ///< EXEC: for a rank, as kill(2); body: RankValue
  handled,  ///< EXEC: it has dealt with one more request or end of a rank
  stuck,    ///< the shared process: no rank can go on before EXEC says something
  sleeps,   ///< the shared process: ranks have sent each other nothing for a while, and may go on
  printed,  ///< the shared process, on a line of its own: text of a rank; body: Printed
  departed,  ///< the shared process: a rank has ended; body: RankValue with what wait(2) would say
  // --- on the line to an agent (exec/launcher/hosts, host_messages.hpp), with program, passed,
  // signal (of no_rank: to all), printed and departed as above
  host,          ///< EXEC: configuration of an agent; body: HostConfiguration
  rows,          ///< EXEC: a piece of the id table; body: TableUpdate
  launch,        ///< EXEC: a process to start; body: LaunchRequest
  started,       ///< the agent: it has; body: RankValue
  refused,       ///< the agent: it could not; body: LaunchRefusal
  address,       ///< both: where a process is reached; body: AddressUpdate
  input,         ///< EXEC: a piece of its standard input; empty: the end
  took,          ///< both: so many bytes that were printed, or input, have been taken over
  ping,          ///< both: nothing
  piece,         ///< the agent: of a debugger's file; body: TracePieces
  connectivity,  ///< the agent, after its hello: which back ends reach other hosts; body:
                 ///< ConnectivityReport
  ready,         ///< the agent: its back ends are prepared; body: RankValue, 1 when they reuse rows
  release,       ///< EXEC: free all that is kept for a process that has ended; body: RankValue; of
                 ///< no_rank: wake those for whose sake it is kept
  released,      ///< the agent: it has; body: RankValue
  // --- on the line of a command to a shared process (exec/runtime/branch_server.hpp)
  branch,    ///< the command: a run to make; body: BranchRequest; carries a descriptor for output,
             ///< and the line to the process where that is to be a checkpoint
  branched,  ///< the shared process: it is over; body: RankValue with what wait(2) has said
  checkpointed,  ///< the shared process: it is a checkpoint and takes orders
};
inline constexpr Type last_type = Type::checkpointed;
/// An inquiry whose ticket has this bit asks for a process's position, whether or not it can go on.
inline constexpr std::uint32_t asks_for_call = 1U << 31;

/// In front of every packet. A long message is cut into several, each with the same head but for
/// the offset.
struct Head {
  std::uint32_t magic = 0;
  std::uint16_t version = 0;
  std::uint16_t type = 0;
  std::uint32_t ticket = 0;
  std::uint32_t operation = 0;
  std::uint32_t length = 0;  ///< of the whole message's body, bytes
  std::uint32_t offset = 0;  ///< of this packet's part in it
};
inline constexpr std::uint32_t magic = 0x4352'4145;  // "EARC"
inline constexpr std::uint16_t version = 7;
inline constexpr std::size_t most_part = 48 * 1024;  ///< body bytes in one packet
inline constexpr std::size_t most_packet = sizeof(Head) + most_part;
inline constexpr std::uint32_t most_length = 16U << 20;  ///< body bytes of one message

struct Message {
  Type type = Type::welcome;
  std::uint32_t ticket = 0;
  std::uint32_t operation = 0;
  Buffer body{};

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(checked(self.type, last_type, "a type"), self.ticket, self.operation, self.body);
  }
  void validate() const {
    if (type < Type::welcome) throw Error("a message of EXEC's protocol without a type");
  }
};

/// The packets of one message, in order. Throws Error (Fault::too_long).
std::vector<Buffer> packets_of(Type type, std::uint32_t ticket, std::uint32_t operation,
                               Bytes body);

/// Puts messages together again.
class Assembler {
 public:
  /// A whole message, or null while parts are missing. Throws Error when the packet is none of this
  /// protocol: its sender is not trusted from then on.
  std::optional<Message> take(Bytes packet);

 private:
  Message message_{};
  std::size_t have_ = 0;
  bool under_way_ = false;
};

struct Welcome {
  std::uint32_t packets = packet_version;
  Rank rank{0};
  std::string back_end;
  std::vector<ToolUse> tools;
  std::int32_t group = 0;  ///< the process group to be in; 0: the one it is in
  std::string link{};      ///< the back end towards other hosts; empty: `back_end` goes everywhere
  std::uint32_t here = 0;  ///< with a link: how many of the descriptors are `back_end`'s

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(self.packets, self.rank, self.back_end, limited(self.tools, most_tools, "debuggers"),
          self.group, self.link, self.here);
  }
};

struct Hello {
  std::uint32_t packets = packet_version;
  std::int32_t unix_pid = 0;
  std::string front_end;

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(self.packets, self.unix_pid, self.front_end);
  }
};

struct Leaving {
  std::int32_t exit_code = 0;

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(self.exit_code);
  }
};

/// The common part of the ranks of a shared process that are described next.
struct ProgramDescription {
  std::string path;
  std::string front_end;
  std::vector<std::string> arguments;
  std::vector<std::string> environment;
  std::string folder;
  std::vector<std::string> wrappers{};  ///< libraries to be loaded before the program's own

  bool operator==(ProgramDescription const&) const = default;
  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(self.path, self.front_end, self.arguments, self.environment, self.folder, self.wrappers);
  }
};

/// A rank that is to live in a shared process. Its descriptors: standard output and error, if it
/// has them for itself, and input, if it reads.
struct RankLaunchRequest {
  Rank rank{0};
  bool prints = false;  ///< to files of its own, not on the shared process's line
  bool reads = false;

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(self.rank, self.prints, self.reads);
  }
};

/// A message of or for one of the ranks in a shared process.
struct RankMessage {
  Rank rank{0};
  Message message;

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(self.rank, self.message);
  }
};

struct Printed {
  Rank rank{0};
  std::int32_t stream = 0;  ///< 1 or 2
  std::string text;

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(self.rank, self.stream, self.text);
  }
};

struct RankValue {
  Rank rank{0};
  std::int32_t value = 0;

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(self.rank, self.value);
  }
};

/// The body of a message as bytes, and back; reading throws Error on anything else.
template <class What>
Buffer body_of(What const& what) {
  Writer writer;
  writer(what);
  return Buffer(Gather{writer.bytes()});
}
template <class What>
What read(Bytes body) {
  Reader reader(body);
  auto what = reader.get<What>();
  if (!reader.at_end()) throw Error("there are bytes after the end of the message");
  return what;
}

}  // namespace earl::control
