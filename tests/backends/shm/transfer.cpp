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

/// From now on this process may not read another's memory, as in many containers.
void forbid_reading() {
  sock_filter rules[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program{std::size(rules), rules};
  EARL_REQUIRE(::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
  EARL_REQUIRE(::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
}

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
