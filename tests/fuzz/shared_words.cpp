// SPDX-License-Identifier: BSD-3-Clause
/// Words of a job's shared memory that a process may have written through a wrong pointer: sets of
/// ranks, the directory, heads of rings, offers of long messages, EXEC's own.
#include <fcntl.h>

#include "backends/shm/port.hpp"
#include "generic/seams/backend.hpp"
#include "tests/fuzz/only_errors.hpp"

namespace earl {
extern Backend const shm_back_end;
}

using namespace earl;
using namespace earl::shm;

namespace {

constexpr std::uint32_t processes = 4;
constexpr Rank sender{0};
constexpr Rank receiver{1};

class Reader final : public PacketSink {
 public:
  void packet(Header const& header, Bytes payload) override {
    EARL_CHECK(header.packet_kind() != Kind::none && header.source < static_cast<int>(processes));
    const Buffer copied{Gather{payload}};
  }
  void moved(Rank, TransferId, bool) override {}
  void gone(Rank rank) override { EARL_CHECK(index(rank) < processes); }
  void on_control_ready() override {}
};

/// A job in which 0 has sent to 1 and offers it a long message.
struct Scene {
  Scene()
      : exec(shm_back_end.prepare({.initial = processes, .capacity = processes})),
        from(Segment{duplicate()}, sender, {}),
        to(Segment{duplicate()}, receiver, {}),
        memory(duplicate()) {
    for (int rank = 0; rank < static_cast<int>(processes); ++rank) exec->registered(Rank{rank}, 1);
    EARL_CHECK(from.put(receiver, header(), Gather{}));
    offer = {TransferId{1}, from.expose(TransferId{1}, std::as_bytes(std::span{bytes}))};
    (void)from.copy_exposed(offer.remote);
  }
  int duplicate() const { return ::fcntl(exec->descriptors(sender).front(), F_DUPFD_CLOEXEC, 0); }
  static Header header() {
    Header header;
    header.kind = static_cast<std::uint8_t>(Kind::eager);
    header.source = number(sender);
    return header;
  }
  Offset ring() {
    auto const entry = memory.layout().directory_entry(receiver, sender);
    return Offset{memory.at<Shared<std::uint32_t>>(entry).load()} * page;
  }

  std::array<std::uint64_t, 16> bytes{};
  std::unique_ptr<PreparedJob> exec;
  ShmPort from;
  ShmPort to;
  Segment memory;
  Offer offer{};
};

/// Where the words are that input of that number changes.
Offset area(Scene& scene, std::uint8_t which, Offset ring) {
  auto const& layout = scene.memory.layout();
  switch (which % 7) {
    case 0:
      return layout.door(receiver);
    case 1:
      return layout.door(sender);
    case 2:
      return layout.row(receiver);
    case 3:
      return ring;
    case 4:
      return scene.offer.remote.where;
    case 5:
      return offsetof(Head, next_extent);
    default:
      return layout.ended_list;
  }
}

/// Ten bytes each: where, which word of the first 32 there, and its value from now on.
void scribble(Scene& scene, Bytes input) {
  auto const ring = scene.ring();
  for (; input.size() >= 10; input = input.subspan(10)) {
    auto const word = std::to_integer<unsigned>(input[1]) % 32;
    auto const at = area(scene, std::to_integer<std::uint8_t>(input[0]), ring) + 8 * word;
    std::uint64_t value = 0;
    std::memcpy(&value, input.data() + 2, sizeof value);
    scene.memory.at<Shared<std::uint64_t>>(at) = value;
  }
}

/// Each of the two, and EXEC, runs as usual.
void go_on(Scene& scene) {
  Reader reader;
  std::array<std::byte, sizeof scene.bytes> room{};
  // A process that finds damage after another one has found it waits a second for its end.
  scene.memory.head().damaged = 0;
  fuzz::only_errors([&] {
    scene.exec->notify_control(sender);
    for (int turns = 0; turns < 4; ++turns) (void)scene.from.poll(reader);
    (void)scene.from.put(receiver, Scene::header(), Gather{});
    scene.from.wait(Deadline{});
  });
  scene.memory.head().damaged = 0;
  fuzz::only_errors([&] {
    for (int turns = 0; turns < 4; ++turns) (void)scene.to.poll(reader);
    (void)scene.to.put(sender, {.source = number(receiver)}, Gather{});
    scene.to.wait(Deadline{});
  });
  scene.exec->ended(sender);
  scene.memory.head().damaged = 0;
  fuzz::only_errors([&] { (void)scene.to.pull(sender, scene.offer, Scatter{MutableBytes{room}}); });
  scene.memory.head().damaged = 0;
  fuzz::only_errors([&] {
    scene.exec->wake_peers_for_release(sender);
    (void)scene.exec->release(sender);
  });
  fuzz::only_errors([&] { scene.from.unexpose(scene.offer.remote); });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  Scene scene;
  scribble(scene, std::as_bytes(std::span{data, size}));
  go_on(scene);
  return 0;
}
