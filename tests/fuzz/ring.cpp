// SPDX-License-Identifier: BSD-3-Clause
/// Data that another process may have written into a ring of shared memory, and into its kept
/// packets.
#include "backends/shm/ring.hpp"
#include "tests/fuzz/only_errors.hpp"

using namespace earl;
using namespace earl::shm;

namespace {

/// Looks at every byte it is shown.
class Reader final : public PacketSink {
 public:
  void packet(Header const& header, Bytes payload) override {
    EARL_CHECK(header.packet_kind() != Kind::none && header.source == 0);
    const Buffer copied{Gather{payload}};
  }
  void moved(Rank, TransferId, bool) override {}
  void gone(Rank) override {}
  void on_control_ready() override {}
};

void make_whole(Header& header, std::uint64_t size) {
  auto words = words_of(header);
  words.back() = check_of(words, size);
  std::memcpy(static_cast<void*>(&header), words.data(), sizeof words);
}

/// The right words in front, else nothing behind them would ever be looked at.
void make_plausible(Ring& ring, std::uint64_t key, Offset near) {
  for (std::uint32_t i = 0; i < ring_units; ++i) {
    auto& commit = ring.records[i].commit;
    commit = commit_at(key, i) | (commit & 0xffff);
    make_whole(ring.records[i].header, commit & 0xffff);
  }
  if (ring.first_kept == 0) return;
  auto const at = ring.first_kept % (2 * extent);
  ring.first_kept = near + at;
  if (at % sizeof(std::uint64_t) != 0 || at > ring_bytes - sizeof(Kept)) return;
  auto& kept = *reinterpret_cast<Kept*>(reinterpret_cast<std::byte*>(&ring) + at);
  make_whole(kept.header, kept.size);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  auto segment = Segment::create(2);
  Arena arena{segment};
  const Offset at = arena.take_ring();
  auto& ring = segment.at<Ring>(at);
  copy(std::as_bytes(std::span{data, size}), {segment.address(at), ring_bytes});
  make_plausible(ring, segment.head().key, at);
  fuzz::only_errors([&] {
    RingReader reader;
    reader.open(segment, ring, Rank{0});
    Reader sink;
    reader.drain(sink, 2 * ring_units);  // a list may well run in circles
  });
  return 0;
}
