// SPDX-License-Identifier: BSD-3-Clause
/// Processes of a fabric as threads of one, for ThreadSanitizer: the switches' ports and the queues
/// themselves must hand over a packet's data. All send to all, through the same ports. Exit code 0:
/// all came, in order.
#include <cstdio>
#include <cstring>
#include <thread>

#include "backends/myrinet/fabric.hpp"
#include "backends/net/port.hpp"
#include "generic/base/error.hpp"

using namespace earl;
using namespace earl::myrinet;

namespace {

constexpr int processes = 4;
constexpr std::uint32_t packets = 1500;  ///< from each to each

std::size_t size_of(std::uint32_t n) { return sizeof n + n * 37 % 3000; }

class Counter final : public PacketSink {
 public:
  void packet(Header const& header, Bytes payload) override {
    auto& next = next_[header.source];
    std::uint32_t number = 0;
    std::memcpy(&number, payload.data(), sizeof number);
    EARL_CHECK(number == next && payload.size() == size_of(number));
    for (auto const byte : payload.subspan(sizeof number))
      EARL_CHECK(byte == static_cast<std::byte>(number));
    ++next;
    ++all_;
  }
  void moved(Rank, TransferId, bool) override {}
  void gone(Rank) override {}
  void on_control_ready() override {}

  bool complete() const { return all_ == (processes - 1) * packets; }

 private:
  std::uint32_t next_[processes] = {};
  std::uint32_t all_ = 0;
};

void put(net::LinkPort& port, int me, int to, std::uint32_t n, Counter& counter) {
  std::vector<std::byte> payload(size_of(n), static_cast<std::byte>(n));
  std::memcpy(payload.data(), &n, sizeof n);
  const Header header = header_of(Kind::eager, {.source = Rank{me}, .length = payload.size()});
  while (!port.put(Rank{to}, header, Bytes{payload})) {
    port.poll(counter);
    port.wait(Clock::now() + std::chrono::milliseconds{10});
  }
}

void live(std::shared_ptr<Memory> const& memory, int me, std::atomic<int>& complete) {
  net::LinkPort port{std::make_unique<FabricLink>(memory, Rank{me}, FaultInjection{}), Rank{me},
                     WaitPolicy{}};
  Counter counter;
  for (std::uint32_t n = 0; n < packets; ++n)
    for (int shift = 1; shift < processes; ++shift) {
      put(port, me, (me + shift) % processes, n, counter);
      port.poll(counter);
    }
  bool counted = false;
  while (complete.load() < processes) {
    if (port.poll(counter) == 0) port.wait(Clock::now() + std::chrono::milliseconds{10});
    if (counter.complete() && !std::exchange(counted, true)) complete.fetch_add(1);
  }
}

}  // namespace

int main() {
  auto const memory = std::make_shared<Memory>(processes, usual_topology(processes));
  std::atomic<int> complete = 0;
  std::vector<std::thread> threads;
  for (int me = 0; me < processes; ++me)
    threads.emplace_back([&, me] { live(memory, me, complete); });
  for (auto& thread : threads) thread.join();
  std::puts("all came, in order");
  return 0;
}
