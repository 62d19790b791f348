// SPDX-License-Identifier: BSD-3-Clause
/// Processes that send more than there is memory for wait for their receiver: no process keeps
/// messages that it has not received. EARL_MESSAGE_MEMORY is 4M.
#include <sys/resource.h>

#include <thread>

#include "tests/conformance/conformance.hpp"
#include "tests/sanitized.hpp"

namespace earl::conformance::ceiling {

namespace {

constexpr int messages = testing::times(50'000, 10'000);
constexpr std::size_t size = 1'000;
constexpr int long_messages = testing::times(60, 20);
constexpr std::size_t long_size = 700'000;

/// In a replay no send waits.
bool measures() { return !testing::sanitized && std::getenv("EARL_TEST_ANY_MEMORY") == nullptr; }

/// The most memory it has had, memory files that it uses included.
std::size_t peak() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

/// All messages together are 92 MB. A library below has buffers of its own: libfabric 20 MB.
class Ceiling {
 public:
  void check() const { EARL_EXPECT(!measures() || peak() < before_ + most); }

 private:
  static constexpr std::size_t most = 32'000'000;
  std::size_t before_ = peak();
};

/// Takes part in the others' barriers now and then, and receives nothing. The time is under test:
/// the senders have it to fill the memory that there is. If it were too short, a fault could be
/// missed, but none be reported wrongly.
void poll_for_a_while(Process& me) {
  constexpr auto while_senders_fill_what_there_is = std::chrono::milliseconds{500};
  auto const begin = Clock::now();
  while (Clock::now() < begin + while_senders_fill_what_there_is) {
    for (int i = 0; i < 100; ++i) me.idle();
    std::this_thread::sleep_for(std::chrono::milliseconds{20});
  }
}

}  // namespace

void run(Process& me, int n) {
  const AllRanks all{me};
  int const rank = number(me.rank());
  int const each = messages / (n - 1);
  int const long_each = long_messages / (n - 1);
  all.barrier();
  const Ceiling ceiling;
  if (rank != 0) {
    for (int i = 0; i < each; ++i)
      me.send(to(0, 1, i % 2 == 0 ? Mode::buffered : Mode::buffered_by_default),
              Bytes{pattern(rank, i, size)});
    for (int i = 0; i < long_each; ++i)
      me.send(to(0, 2, Mode::buffered), Bytes{pattern(rank, i, long_size)});
  } else {
    poll_for_a_while(me);
    for (int i = 0; i < each; ++i)
      for (int source = n - 1; source > 0; --source) expect(me, from(source, 1), source, i, size);
    poll_for_a_while(me);
    for (int i = 0; i < long_each; ++i)
      for (int source = n - 1; source > 0; --source)
        expect(me, from(source, 2), source, i, long_size);
  }
  all.barrier();
  ceiling.check();
}

}  // namespace earl::conformance::ceiling
