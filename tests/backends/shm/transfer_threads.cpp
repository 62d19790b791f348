// SPDX-License-Identifier: BSD-3-Clause
/// Sender and receiver of long messages in two threads of one process, for ThreadSanitizer: the
/// slot's description and a copy that the sender makes must be ordered by the slot's phase. Exit
/// code 0: each message came whole, read where it was, copied aside before or copied by both ends.
#include <cstdio>
#include <string>
#include <thread>

#include "backends/shm/transfer.hpp"
#include "generic/base/error.hpp"

using namespace earl;
using namespace earl::shm;

namespace {

constexpr int messages = 2'000;
constexpr std::size_t size = 20'000;
constexpr int long_messages = 200;
constexpr std::size_t long_size = 300'001;  ///< both ends copy them

char letter(int n) { return static_cast<char>('a' + n % 26); }

/// Carried by a packet otherwise: which message is offered, and which has been taken.
struct Board {
  Remote remote{};
  std::atomic<int> offered = 0;
  std::atomic<int> taken = 0;
};

void wait_for(std::atomic<int> const& word, int value) {
  while (word.load(std::memory_order_acquire) != value) std::this_thread::yield();
}

/// Copies some aside at once, some late, some never: often the receiver reaches for it meanwhile.
int send(Segment& segment, Arena& arena, Board& board) {
  Exposures exposures{segment, arena};
  int copied = 0;
  for (int n = 1; n <= messages; ++n) {
    std::string text(size, letter(n));
    board.remote = exposures.expose(std::as_bytes(std::span{text}));
    board.offered.store(n, std::memory_order_release);
    for (int looks = 0; looks < n % 4; ++looks) std::this_thread::yield();
    if (n % 3 != 0 && exposures.copy_exposed(board.remote)) {
      text.assign(size, '-');
      ++copied;
    }
    wait_for(board.taken, n);
    EARL_CHECK(exposures.claimed(board.remote));
    exposures.unexpose(board.remote);
  }
  return copied;
}

void receive(Segment& segment, Board& board, int count, std::size_t length) {
  Receiver receiver{.rank = Rank{1}};
  for (int n = 1; n <= count; ++n) {
    std::string text(length, '\0');
    wait_for(board.offered, n);
    MutableBytes const room = std::as_writable_bytes(std::span{text});
    EARL_CHECK(pull(segment, Rank{0}, {TransferId{1}, board.remote}, room, receiver) ==
               Pulled::done);
    EARL_CHECK(text == std::string(length, letter(n)));
    board.taken.store(n, std::memory_order_release);
  }
}

int send_long(Segment& segment, Arena& arena, Board& board) {
  Exposures exposures{segment, arena};
  int chunks = 0;
  for (int n = 1; n <= long_messages; ++n) {
    std::string const text(long_size, letter(n));
    board.remote = exposures.expose(std::as_bytes(std::span{text}));
    board.offered.store(n, std::memory_order_release);
    while (board.taken.load(std::memory_order_acquire) != n)
      if (exposures.has_chunk_to_write() && exposures.write_chunk()) ++chunks;
    exposures.unexpose(board.remote);
  }
  return chunks;
}

}  // namespace

int main() {
  auto segment = Segment::create(2);
  Arena arena{segment};
  Board board;
  std::thread receiver{[&] { receive(segment, board, messages, size); }};
  int const copied = send(segment, arena, board);
  receiver.join();
  Board longer;
  receiver = std::thread{[&] { receive(segment, longer, long_messages, long_size); }};
  int const chunks = send_long(segment, arena, longer);
  receiver.join();
  std::printf("%d messages, %d copied aside; %d long ones, %d chunks by their sender\n", messages,
              copied, long_messages, chunks);
  return 0;
}
