// SPDX-License-Identifier: BSD-3-Clause
/// EXEC's ends of the control channels. Nothing that comes in is trusted. Ranks that live elsewhere
/// (rank_channel.hpp) have none: their messages come in by take(), messages to them go out on the
/// line that they share.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "exec/launcher/children/child.hpp"
#include "exec/launcher/events/loop.hpp"
#include "generic/seams/report.hpp"

namespace earl::exec {

/// Gets the messages of processes.
class ChannelListener {
 public:
  virtual void on_hello(Child& child, control::Hello const& hello) = 0;
  virtual void on_request(Child& child, control::Message message) = 0;
  /// The answer to an inquiry.
  virtual void on_report(Child& child, Report report) = 0;
  /// Bytes for `child` have left; its port must notice.
  virtual void on_sent(Child& child) = 0;
  /// It broke the protocol; the channel is closed.
  virtual void on_protocol_error(Child& child, std::string_view why) = 0;
  /// Its program has ended with that code; it stays until its messages have been accepted.
  virtual void on_leaving(Child& child, int exit_code) = 0;
  /// It leaves in good order, and waits until its channel is closed.
  virtual void on_goodbye(Child& child) = 0;
  /// Its end was closed, as happens when it ends.
  virtual void on_disconnected(Child& child) = 0;
  /// True: the message, which is only known to be whole, has been passed on to its receiver.
  virtual bool on_message(Child& /*child*/, control::Message& /*message*/) { return false; }

 protected:
  ~ChannelListener() = default;
};

class Channels {
 public:
  static constexpr std::size_t most_waiting = 32U << 20;  ///< bytes a process may leave unread

  Channels(Loop& loop, ChannelListener& listener) : loop_(loop), listener_(listener) {}

  /// Debuggers' notes for their halves in EXEC go there.
  void pass_notes(std::function<void(Rank, control::Note const&)> handler) {
    on_note_ = std::move(handler);
  }

  /// Makes `child`'s channel with the welcome in it; gives the end that the process inherits.
  /// Throws Error when the system has no more.
  Descriptor open(Child& child, control::Welcome const& welcome, std::span<int const> descriptors);
  /// Takes over an end that a guest has given. Throws Error.
  void adopt(Child& child, Descriptor channel, control::Welcome const& welcome,
             std::span<int const> descriptors);
  void send(Child& child, control::Type type, std::uint32_t ticket, std::uint32_t operation,
            Bytes body);
  /// `message` has come on a shared line.
  void take(Child& child, control::Message message);
  /// Takes in the hello of a process that is not registered yet, if it has come.
  void take_hello(Child& child);
  /// Takes in all that is there.
  void drain(Child& child);
  void close(Child& child);

 private:
  void ready(Child& child, std::uint32_t events);
  bool receive(Child& child);
  void handle(Child& child, control::Message message);
  void flush(Child& child);
  void protocol_error(Child& child, std::string_view why);

  Loop& loop_;
  ChannelListener& listener_;
  std::function<void(Rank, control::Note const&)> on_note_{};
  std::vector<std::byte> room_ = std::vector<std::byte>(control::most_packet + 1);
};

}  // namespace earl::exec
