// SPDX-License-Identifier: BSD-3-Clause
/// Data that a process has written through a wrong pointer is refused without blaming a process;
/// and other shared memory is not taken for a job's.
#include <fcntl.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include "generic/base/error.hpp"
#include "tests/backends/shm/harness.hpp"

using namespace earl;
using namespace earl::shm::test;
using Catch::Matchers::Contains;

namespace {

auto const damage = Contains("the memory of the job is damaged: ");

/// A ring from 0 to 1 with one good packet in it, and the means to spoil it.
struct Scene {
  Scene() : from(job.port(0)), to(job.port(1)), memory(job.segment()) {
    REQUIRE(from->put(Rank{1}, message(0, 1, 8), bytes_of_text("12345678")));
    auto& entry =
        memory.at<shm::Shared<std::uint32_t>>(memory.layout().directory_entry(Rank{1}, Rank{0}));
    ring_at = shm::Offset{entry.load()} * shm::page;
  }
  shm::Ring& ring() { return memory.at<shm::Ring>(ring_at); }
  shm::Record& record() { return ring().records[0]; }
  void set_length(std::uint64_t length) {
    record().commit = shm::commit_at(memory.head().key, 0) + length;
  }
  void poll() { to->poll(log); }
  /// Until the end of process 0 has been reported.
  void poll_often() {
    for (int i = 0; i < 10 && log.ended.empty(); ++i) poll();
  }

  Job job{2};
  std::unique_ptr<shm::ShmPort> from;
  std::unique_ptr<shm::ShmPort> to;
  shm::Segment memory;
  shm::Offset ring_at = 0;
  Log log;
};

}  // namespace

TEST_CASE("a packet in another's name is refused") {
  Scene scene;
  scene.record().header.source = 3;
  CHECK_THROWS_WITH(scene.poll(), damage && damage);
  CHECK(scene.log.packets.empty());
}

TEST_CASE("a lost packet of a sender that has left is noticed at its end") {
  Scene scene;
  auto const lost = GENERATE(0, 1, 2);
  for (int i = 2; i < 4; ++i)
    REQUIRE(scene.from->put(Rank{1}, message(0, i, 8), bytes_of_text("12345678")));
  scene.from->leave();
  scene.ring().records[lost].commit = 77;
  scene.job.exec().ended(Rank{0});
  CHECK_THROWS_WITH(scene.poll_often(), damage && Contains("overwritten"));
}

TEST_CASE("a lost packet of a sender that was killed is noticed by the ones behind it") {
  Scene scene;
  REQUIRE(scene.from->put(Rank{1}, message(0, 2, 8), bytes_of_text("12345678")));
  scene.record().commit = 77;
  scene.job.exec().ended(Rank{0});
  CHECK_THROWS_WITH(scene.poll_often(), damage && Contains("overwritten"));
}

TEST_CASE("a packet of no known kind is refused") {
  Scene scene;
  int const kind = GENERATE(0, static_cast<int>(last_kind) + 1, 255);
  scene.record().header.kind = static_cast<std::uint8_t>(kind);
  CHECK_THROWS_WITH(scene.poll(), damage && Contains("unknown kind"));
}

TEST_CASE("a header of which any word has been overwritten is refused") {
  Scene scene;
  auto const word = GENERATE(0u, 1u, 2u, 3u, 4u);
  auto const bit = GENERATE(0u, 31u, 63u);
  auto words = shm::words_of(scene.record().header);
  words[word] ^= std::uint64_t{1} << bit;
  std::memcpy(static_cast<void*>(&scene.record().header), words.data(), sizeof words);
  CHECK_THROWS_WITH(scene.poll(), damage);
  CHECK(scene.log.packets.empty());
}

TEST_CASE("the sender finds an overwritten header of a packet that is still unread") {
  Scene scene;
  scene.record().header.tag ^= 1;
  scene.job.exec().notify_control(Rank{0});
  Log log;
  CHECK_THROWS_WITH(scene.from->poll(log), damage && Contains("a record in the ring"));
}

TEST_CASE("a record longer than any is refused") {
  Scene scene;
  scene.set_length(shm::largest_payload + 1);
  CHECK_THROWS_WITH(scene.poll(), damage && Contains("more than fits"));
}

TEST_CASE("a message that claims another length than its packet is refused") {
  Scene scene;
  scene.record().header.length = 9;
  CHECK_THROWS_WITH(scene.poll(), damage);
}

TEST_CASE("a kept packet outside the job's memory is refused") {
  Scene scene;
  const shm::Offset where = GENERATE(shm::Offset{1}, shm::Offset{64}, shm::file_size,
                                     ~shm::Offset{7}, shm::file_size - 64);
  scene.ring().first_kept = where;
  CHECK_THROWS_WITH(
      [&] {
        scene.poll();
        scene.poll();
      }(),
      damage);
}

TEST_CASE("a kept packet longer than its memory is refused") {
  Scene scene;
  while (scene.from->put(Rank{1}, message(0, 1, 0), Gather{})) continue;
  REQUIRE(scene.from->keep(Rank{1}, message(0, 2, 4), bytes_of_text("kept")));
  scene.memory.at<shm::Kept>(scene.ring().first_kept).size = GENERATE(65'537u, ~0ull, 1ull << 40);
  CHECK_THROWS_WITH(
      [&] {
        while (scene.to->poll(scene.log) != 0) continue;
      }(),
      damage);
}

TEST_CASE("a ring outside the job's memory is refused") {
  Job job{2};
  auto to = job.port(1);
  auto memory = job.segment();
  memory.at<shm::Shared<std::uint32_t>>(memory.layout().directory_entry(Rank{1}, Rank{0})) =
      GENERATE(1u, 0xffff'ffffu);
  shm::RankSet{memory, memory.layout().active_set(Rank{1})}.add(Rank{0});
  Log log;
  CHECK_THROWS_WITH(to->poll(log), damage);
}

TEST_CASE("an offer outside the job's memory is refused") {
  Job job{2};
  auto to = job.port(1);
  const Remote remote{GENERATE(1ull, 4096ull, ~63ull), 1};
  CHECK_THROWS_WITH(to->pull(Rank{0}, {TransferId{1}, remote}, Scatter{}), damage);
}

TEST_CASE("only the memory that EXEC made is a job's") {
  auto const& back_end = shm_back_end;
  CHECK_THROWS_AS(back_end.join({}, Rank{0}), Error);
  int const null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  CHECK_THROWS_WITH(back_end.join(std::span{&null, 1}, Rank{0}), Contains("not the shared memory"));
  ::close(null);
  Job job{2};
  CHECK_THROWS_WITH(job.port(2), Contains("no place"));
  CHECK_THROWS_WITH(job.port(-1), Contains("no place"));
  auto memory = job.segment();
  memory.head().version = 99;
  CHECK_THROWS_WITH(job.port(0), Contains("version 99"));
}

TEST_CASE("a job of an impossible size is refused") {
  CHECK_THROWS_AS(shm_back_end.prepare({.initial = 0, .capacity = 4}), Error);
  CHECK_THROWS_AS(shm_back_end.prepare({.initial = 5, .capacity = 4}), Error);
  CHECK_THROWS_AS(shm_back_end.prepare({.initial = 1, .capacity = 65'537}), Error);
}

TEST_CASE("a member of the active set that the job has no place for is refused") {
  Scene scene;
  auto const at = scene.memory.layout().active_set(Rank{1});
  auto& words = scene.memory.at<shm::Shared<std::uint64_t>>(at + 8 * GENERATE(0u, 1u));
  words |= std::uint64_t{1} << 63;
  CHECK_THROWS_WITH(scene.poll(), damage);
}

TEST_CASE("an unknown member of the active set is forgotten") {
  Job job{4};
  auto to = job.port(1);
  auto memory = job.segment();
  shm::RankSet set{memory, memory.layout().active_set(Rank{1})};
  for (int const rank : {0, 1, 3}) set.add(Rank{rank});
  Log log;
  CHECK(to->poll(log) == 0);
  set.each([](Rank) { FAIL("it is still there"); });
}

TEST_CASE("EXEC survives damaged sets of processes to notify of an end") {
  Job job{4};
  auto memory = job.segment();
  auto const& layout = memory.layout();
  for (auto const at :
       {layout.active_set(Rank{1}), layout.interest_set(Rank{1}), layout.contact_set(Rank{1})})
    for (std::size_t i = 0; i < layout.set_bytes; i += 8)
      memory.at<shm::Shared<std::uint64_t>>(at + i) = ~std::uint64_t{0};
  job.exec().ended(Rank{1});
  job.exec().wake_peers_for_release(Rank{1});
  job.exec().release(Rank{1});
}

TEST_CASE("a sender detects an overwritten record when EXEC asks") {
  Scene scene;
  auto const spoil = GENERATE(0, 1, 2, 3, 4);
  if (spoil == 4) scene.ring().wants_room = 7;
  if (spoil == 0) scene.set_length(~std::uint64_t{0});
  if (spoil == 1) scene.ring().source = 7;
  if (spoil == 2) scene.ring().consumed = 2;
  if (spoil == 3) scene.ring().kept_taken = 1;
  scene.job.exec().notify_control(Rank{0});
  CHECK_THROWS_WITH(scene.from->poll(scene.log), damage);
}

TEST_CASE("a directory that names another ring is found out by both ends") {
  Scene scene;
  scene.poll();
  auto const at = scene.memory.layout().directory_entry(Rank{1}, Rank{0});
  scene.memory.at<shm::Shared<std::uint32_t>>(at) += 4;
  for (int const rank : {0, 1}) scene.job.exec().notify_control(Rank{rank});
  CHECK_THROWS_WITH(scene.from->poll(scene.log), damage);
  CHECK_THROWS_WITH(scene.to->poll(scene.log), damage);
}

TEST_CASE("an end that EXEC has not written ends no process") {
  Job job{64};
  auto from = job.port(0);
  REQUIRE(from->put(Rank{1}, message(0, 1, 1), bytes_of_text("x")));
  job.segment().door(Rank{1}).state = GENERATE(3u, 0xffff'fffeu, 0x8000'0002u);
  CHECK_THROWS_WITH(from->put(Rank{1}, message(0, 2, 1), bytes_of_text("x")), damage);
  CHECK_THROWS_WITH(from->ended(Rank{1}), damage);
}

TEST_CASE("an entry of the list of the dead that EXEC has not written ends no process") {
  Scene scene;
  scene.memory.head().deaths = 1;
  CHECK_THROWS_WITH(scene.poll(), damage);
}

TEST_CASE("an offer in a phase that there is not is refused") {
  Scene scene;
  std::string const bytes(100, 'x');
  auto const remote = scene.from->expose(TransferId{1}, bytes_of_text(bytes));
  scene.memory.at<shm::Slot>(remote.where).state = shm::state_of(remote.more, shm::Phase{77});
  std::string room(100, ' ');
  auto const into = std::as_writable_bytes(std::span{room});
  CHECK_THROWS_WITH(scene.to->pull(Rank{0}, {TransferId{1}, remote}, Scatter{MutableBytes{into}}),
                    damage);
}

TEST_CASE("an offer whose description has been overwritten is refused, before and after a copy") {
  Scene scene;
  std::string const bytes(100, 'x');
  auto const remote = scene.from->expose(TransferId{1}, bytes_of_text(bytes));
  auto& slot = scene.memory.at<shm::Slot>(remote.where);
  if (GENERATE(false, true)) REQUIRE(scene.from->copy_exposed(remote));
  int const spoil = GENERATE(0, 1, 2, 3, 4);
  if (spoil == 0) slot.place.length = 99;
  if (spoil == 1) slot.place.address += 1;
  if (spoil == 2) slot.place.copy += 64;
  if (spoil == 3) slot.place.pid = 1;
  if (spoil == 4) slot.seal = 0;
  std::string room(100, ' ');
  auto const into = std::as_writable_bytes(std::span{room});
  CHECK_THROWS_WITH(scene.to->pull(Rank{0}, {TransferId{1}, remote}, Scatter{MutableBytes{into}}),
                    damage);
  scene.job.exec().notify_control(Rank{0});
  CHECK_THROWS_WITH(scene.from->poll(scene.log), damage);
}

TEST_CASE("a request for room that no sender has is refused") {
  Scene scene;
  scene.ring().wants_room = 7;
  CHECK_THROWS_WITH(
      [&] {
        for (int i = 0; i < 100; ++i) scene.poll();
      }(),
      damage && Contains("waiting state for room"));
}

TEST_CASE("a sender copies its offer with any later content of the slot") {
  Scene scene;
  std::string const bytes(100, 'x');
  auto const remote = scene.from->expose(TransferId{1}, bytes_of_text(bytes));
  auto& slot = scene.memory.at<shm::Slot>(remote.where);
  slot.place.address = 8, slot.place.length = ~std::uint64_t{0};
  CHECK(scene.from->copy_exposed(remote));
  scene.from->unexpose(remote);
}

TEST_CASE("memory is not taken from where there is none") {
  Job job{2};
  auto memory = job.segment();
  memory.head().next_extent = GENERATE(shm::Offset{0}, shm::Offset{shm::extent / 2});
  CHECK_THROWS_WITH(memory.take(shm::extent), damage);
}
