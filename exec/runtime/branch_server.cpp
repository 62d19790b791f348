// SPDX-License-Identifier: BSD-3-Clause
#include "exec/runtime/branch_server.hpp"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <iterator>
#include <utility>

#include "generic/system/child.hpp"
#include "generic/system/poll_until.hpp"
#include "generic/system/unix_socket.hpp"

namespace earl::boot {

namespace {

/// For a branch that there was no room for.
constexpr int not_begun = static_cast<int>(control::BranchEnd::failed) << 8;

void report(Descriptor const& line, std::uint32_t ticket, int wait_status) {
  auto const body = control::body_of(control::RankValue{.rank = no_rank, .value = wait_status});
  for (auto const& packet : control::packets_of(control::Type::branched, ticket, 0, body.bytes()))
    static_cast<void>(send_packet(line.get(), packet.bytes(), {}, 0));
}

}  // namespace

BranchServer::Order BranchServer::serve() {
  for (;;) {
    wait();
    report_ended();
    while (auto order = next())
      if (begin(*order)) return std::move(*order);
  }
}

/// Until a command has come, or a branch has ended or must.
void BranchServer::wait() {
  std::vector<pollfd> files{{.fd = line_.get(), .events = POLLIN, .revents = 0}};
  auto first = never;
  for (auto const& one : running_) {
    files.push_back({.fd = one.handle.get(), .events = POLLIN, .revents = 0});
    first = std::min(first, one.limit);
  }
  poll_until(files, first);
}

void BranchServer::report_ended() {
  std::erase_if(running_, [this](Running const& one) {
    if (Clock::now() >= one.limit) ::kill(one.pid, SIGKILL);
    pollfd handle{.fd = one.handle.get(), .events = POLLIN, .revents = 0};
    if (Clock::now() < one.limit && ::poll(&handle, 1, 0) <= 0) return false;
    report(line_, one.ticket, await_child(one.pid));
    return true;
  });
}

std::optional<BranchServer::Order> BranchServer::next() {
  for (;;) {
    auto arrival = receive_packet(line_.get(), room_);
    if (arrival.what == ReceiveStatus::nothing) return std::nullopt;
    if (arrival.what == ReceiveStatus::end) end();
    std::ranges::move(arrival.descriptors, std::back_inserter(arrived_));
    auto message = incoming_.take(Bytes{room_}.first(arrival.size));
    if (!message) continue;
    auto descriptors = std::exchange(arrived_, {});
    if (message->type != control::Type::branch || descriptors.empty() || descriptors.size() > 2)
      throw Error("a message that asks for no branch");
    Order order{.ticket = message->ticket,
                .request = control::read<control::BranchRequest>(message->body.bytes()),
                .output = std::move(descriptors[0])};
    if (descriptors.size() == 2) order.line = std::move(descriptors[1]);
    return order;
  }
}

/// True: this is the branch. Handlers of pthread_atfork(3) do not run: they would take it for a
/// process that the program has forked.
bool BranchServer::begin(Order const& order) {
  auto const server = ::getpid();
  auto const pid = ::_Fork();
  if (pid == 0) {
    end_with_parent(server);
    line_.close();
    running_.clear();
    return true;
  }
  Descriptor handle(pid < 0 ? -1 : static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  if (pid > 0 && !handle) {
    ::kill(pid, SIGKILL);
    await_child(pid);
  }
  if (!handle) {
    report(line_, order.ticket, not_begun);
    return false;
  }
  running_.push_back(
      {.ticket = order.ticket,
       .pid = pid,
       .handle = std::move(handle),
       .limit = order.line ? never
                           : Clock::now() + std::chrono::milliseconds{order.request.milliseconds}});
  return false;
}

void BranchServer::end() {
  for (auto const& one : running_) ::kill(one.pid, SIGKILL);
  for (auto const& one : running_) await_child(one.pid);
  ::_exit(0);
}

}  // namespace earl::boot
