// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/children/channels.hpp"

#include <sys/epoll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "debug/symbols/calls.hpp"
#include "exec/launcher/children/rank_channel.hpp"

namespace earl::exec {

namespace {

constexpr int packets_per_turn = 16;
/// A dead process's own packets fit into its socket's buffer; a grandchild may write for ever.
constexpr int most_left_behind = 10'000;
constexpr std::size_t most_failure_report = 2000;

/// Fit to be printed: one line, no control characters, bounded.
std::string printable(std::string_view sentence) {
  std::string text;
  for (auto const letter : sentence.substr(0, most_failure_report)) {
    auto const character = static_cast<unsigned char>(letter);
    text += character < 0x20 || character == 0x7f ? ' ' : letter;
  }
  return text;
}

/// ", called at ring.c:12"; nothing where no line of a source is known.
std::string place_text(Frame const& place) {
  if (place.module.empty()) return {};
  auto const line = symbols::calls_at(place.module, place.offset).front().line;
  return line.find(':') == std::string::npos ? std::string{} : ", called at " + line;
}

}  // namespace

Descriptor Channels::open(Child& child, control::Welcome const& welcome,
                          std::span<int const> descriptors) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw Error(Fault::full, "no control channel for one more process: {}", system_message(errno));
  Descriptor theirs(ends[1]);
  adopt(child, Descriptor(ends[0]), welcome, descriptors);
  return theirs;
}

void Channels::adopt(Child& child, Descriptor channel, control::Welcome const& welcome,
                     std::span<int const> descriptors) {
  int const fd = channel.get();
  child.channel = std::move(channel);
  // The kernel then identifies the sender of a packet, independent of its content.
  int const on = 1;
  ::setsockopt(fd, SOL_SOCKET, SO_PASSCRED, &on, sizeof on);
  auto const packets =
      control::packets_of(control::Type::welcome, 0, 0, control::body_of(welcome).bytes());
  if (packets.size() != 1) throw Error("the debuggers' arguments are too long");
  auto const error = send_packet(fd, packets[0].bytes(), descriptors, MSG_DONTWAIT);
  // A process that has closed its end meanwhile may have sent a message: reading finds it.
  if (error != 0 && error != EPIPE)
    throw Error(Fault::full, "the back end cannot be handed to one more process: {}",
                system_message(error));
  loop_.watch(fd, EPOLLIN, [this, &child](std::uint32_t events) { ready(child, events); });
}

void Channels::ready(Child& child, std::uint32_t events) {
  if ((events & EPOLLOUT) != 0) flush(child);
  for (int i = 0; i < packets_per_turn && child.channel; ++i)
    if (!receive(child)) return;
}

/// False: nothing more is there now.
bool Channels::receive(Child& child) {
  try {
    auto arrival = receive_packet(child.channel.get(), room_);
    if (arrival.what == ReceiveStatus::nothing) return false;
    if (arrival.what == ReceiveStatus::end) {
      close(child);
      listener_.on_disconnected(child);
      return false;
    }
    if (arrival.unix_pid > 0) child.speaker = arrival.unix_pid;
    if (child.is_guest() && arrival.descriptors.size() == 2 && !child.outlets)
      child.outlets = std::make_shared<std::array<Descriptor, 2>>(std::array<Descriptor, 2>{
          std::move(arrival.descriptors[0]), std::move(arrival.descriptors[1])});
    else if (arrival.descriptors.size() == 1)
      child.enclosed = std::move(arrival.descriptors[0]);
    if (auto message = child.incoming.take(Bytes{room_}.first(arrival.size)))
      handle(child, std::move(*message));
    return true;
  } catch (Error const& error) {
    protocol_error(child, error.what());
    return false;
  }
}

void Channels::take(Child& child, control::Message message) {
  try {
    handle(child, std::move(message));
  } catch (Error const& error) {
    protocol_error(child, error.what());
  }
}

void Channels::handle(Child& child, control::Message message) {
  if (listener_.on_message(child, message)) return;
  switch (message.type) {
    case control::Type::hello:
      if (child.registered_pid != 0) throw Error("it sent a second `hello`");
      listener_.on_hello(child, control::read<control::Hello>(message.body.bytes()));
      return;
    case control::Type::request:
      if (child.registered_pid == 0) throw Error("it sent a `request` before its `hello`");
      listener_.on_request(child, std::move(message));
      return;
    case control::Type::report:
      listener_.on_report(child, control::read<Report>(message.body.bytes()));
      return;
    case control::Type::note:
      if (on_note_) on_note_(child.rank, control::read<control::Note>(message.body.bytes()));
      return;
    case control::Type::goodbye:
      if (!child.is_guest()) throw Error("it sent a `goodbye` and is no guest");
      listener_.on_goodbye(child);
      return;
    case control::Type::leaving:
      if (child.registered_pid == 0 || child.death != Announcement::none || child.is_guest())
        throw Error("it sent an unexpected `leaving`");
      listener_.on_leaving(child, control::read<control::Leaving>(message.body.bytes()).exit_code);
      return;
    case control::Type::failure_report:
      child.failure_report = control::read<control::FailureReport>(message.body.bytes());
      child.failure_report->sentence =
          printable(child.failure_report->sentence) + place_text(child.failure_report->place);
      return;
    default:
      throw Error("it sent a message type reserved for EXEC");
  }
}

void Channels::send(Child& child, control::Type type, std::uint32_t ticket, std::uint32_t operation,
                    Bytes body) {
  if (child.rank_channel)
    return child.rank_channel->pass(child.rank, type, ticket, operation, body);
  if (!child.channel) return;
  for (auto& packet : control::packets_of(type, ticket, operation, body)) {
    child.outgoing_bytes += packet.size();
    child.outgoing.push_back(std::move(packet));
  }
  flush(child);
}

void Channels::flush(Child& child) {
  bool wrote = false;
  int error = 0;
  while (!child.outgoing.empty() && error == 0) {
    auto const& packet = child.outgoing.front();
    error = send_packet(child.channel.get(), packet.bytes(), {}, MSG_DONTWAIT);
    if (error != 0) break;
    child.outgoing_bytes -= packet.size();
    child.outgoing.pop_front();
    wrote = true;
  }
  if (wrote) listener_.on_sent(child);
  if (error != 0 && error != EAGAIN) child.outgoing.clear();  // it has ended; SIGCHLD will tell
  bool const waits = !child.outgoing.empty();
  if (waits != child.waits_to_write)
    loop_.change(child.channel.get(), waits ? EPOLLIN | EPOLLOUT : EPOLLIN);
  child.waits_to_write = waits;
  if (child.outgoing_bytes > most_waiting)
    protocol_error(child, "requests whose answers it never reads");
}

void Channels::take_hello(Child& child) {
  if (child.registered_pid != 0 || !child.channel) return;
  std::byte one{};
  if (::recv(child.channel.get(), &one, sizeof one, MSG_PEEK | MSG_DONTWAIT) > 0) receive(child);
}

void Channels::drain(Child& child) {
  for (int i = 0; i < most_left_behind && child.channel && receive(child); ++i) {
  }
}

void Channels::close(Child& child) {
  if (!child.channel) return;
  loop_.remove(child.channel.get());
  child.channel.close();
  child.outgoing.clear();
  child.outgoing_bytes = 0;
  child.waits_to_write = false;
}

void Channels::protocol_error(Child& child, std::string_view why) {
  child.protocol_failed = true;
  close(child);
  listener_.on_protocol_error(child, why);
}

}  // namespace earl::exec
