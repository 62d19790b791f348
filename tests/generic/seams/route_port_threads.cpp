// SPDX-License-Identifier: BSD-3-Clause
/// A route's thread, which waits for packets of other hosts, and the thread of its process, for
/// ThreadSanitizer. Exit code 0: each packet has ended a wait, however the two met.
#include <sys/eventfd.h>
#include <unistd.h>

#include <condition_variable>
#include <cstdio>
#include <memory>
#include <mutex>
#include <thread>

#include "exec/launcher/roster/roster.hpp"
#include "generic/base/error.hpp"
#include "generic/seams/route_port.hpp"

using namespace earl;

namespace {

constexpr std::uint64_t packets = 5'000;

/// The port of the process's own host: it can be waited in, and nothing ever comes.
class Here final : public Port {
 public:
  Limits limits() const override { return {.packet = 1024, .eager = 1024}; }
  bool put(Rank, Header const&, Gather const&) override { return true; }
  std::size_t poll(PacketSink&) override { return 0; }
  void wait(Deadline deadline) override {
    std::unique_lock lock{mutex_};
    changed_.wait_until(lock, deadline, [this] { return woken_; });
    woken_ = false;
  }
  void wake() override {
    const std::lock_guard lock{mutex_};
    woken_ = true;
    changed_.notify_one();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool woken_ = false;
};

/// The port to other hosts: a descriptor that counts.
class Away final : public Port {
 public:
  Away() : counter_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}
  Limits limits() const override { return {.packet = 1024, .eager = 1024}; }
  bool put(Rank, Header const&, Gather const&) override { return true; }
  std::size_t poll(PacketSink&) override {
    std::uint64_t came = 0;
    return ::read(counter_.get(), &came, sizeof came) == sizeof came ? came : 0;
  }
  void wait(Deadline) override {}
  void wake() override {}
  int wait_fd() override { return counter_.get(); }

 private:
  Descriptor counter_;
};

/// Sometimes while the process waits, sometimes while it polls.
void send(int counter) {
  std::uint64_t const one = 1;
  for (std::uint64_t n = 0; n < packets; ++n) {
    EARL_CHECK(::write(counter, &one, sizeof one) == sizeof one, "packet {} does not leave", n);
    for (std::uint64_t i = 0; i < n % 7; ++i) std::this_thread::yield();
  }
}

}  // namespace

int main() {
  exec::Roster roster{2};
  const Rank me{0};
  roster.add({.program = "node"}, me);
  auto const* const memory = reinterpret_cast<std::byte const*>(&roster.at(Rank{0})) - id_rows_at;
  auto away = std::make_unique<Away>();
  int const counter = away->wait_fd();
  RoutePort port{std::make_unique<Here>(), std::move(away),
                 IdTable{{memory, job_table_bytes(roster.capacity())}}, me};
  std::thread sender{[counter] { send(counter); }};
  DiscardingSink sink;
  std::uint64_t came = 0;
  std::uint64_t waits = 0;
  while (came < packets) {
    auto const now = port.poll(sink);
    came += now;
    if (now != 0) continue;
    auto const deadline = Clock::now() + std::chrono::seconds{60};
    port.wait(deadline);
    EARL_CHECK(Clock::now() < deadline, "a wait has slept over packet {}", came);
    ++waits;
  }
  sender.join();
  std::printf("%llu packets, %llu waits\n", static_cast<unsigned long long>(came),
              static_cast<unsigned long long>(waits));
  return 0;
}
