/// What a process that has lost its mind writes is refused, by name; and nobody else's memory is
/// taken for a job's.
#include <fcntl.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include "generic/error.hpp"
#include "tests/backends/shm/harness.hpp"

using namespace earl;
using namespace earl::shm::test;
using Catch::Matchers::Contains;

namespace {

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
  CHECK_THROWS_WITH(scene.poll(), Contains("process 0") && Contains("process 3"));
  CHECK(scene.log.packets.empty());
}

TEST_CASE("a packet of no known kind is refused") {
  Scene scene;
  int const kind = GENERATE(0, static_cast<int>(last_kind) + 1, 255);
  scene.record().header.kind = static_cast<std::uint8_t>(kind);
  CHECK_THROWS_WITH(scene.poll(), Contains("process 0") && Contains("unknown kind"));
}

TEST_CASE("a record longer than any is refused") {
  Scene scene;
  scene.set_length(shm::largest_payload + 1);
  CHECK_THROWS_WITH(scene.poll(), Contains("process 0") && Contains("more than fits"));
}

TEST_CASE("a message that claims another length than its packet is refused") {
  Scene scene;
  scene.record().header.length = 9;
  CHECK_THROWS_WITH(scene.poll(), Contains("process 0"));
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
      Contains("process 0"));
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
      Contains("process 0"));
}

TEST_CASE("a ring outside the job's memory is refused") {
  Job job{2};
  auto to = job.port(1);
  auto memory = job.segment();
  memory.at<shm::Shared<std::uint32_t>>(memory.layout().directory_entry(Rank{1}, Rank{0})) =
      GENERATE(1u, 0xffff'ffffu);
  shm::RankSet{memory, memory.layout().active_set(Rank{1})}.add(Rank{0});
  Log log;
  CHECK_THROWS_WITH(to->poll(log), Contains("process 0"));
}

TEST_CASE("an offer outside the job's memory is refused") {
  Job job{2};
  auto to = job.port(1);
  const Remote remote{GENERATE(0ull, 1ull, 4096ull, ~63ull), 1};
  CHECK_THROWS_WITH(to->pull(Rank{0}, {TransferId{1}, remote}, Scatter{}), Contains("process 0"));
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
