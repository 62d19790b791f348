/// The least that two processes can do: a single-producer, single-consumer ring in shared memory
/// for each direction, 64-byte slots with the sequence in the slot, no envelope, no matching. The
/// reference for Earl's small messages.
#include <immintrin.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <new>

#include "tests/bench/peer.h"

namespace {

struct alignas(64) Slot {
  std::atomic<std::uint64_t> sequence = 0;  ///< of the message part in it, from 1
  char bytes[56] = {};
};
static_assert(sizeof(Slot) == 64);

constexpr std::uint64_t slots = 512;

struct alignas(128) Ring {
  Slot slot[slots];
  alignas(64) std::atomic<std::uint64_t> taken =
      0;  ///< published by the consumer, every quarter ring
};

constexpr int most = 8;

struct Shared {
  Ring ring[most][most];  ///< from, to
  std::atomic<int> ready = 0;
};

/// One process's view of its rings.
struct Ends {
  Shared* shared = nullptr;
  int rank = 0;
  bool crowded = false;  ///< more processes than CPUs: yield them while waiting
  std::uint64_t sent[most] = {};
  std::uint64_t received[most] = {};
  std::uint64_t room[most] = {};  ///< `taken` of the ring to each, as last read
};
Ends ends;

void step_aside() {
  if (ends.crowded)
    sched_yield();
  else
    _mm_pause();
}

void wait_for_room(Ring& ring, int to) {
  while (ends.sent[to] - ends.room[to] >= slots) {
    ends.room[to] = ring.taken.load(std::memory_order_acquire);
    if (ends.sent[to] - ends.room[to] >= slots) step_aside();
  }
}

}  // namespace

static void peer_send(int to, char* bytes, long size) {
  Ring& ring = ends.shared->ring[ends.rank][to];
  for (long at = 0; at < size; at += long{sizeof Slot::bytes}) {
    wait_for_room(ring, to);
    Slot& slot = ring.slot[ends.sent[to] % slots];
    std::memcpy(slot.bytes, bytes + at,
                static_cast<std::size_t>(std::min(size - at, long{sizeof slot.bytes})));
    slot.sequence.store(++ends.sent[to], std::memory_order_release);
  }
}

static void peer_receive(int from, char* bytes, long size) {
  Ring& ring = ends.shared->ring[from][ends.rank];
  for (long at = 0; at < size; at += long{sizeof Slot::bytes}) {
    std::uint64_t& received = ends.received[from];
    Slot& slot = ring.slot[received % slots];
    while (slot.sequence.load(std::memory_order_acquire) != received + 1) step_aside();
    std::memcpy(bytes + at, slot.bytes,
                static_cast<std::size_t>(std::min(size - at, long{sizeof slot.bytes})));
    if (++received % (slots / 4) == 0) ring.taken.store(received, std::memory_order_release);
  }
}

static bool is(char const* what, int argc, char** argv) {
  return argc > 1 && std::strcmp(argv[1], what) == 0;
}

static int run(int rank, int size, int argc, char** argv) {
  ends.rank = rank;
  ends.crowded = size > sysconf(_SC_NPROCESSORS_ONLN) || is("handoff", argc, argv);
  ++ends.shared->ready;
  while (ends.shared->ready < size) sched_yield();
  int const status = peer_measure(rank, size, argc, argv);
  std::fflush(stdout);
  return status;
}

int main(int argc, char** argv) {
  int const size = is("ring", argc, argv) ? most : 2;
  void* memory =
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return 1;
  ends.shared = new (memory) Shared;
  for (int rank = 1; rank < size; ++rank) {
    if (fork() == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      _exit(run(rank, size, argc, argv));
    }
  }
  int status = run(0, size, argc, argv);
  for (int left = size - 1, how = 0; left > 0 && wait(&how) > 0; --left)
    if (how != 0) status = 1;
  return status;
}
// SPDX-License-Identifier: BSD-3-Clause
