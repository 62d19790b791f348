// SPDX-License-Identifier: BSD-3-Clause
/// The line between EXEC and an agent: messages of the control channel over TCP, each packet
/// encrypted. A process that could change them could run commands as the user.
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "exec/launcher/events/loop.hpp"
#include "exec/runtime/control.hpp"
#include "generic/base/sealed_frames.hpp"

namespace earl::exec {

/// Gets the messages of the other end. May close the line meanwhile, not destroy it.
class LineListener {
 public:
  /// Throws Error when the message makes no sense: the line is closed then.
  virtual void on_host_message(control::Message message) = 0;
  /// Nothing can be sent or received any more. `why`: for people, short.
  virtual void on_line_ended(std::string_view why) = 0;

 protected:
  ~LineListener() = default;
};

/// A connection that has been through the handshake.
struct AuthenticatedSocket {
  Descriptor socket;
  SessionKey outgoing{};
  SessionKey incoming{};
};

class HostLine {
 public:
  HostLine(Loop& loop, AuthenticatedSocket connection, LineListener& listener);
  ~HostLine() { close(); }
  HostLine(HostLine const&) = delete;
  HostLine& operator=(HostLine const&) = delete;

  void send(control::Type type, Bytes body = {});
  template <class What>
  void send(control::Type type, What const& what) {
    send(type, control::body_of(what).bytes());
  }
  /// Packets that have not left yet.
  std::size_t backlog() const { return outgoing_.size(); }
  bool open() const { return static_cast<bool>(socket_); }
  /// Sends no more; messages sent so far are delivered.
  void hang_up();
  void close();
  /// Ends it if the other host is not there any more, also when there is nothing to send.
  void ping() { send(control::Type::ping); }

  int descriptor() const { return socket_.get(); }
  /// The address of this host on it, without the port.
  std::string own_address() const;

 private:
  void ready(std::uint32_t events);
  void flush();
  bool receive();
  bool take_packets();
  void end(std::string const& why);

  Loop& loop_;
  LineListener& listener_;
  Descriptor socket_;
  FrameSealer sealer_;
  FrameOpener opener_;
  control::Assembler incoming_{};
  std::deque<Buffer> outgoing_{};
  std::size_t sent_ = 0;  ///< bytes of the first of them
  bool waits_to_write_ = false;
  std::vector<std::byte> room_ =
      std::vector<std::byte>(2 * (frame_overhead(Protection::encrypted) + control::most_packet));
  std::size_t have_ = 0;
};

}  // namespace earl::exec
