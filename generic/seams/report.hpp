// SPDX-License-Identifier: BSD-3-Clause
/// A process's answer when EXEC asks whether it can go on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "generic/base/wire.hpp"
#include "generic/message/selector.hpp"
#include "generic/seams/interceptor.hpp"

namespace earl {

/// No process has more peers, and no list of a report is longer.
inline constexpr std::uint32_t most_entries = 1U << 20;

/// A message for which there is no room, and the messages that its receiver has not received.
struct SendBacklog {
  Tag tag{};
  std::uint64_t length = 0;    ///< bytes, of the message
  std::uint64_t messages = 0;  ///< from this process, before it; 0: it does not wait for room
  std::uint64_t bytes = 0;     ///< that these are charged for

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(self.tag, self.length, self.messages, self.bytes);
  }
  bool operator==(SendBacklog const&) const = default;
};

/// One thing a process waits for.
struct Need {
  OpKind kind = OpKind::receive;  ///< receive, probe, send (its receiver must take it), exec
  std::vector<Rank> from{};       ///< one of these must send it; empty: any process may
  /// The number of each of `from` in the selector's context; empty: the Ranks.
  std::vector<std::int32_t> numbers{};
  Selector selector{};          ///< of receives and probes
  std::string context{};        ///< the label of the selector's context; empty: it has none
  std::uint32_t operation = 0;  ///< of requests to EXEC
  SendBacklog crowd{};          ///< of sends
  /// Text: the cause of a message that is not the program's. For requests EXEC itself fills in this
  /// and the rest.
  std::string what{};
  bool others = false;  ///< besides `from`, a process that is not there yet may do it

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(checked(self.kind, OpKind::collective, "an operation"),
          limited(self.from, most_entries, "senders"),
          limited(self.numbers, most_entries, "numbers of senders"));
    auto& selector = self.selector;
    visit(selector.source, selector.sources,
          checked(selector.kind, TagMatch::Kind::mask, "a kind of tags"), selector.low,
          selector.high, selector.bits, selector.context, selector.any_context);
    visit(self.context, self.operation, self.crowd, self.what);
  }
  bool operator==(Need const&) const = default;

  /// The number of the `i`-th of `from`.
  std::int32_t number_of(std::size_t i) const {
    return i < numbers.size() ? numbers[i] : no_number;
  }
};

/// An unexpected message.
struct Leftover {
  Rank source = no_rank;
  Tag tag{};
  std::uint64_t length = 0;         ///< bytes
  std::string context{};            ///< the label of its context; empty: it has none
  std::int32_t number = no_number;  ///< of the source there
  std::string subject{};            ///< of a notice that EXEC has sent; empty: it is none

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(self.source, self.tag, self.length, self.context, self.number, self.subject);
  }
  bool operator==(Leftover const&) const = default;
};

/// Where a call came from: a module and a return address in it.
struct Frame {
  std::string module;  ///< absolute path
  std::uint64_t offset = 0;

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(self.module, self.offset);
  }
  bool operator==(Frame const&) const = default;
};

struct Report {
  static constexpr std::size_t most_leftovers = 4;
  static constexpr std::size_t most_frames = 32;

  enum class State : std::uint8_t {
    running,  ///< it computes; also: it may go on by itself, at a deadline or by a signal
    waiting,
    polling,   ///< it polls, and its polls fail
    sleeping,  ///< it does not answer; seen from outside, it sleeps for ever, and not in a wait of
               ///< Earl's
  };

  State state = State::running;
  std::uint64_t progress = 0;  ///< another number: something has happened in between
  std::uint64_t polls = 0;     ///< failed polls since it last changed
  std::uint64_t traffic = 0;   ///< packets sent and received so far
  bool idle = false;  ///< with `running`: it waits or polls, but a timer, a deadline, a clock
                      ///< that it reads, a signal or a thread of its own may end that
  bool sees_clocks = false;  ///< a program here that reads a clock while it polls is idle
  bool all = true;           ///< every need must be met; else one is enough
  std::vector<Need> needs{};
  std::vector<Leftover> leftovers{};  ///< the oldest ones
  std::uint64_t left_over = 0;        ///< how many there are
  std::uint64_t sent = 0;             ///< packets, to processes that have not ended
  std::uint64_t arrived = 0;          ///< packets, from processes that have not ended
  bool serves = false;                ///< a message may run a handler by which waits end
  std::uint32_t question = 0;         ///< that this answers
  std::string call{};                 ///< of the native API
  std::vector<Frame> stack{};         ///< of the program, innermost first

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(checked(self.state, State::sleeping, "a state"), self.progress, self.polls, self.all,
          limited(self.needs, most_entries, "needs"),
          limited(self.leftovers, most_entries, "unexpected messages"), self.left_over, self.sent,
          self.arrived, self.call, limited(self.stack, most_entries, "frames"), self.serves,
          self.traffic, self.idle, self.sees_clocks, self.question);
  }

  bool operator==(Report const&) const = default;
};

}  // namespace earl
