// SPDX-License-Identifier: BSD-3-Clause
/// Long messages: read where they are, or copied aside; never half, never twice, never by accident.
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include "generic/base/error.hpp"
#include "tests/backends/shm/harness.hpp"

using namespace earl;
using namespace earl::shm::test;
using shm::PortSettings;
using shm::Reading;

namespace {

Offer offer_in(Packet const& packet) {
  Offer offer;
  EARL_REQUIRE(packet.bytes.size() == sizeof offer);
  std::memcpy(&offer, packet.bytes.data(), sizeof offer);
  return offer;
}

void send_offer(Port& port, int me, int to, Remote const& remote, std::size_t length) {
  const Offer offer{TransferId{1}, remote};
  const Header header = header_of(Kind::offer, {.source = Rank{me}, .length = length});
  EARL_REQUIRE(port.put(Rank{to}, header, bytes_of(offer)));
}

MutableBytes room_of(std::string& text) {
  return std::as_writable_bytes(std::span{text.data(), text.size()});
}

Offer wait_for_offer(Port& port) {
  Log log;
  run_until(port, log, [&] { return !log.packets.empty(); });
  return offer_in(log.packets.front());
}

void say_done(Port& port, int me, int to) {
  const Header header = header_of(Kind::done, {.source = Rank{me}, .length = 8});
  EARL_REQUIRE(port.put(Rank{to}, header, bytes_of(TransferId{1})));
}

/// From now on this process may not make one system call, as in many containers.
void forbid(std::uint32_t call) {
  sock_filter rules[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program{std::size(rules), rules};
  EARL_REQUIRE(::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
  EARL_REQUIRE(::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
}

void forbid_reading() { forbid(SYS_process_vm_readv); }

constexpr PortSettings no_reading{.reading = Reading::off};

}  // namespace

TEST_CASE("a long message is read out of its living sender") {
  Job job{2};
  constexpr std::size_t size = (9 << 20) + 5;
  job.start(0, [](shm::ShmPort& port) {
    const std::string text = pattern(0, 1, size);
    const Remote remote = port.expose(TransferId{1}, bytes_of_text(text));
    send_offer(port, 0, 1, remote, size);
    Log log;
    run_until(port, log, [&] { return !log.packets.empty(); });
    EARL_REQUIRE(port.claimed(remote));
    EARL_REQUIRE(!port.copy_exposed(remote));
    port.unexpose(remote);
  });
  job.start(1, [](shm::ShmPort& port) {
    const Offer offer = wait_for_offer(port);
    std::string front(100, '\0'), rest(size - 100, '\0'), none;
    const MutableBytes parts[] = {room_of(front), room_of(none), room_of(rest)};
    EARL_REQUIRE(port.pull(Rank{0}, offer, Scatter{std::span<const MutableBytes>{parts}}) ==
                 Pulled::done);
    EARL_REQUIRE(front + rest == pattern(0, 1, size));
    say_done(port, 1, 0);
  });
  CHECK(job.wait_for(1) == 0);
  CHECK(job.wait_for(0) == 0);
}

TEST_CASE("a copied message outlives its sender, also one killed") {
  Job job{2};
  bool const killed = GENERATE(false, true);
  constexpr std::size_t size = (10 << 20) + 3;
  job.start(0, [killed](shm::ShmPort& port) {
    std::string text = pattern(0, 1, size);
    const Remote remote = port.expose(TransferId{1}, bytes_of_text(text));
    send_offer(port, 0, 1, remote, size);
    EARL_REQUIRE(port.copy_exposed(remote));
    text.assign(size, 'x');
    if (killed) ::raise(SIGKILL);
  });
  CHECK(job.wait_for(0) == (killed ? 128 + SIGKILL : 0));

  auto port = job.port(1, GENERATE(PortSettings{}, no_reading));
  const Offer offer = wait_for_offer(*port);
  std::string text(size, '\0');
  REQUIRE(port->pull(Rank{0}, offer, room_of(text)) == Pulled::done);
  CHECK(text == pattern(0, 1, size));
}

TEST_CASE("only the front of a long message may be wanted") {
  Job job{2};
  auto from = job.port(0);
  auto to = job.port(1);
  const std::string text = pattern(0, 1, 100'000);
  bool const copied = GENERATE(false, true);
  const Remote remote = from->expose(TransferId{1}, bytes_of_text(text));
  if (copied) REQUIRE(from->copy_exposed(remote));
  CHECK_FALSE(from->claimed(remote));
  std::string front(1'000, '\0');
  REQUIRE(to->pull(Rank{0}, {TransferId{1}, remote}, room_of(front)) == Pulled::done);
  CHECK(front == text.substr(0, 1'000));
  CHECK(from->claimed(remote));
  std::string again(1'000, '\0');
  CHECK(to->pull(Rank{0}, {TransferId{1}, remote}, room_of(again)) == Pulled::gone);
}

TEST_CASE("room for more than the message stays as it was") {
  Job job{2};
  auto from = job.port(0);
  auto to = job.port(1);
  const std::string text = pattern(0, 1, 20'000);
  bool const copied = GENERATE(false, true);
  const Remote remote = from->expose(TransferId{1}, bytes_of_text(text));
  if (copied) REQUIRE(from->copy_exposed(remote));
  std::string room(20'100, 'y');
  REQUIRE(to->pull(Rank{0}, {TransferId{1}, remote}, room_of(room)) == Pulled::done);
  CHECK(room == text + std::string(100, 'y'));
}

TEST_CASE("the pid of a sender that has ended is not read by: it may be another's") {
  Job job{2};
  auto from = job.port(0);
  auto to = job.port(1);
  const std::string text = pattern(0, 1, 100'000);
  const Remote remote = from->expose(TransferId{1}, bytes_of_text(text));
  job.exec().ended(Rank{0});  // its pid is this process's, which lives
  std::string room(100'000, 'y');
  CHECK(to->pull(Rank{0}, {TransferId{1}, remote}, room_of(room)) == Pulled::gone);
  CHECK(room == std::string(100'000, 'y'));
}

TEST_CASE("bytes that died with their sender are gone") {
  Job job{2};
  job.start(0, [](shm::ShmPort& port) {
    const std::string text = pattern(0, 1, 100'000);
    send_offer(port, 0, 1, port.expose(TransferId{1}, bytes_of_text(text)), text.size());
    ::raise(SIGKILL);
  });
  CHECK(job.wait_for(0) == 128 + SIGKILL);
  auto port = job.port(1, GENERATE(PortSettings{}, no_reading));
  const Offer offer = wait_for_offer(*port);
  std::string text(100'000, '\0');
  CHECK(port->pull(Rank{0}, offer, room_of(text)) == Pulled::gone);
}

TEST_CASE("a receiver that may not read asks, and reads the copy that is made for it") {
  Job job{2};
  auto from = job.port(0);
  auto to = job.port(1, no_reading);
  const std::string text = pattern(0, 1, 50'000);
  const Remote remote = from->expose(TransferId{1}, bytes_of_text(text));
  std::string room(text.size(), '\0');
  CHECK(to->pull(Rank{0}, {TransferId{1}, remote}, room_of(room)) == Pulled::cannot);
  CHECK_FALSE(from->claimed(remote));
  CHECK(from->copy_exposed(remote));
  CHECK(to->pull(Rank{0}, {TransferId{1}, remote}, room_of(room)) == Pulled::done);
  CHECK(room == text);
}

TEST_CASE("reading that turns out to be forbidden is not tried again") {
  Job job{2};
  auto from = job.port(0);
  const std::string text = pattern(0, 1, 50'000);
  const Remote first = from->expose(TransferId{1}, bytes_of_text(text));
  const Remote second = from->expose(TransferId{2}, bytes_of_text(text));
  job.start(1, [&](shm::ShmPort& port) {
    forbid_reading();
    std::string room(text.size(), '\0');
    EARL_REQUIRE(port.pull(Rank{0}, {TransferId{1}, first}, room_of(room)) == Pulled::cannot);
    EARL_REQUIRE(port.pull(Rank{0}, {TransferId{2}, second}, room_of(room)) == Pulled::cannot);
    // This process's messages are copied at once: its peers will hardly do better.
    EARL_REQUIRE(port.copy_exposed(port.expose(TransferId{3}, bytes_of_text(text))));
  });
  CHECK(job.wait_for(1) == 0);
  CHECK_FALSE(from->claimed(first));
  CHECK(from->copy_exposed(first));
  CHECK(from->copy_exposed(second));
}

TEST_CASE("where no process may read another, long messages go through the job's memory at once") {
  Job job{2};
  auto from = job.port(0, no_reading);
  auto to = job.port(1, GENERATE(PortSettings{}, no_reading));
  std::string text = pattern(0, 1, 50'000);
  const Remote remote = from->expose(TransferId{1}, bytes_of_text(text));
  CHECK(from->copy_exposed(remote));
  text.assign(text.size(), 'x');
  std::string room(text.size(), '\0');
  CHECK(to->pull(Rank{0}, {TransferId{1}, remote}, room_of(room)) == Pulled::done);
  CHECK(room == pattern(0, 1, 50'000));
  CHECK(from->claimed(remote));
}

TEST_CASE("sender and receiver that reach for a message at once agree on its owner") {
  Job job{2};
  constexpr int rounds = 3'000;
  constexpr std::size_t size = 20'000;
  job.start(0, [](shm::ShmPort& port) {
    int copied = 0;
    for (int i = 0; i < rounds; ++i) {
      std::string text = pattern(0, i, size);
      const Remote remote = port.expose(TransferId{1}, bytes_of_text(text));
      send_offer(port, 0, 1, remote, size);
      Log log;
      for (int polls = 0; polls < i % 200; ++polls) port.poll(log);
      if (port.copy_exposed(remote)) {
        text.assign(size, 'x');  // a process that reads this now reads too late
        ++copied;
      }
      run_until(port, log, [&] { return !log.packets.empty(); });
      port.unexpose(remote);
    }
    EARL_REQUIRE(copied > 0);
  });
  job.start(1, [](shm::ShmPort& port) {
    for (int i = 0; i < rounds; ++i) {
      const Offer offer = wait_for_offer(port);
      std::string text(size, '\0');
      EARL_REQUIRE(port.pull(Rank{0}, offer, room_of(text)) == Pulled::done);
      EARL_REQUIRE(text == pattern(0, i, size));
      say_done(port, 1, 0);
    }
  });
  CHECK(job.wait_for(1) == 0);
  CHECK(job.wait_for(0) == 0);
}

TEST_CASE("an old offer does not reach the later content of its slot") {
  Job job{2};
  auto from = job.port(0);
  auto to = job.port(1);
  const std::string text = pattern(0, 1, 10'000);
  const Remote old = from->expose(TransferId{1}, bytes_of_text(text));
  from->unexpose(old);
  const Remote now = from->expose(TransferId{2}, bytes_of_text(text));
  REQUIRE(now.where == old.where);
  std::string room(text.size(), '\0');
  CHECK(to->pull(Rank{0}, {TransferId{1}, old}, room_of(room)) == Pulled::gone);
  CHECK_FALSE(from->claimed(now));
}

TEST_CASE("copies that have been read give their memory back") {
  Job job{2};
  auto from = job.port(0);
  auto to = job.port(1);
  std::string text(5 << 20, 'a');
  std::string room(text.size(), '\0');
  auto one = [&] {
    const Remote remote = from->expose(TransferId{1}, bytes_of_text(text));
    REQUIRE(from->copy_exposed(remote));
    REQUIRE(to->pull(Rank{0}, {TransferId{1}, remote}, room_of(room)) == Pulled::done);
    from->unexpose(remote);
  };
  one();
  auto segment = job.segment();
  const shm::Offset used = segment.head().next_extent;
  for (int i = 0; i < 10; ++i) one();
  CHECK(segment.head().next_extent == used);
}

TEST_CASE("a sender that waits writes a part of a long message itself") {
  Job job{2};
  bool const allowed = GENERATE(true, false);
  constexpr std::size_t size = (1 << 20) + 5;
  constexpr int rounds = 50;
  job.start(0, [allowed](shm::ShmPort& port) {
    if (!allowed) forbid(SYS_process_vm_writev);
    for (int i = 0; i < rounds; ++i) {
      const std::string text = pattern(0, i, size);
      const Remote remote = port.expose(TransferId{1}, bytes_of_text(text));
      send_offer(port, 0, 1, remote, size);
      Log log;
      run_until(port, log, [&] { return !log.packets.empty(); });
      port.unexpose(remote);
    }
  });
  job.start(1, [](shm::ShmPort& port) {
    for (int i = 0; i < rounds; ++i) {
      const Offer offer = wait_for_offer(port);
      // Only the front of some messages is wanted, and some get more room than they need.
      const std::size_t wanted = size - static_cast<std::size_t>(i % 3) * 100'000;
      std::string text(size + 100, 'y');
      EARL_REQUIRE(port.pull(Rank{0}, offer, room_of(text).first(i % 2 ? wanted : size + 100)) ==
                   Pulled::done);
      const std::size_t got = i % 2 ? wanted : size;
      EARL_REQUIRE(text == pattern(0, i, size).substr(0, got) + std::string(size + 100 - got, 'y'));
      say_done(port, 1, 0);
    }
  });
  CHECK(job.wait_for(1) == 0);
  CHECK(job.wait_for(0) == 0);
}

namespace {

/// A long message, its receiver about to read it, and a sender whose part is up to the test.
struct SharedMessage {
  Job job{2};
  std::unique_ptr<shm::ShmPort> from = job.port(0);
  shm::Segment memory = job.segment();
  std::string text = pattern(0, 1, 1 << 20);
  Remote remote = from->expose(TransferId{1}, bytes_of_text(text));
  shm::Slot& slot = memory.at<shm::Slot>(remote.where);

  /// Claims a chunk as the sender does. False: the receiver has claimed all.
  bool claim_one() {
    constexpr std::uint32_t chunks = 16;  // of 64 KiB
    auto claims = slot.claims.load();
    for (; claims == shm::no_cooperation || static_cast<std::uint32_t>(claims) >= chunks;
         claims = slot.claims.load())
      if (from->claimed(remote) && shm::phase_of(slot.state) == shm::Phase::finished) return false;
    return slot.claims.compare_exchange_strong(claims, claims + (std::uint64_t{1} << 32));
  }
};

}  // namespace

TEST_CASE("a receiver waits for the chunk that its sender has begun and may not write") {
  bool const dies = GENERATE(false, true);
  // The sender may be too late for a message: another one.
  for (bool claimed = false; !claimed;) {
    SharedMessage shared;
    shared.job.start(1, [&](shm::ShmPort& port) {
      std::string room(shared.text.size(), '\0');
      auto const pulled = port.pull(Rank{0}, {TransferId{1}, shared.remote}, room_of(room));
      if (pulled == Pulled::gone) ::_exit(7);
      EARL_REQUIRE(pulled == Pulled::done && room == shared.text);
    });
    claimed = shared.claim_one();
    if (claimed && dies) {
      shared.job.exec().ended(Rank{0});
    } else if (claimed) {
      shared.slot.unwritten = 1;  // and it could not write it
      shared.slot.written = 1;
    }
    CHECK(shared.job.wait_for(1) == (claimed && dies ? 7 : 0));
  }
}

TEST_CASE("a sender writes nowhere but where its receiver has asked it to") {
  SharedMessage shared;
  std::string room(shared.text.size(), 'y');
  shared.slot.target = {.address = reinterpret_cast<std::uint64_t>(room.data()),
                        .length = room.size(),
                        .pid = static_cast<std::uint64_t>(::getpid()),
                        .rank = 1};
  shared.slot.target_seal =
      shm::seal_of(shared.memory.key(), shared.remote.more, shared.slot.target);
  int const spoil = GENERATE(0, 1, 2, 3, 4, 5);
  if (spoil == 1) shared.slot.target.address += 1;
  if (spoil == 2) shared.slot.target.length -= 1;
  if (spoil == 3) shared.slot.target.pid = 1;
  if (spoil == 4) shared.slot.target.rank = 0;
  if (spoil == 5) shared.slot.target_seal = 0;
  shared.slot.claims = 1;  // the receiver has the first chunk
  auto const in_a_minute = Clock::now() + std::chrono::minutes{1};
  if (spoil != 0) {
    CHECK_THROWS_WITH(shared.from->wait(in_a_minute),
                      Catch::Contains("description of a receive buffer"));
    CHECK(room == std::string(room.size(), 'y'));
    return;
  }
  shared.from->wait(in_a_minute);
  CHECK(shared.slot.written == 1);
  CHECK(shared.slot.unwritten == 0);
  auto const untouched = room.find_last_of('y') + 1;
  CHECK(untouched < room.size());
  CHECK(room.substr(untouched) == shared.text.substr(untouched));
}
