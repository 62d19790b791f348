// SPDX-License-Identifier: BSD-3-Clause
/// The two ends of a ring in two threads of one process, for ThreadSanitizer: every byte a packet
/// carries must be handed over by the ring's own atomics. Exit code 0: all came, in order.
#include <cstdio>
#include <cstring>
#include <thread>

#include "backends/shm/ring.hpp"
#include "generic/base/error.hpp"

using namespace earl;
using namespace earl::shm;

namespace {

constexpr std::uint32_t packets = 40'000;

std::size_t size_of(std::uint32_t n) { return sizeof n + n * 37 % 900; }

class Counter final : public PacketSink {
 public:
  void packet(Header const& header, Bytes payload) override {
    std::uint32_t number = 0;
    std::memcpy(&number, payload.data(), sizeof number);
    EARL_CHECK(number == next_ && payload.size() == size_of(number) && header.source == 0);
    for (auto const byte : payload.subspan(sizeof number))
      EARL_CHECK(byte == static_cast<std::byte>(number));
    ++next_;
  }
  void moved(Rank, TransferId, bool) override {}
  void gone(Rank) override {}
  void on_control_ready() override {}

  std::uint32_t next() const { return next_; }

 private:
  std::uint32_t next_ = 0;
};

void produce(Segment& segment, Offset at) {
  RingWriter writer;
  writer.open(segment, at);
  std::vector<std::byte> payload;
  for (std::uint32_t n = 0; n < packets; ++n) {
    payload.assign(size_of(n), static_cast<std::byte>(n));
    std::memcpy(payload.data(), &n, sizeof n);
    Header header;
    header.kind = static_cast<std::uint8_t>(Kind::eager);
    header.length = payload.size() & 0xffff'ffff'ffff;
    while (!writer.put(header, Gather{Bytes{payload}}))
      while (!writer.ask_for_room()) std::this_thread::yield();
  }
}

void consume(Segment& segment, Ring& ring) {
  RingReader reader;
  reader.open(segment, ring, Rank{0});
  Counter counter;
  while (counter.next() < packets) {
    if (reader.drain(counter, 16) == 0) std::this_thread::yield();
    if (reader.unpublished()) (void)reader.publish();
  }
}

}  // namespace

int main() {
  auto segment = Segment::create(2);
  Arena arena{segment};
  auto const at = arena.take_ring();
  auto& ring = segment.at<Ring>(at);
  std::thread producer{[&] { produce(segment, at); }};
  consume(segment, ring);
  producer.join();
  std::printf("%u packets\n", packets);
  return 0;
}
