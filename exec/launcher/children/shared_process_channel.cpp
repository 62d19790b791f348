// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/children/shared_process_channel.hpp"

#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>

namespace earl::exec {

namespace {

constexpr std::size_t most_descriptors_waiting = 256;

}  // namespace

Descriptor SharedProcessChannel::open(control::Welcome const& welcome,
                                      std::span<Descriptor> descriptors) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw Error(Fault::full, "no line to the process that all ranks live in: {}",
                system_message(errno));
  line_ = Descriptor(ends[0]);
  loop_.watch(line_.get(), EPOLLIN, [this](std::uint32_t events) {
    if ((events & EPOLLOUT) != 0) flush();
    drain();
  });
  std::vector<Descriptor> handed;
  for (auto& descriptor : descriptors) handed.push_back(std::move(descriptor));
  send(control::Type::welcome, control::body_of(welcome).bytes(), std::move(handed));
  return Descriptor(ends[1]);
}

void SharedProcessChannel::dismiss() {
  flush();
  if (line_) ::shutdown(line_.get(), SHUT_WR);
}

void SharedProcessChannel::close() {
  if (!line_) return;
  loop_.remove(line_.get());
  line_.close();
  outgoing_.clear();
}

void SharedProcessChannel::load(control::ProgramDescription const& program,
                                control::RankLaunchRequest const& launch,
                                std::vector<Descriptor> descriptors) {
  if (program_ != program) {
    program_ = program;
    send(control::Type::program, control::body_of(program).bytes(), {});
  }
  send(control::Type::rank_launch, control::body_of(launch).bytes(), std::move(descriptors));
  // EXEC can have only so many open.
  while (line_ && descriptors_waiting_ > most_descriptors_waiting) wait_for_room();
}

void SharedProcessChannel::wait_for_room() {
  pollfd line{.fd = line_.get(), .events = POLLOUT, .revents = 0};
  ::poll(&line, 1, -1);
  flush();
}

void SharedProcessChannel::pass(Rank rank, control::Type type, std::uint32_t ticket,
                                std::uint32_t operation, Bytes body) {
  const control::RankMessage passed{
      .rank = rank,
      .message = {
          .type = type, .ticket = ticket, .operation = operation, .body = Buffer(Gather{body})}};
  send(control::Type::passed, control::body_of(passed).bytes(), {});
}

void SharedProcessChannel::send(control::Type type, Rank rank, int value) {
  send(type, control::body_of(control::RankValue{.rank = rank, .value = value}).bytes(), {});
}

void SharedProcessChannel::send(control::Type type, Bytes body,
                                std::vector<Descriptor> descriptors) {
  if (!line_) return;
  descriptors_waiting_ += descriptors.size();
  for (auto& packet : control::packets_of(type, 0, 0, body))
    outgoing_.push_back(
        {.bytes = std::move(packet), .descriptors = std::exchange(descriptors, {})});
  if (!waits_to_write_) flush();
}

void SharedProcessChannel::flush() {
  int error = 0;
  while (!outgoing_.empty()) {
    auto const& packet = outgoing_.front();
    std::vector<int> numbers;
    for (auto const& descriptor : packet.descriptors) numbers.push_back(descriptor.get());
    error = send_packet(line_.get(), packet.bytes.bytes(), numbers, MSG_DONTWAIT);
    if (error != 0) break;
    descriptors_waiting_ -= packet.descriptors.size();
    outgoing_.pop_front();
  }
  if (error != 0 && error != EAGAIN) {  // it has ended; SIGCHLD will report it
    outgoing_.clear();
    descriptors_waiting_ = 0;
  }
  bool const waits = !outgoing_.empty();
  if (waits != waits_to_write_) loop_.change(line_.get(), waits ? EPOLLIN | EPOLLOUT : EPOLLIN);
  waits_to_write_ = waits;
}

void SharedProcessChannel::drain() {
  while (line_ && receive()) {
  }
}

/// False: nothing more is there now.
bool SharedProcessChannel::receive() {
  auto const arrival = receive_packet(line_.get(), room_);
  if (arrival.what == ReceiveStatus::nothing) return false;
  if (arrival.what == ReceiveStatus::end) {
    close();
    return false;
  }
  if (auto message = incoming_.take(Bytes{room_}.first(arrival.size))) handle(std::move(*message));
  return true;
}

void SharedProcessChannel::handle(control::Message message) {
  auto const body = message.body.bytes();
  switch (message.type) {
    case control::Type::stuck:
      return listener_.shared_process_stuck();
    case control::Type::sleeps:
      return listener_.shared_process_sleeps();
    case control::Type::departed: {
      auto const word = control::read<control::RankValue>(body);
      return listener_.departed(word.rank, word.value);
    }
    case control::Type::passed: {
      auto passed = control::read<control::RankMessage>(body);
      return listener_.on_rank_message(passed.rank, std::move(passed.message));
    }
    default:
      throw Error("the shared process sent a message type reserved for EXEC");
  }
}

}  // namespace earl::exec
