// SPDX-License-Identifier: BSD-3-Clause
#include "tests/backends/pvm/fake.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cstring>

#include "generic/base/error.hpp"

namespace earl::pvm_backend::test {

namespace {

constexpr int no_answer = -14;

FakePvm* fake = nullptr;

int enrol(char const*, int, int) { return fake->daemon_lives ? fake->next_tid : no_answer; }

int send(int tid, iovec const* pieces, int count) {
  if (!fake->daemon_lives) return no_answer;
  Sent sent{.from = fake->turn};
  for (int i = 0; i < count; ++i) {
    auto const* const bytes = static_cast<std::byte const*>(pieces[i].iov_base);
    sent.bytes.insert(sent.bytes.end(), bytes, bytes + pieces[i].iov_len);
  }
  fake->queues[tid].push_back(std::move(sent));
  return 0;
}

/// The real one takes each task once, in any order.
int send_all(int* tids, int tasks, iovec const* pieces, int count) {
  for (int i = 0; i < tasks; ++i) {
    if (int const result = send(tids[i], pieces, count); result < 0) return result;
    fake->queues[tids[i]].back().shared = true;
  }
  return 0;
}

int receive(earl_pvm_expected, void* room, std::size_t size, earl_pvm_arrival* arrival) {
  *arrival = {};
  if (!fake->daemon_lives) return no_answer;
  auto& queue = fake->queues[fake->turn];
  if (queue.empty()) return 0;
  auto const sent = std::move(queue.front());
  queue.pop_front();
  arrival->tid = sent.from;
  arrival->event = sent.bytes.empty() ? earl_pvm_exit
                   : sent.shared      ? earl_pvm_shared
                                      : earl_pvm_message;
  arrival->size = std::min(size, sent.bytes.size());
  if (arrival->size != 0) std::memcpy(room, sent.bytes.data(), arrival->size);
  return 1;
}

int watch(int tid) {
  fake->watched.push_back(tid);
  fake->queues[fake->turn].push_back({.from = tid});
  return 0;
}

int descriptors(int** list) { return *list = nullptr, 0; }
int host(int, earl_pvm_host*) { return 0; }
int leave() { return 0; }

constexpr earl_pvm_native functions{earl_pvm_version, enrol, send, send_all, receive, watch,
                                    descriptors,      host,  leave};

}  // namespace

Network::Network(std::uint32_t processes, std::optional<Secret> secret)
    : board_(processes, "/nowhere/pvmd", secret) {
  fake = &pvm_;
}

Network::~Network() { fake = nullptr; }

PvmPort& Network::join(int rank, PortSettings const& settings) {
  pvm_.next_tid = tid_of(rank);
  Descriptor memory(::fcntl(board_.descriptor(), F_DUPFD_CLOEXEC, 0));
  auto board = std::make_unique<Board>(std::move(memory));
  ports_[rank] =
      std::make_unique<PvmPort>(std::move(board), Bell{}, Rank{rank}, functions, settings);
  return port(rank);
}

PvmPort& Network::port(int rank) {
  pvm_.turn = tid_of(rank);
  return *ports_.at(rank);
}

}  // namespace earl::pvm_backend::test
