// SPDX-License-Identifier: BSD-3-Clause
/// Processes that EXEC has not started: how they join a job, and how they leave it.
#include "exec/launcher/job/guests.hpp"

#include <catch2/catch.hpp>

#include "tests/exec/launcher/job/service_parts.hpp"

using namespace earl;
using namespace earl::exec;

namespace {

struct GuestsFixture final : ServiceParts {
  /// The member that the sleeping process has become.
  Child& admit() {
    guests.admit(std::move(line.exec), process.pid());
    REQUIRE(!children.empty());
    return children.all().rbegin()->second;
  }
  Descriptor listener() {
    Descriptor socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
    sockaddr address{.sa_family = AF_UNIX, .sa_data = {}};
    REQUIRE(::bind(socket.get(), &address, sizeof(sa_family_t)) == 0);
    REQUIRE(::listen(socket.get(), 1) == 0);
    return socket;
  }

  SleepingProcess process;
  ChannelPair line;
};

}  // namespace

TEST_CASE("a guest is a member with a rank, and is welcomed") {
  GuestsFixture job;
  job.plan.back_end = "shm";
  auto& guest = job.admit();
  CHECK(guest.origin == Origin::guest);
  CHECK(guest.alive());
  CHECK(job.roster.count() == 1);
  auto const message = job.line.received();
  REQUIRE(message);
  auto const welcome = control::read<control::Welcome>(message->body.bytes());
  CHECK(welcome.rank == guest.rank);
  CHECK(welcome.back_end == "shm");
}

TEST_CASE("a process that has ended already is none") {
  GuestsFixture job;
  pid_t const gone = ::fork();
  if (gone == 0) ::_exit(0);
  ::waitpid(gone, nullptr, 0);
  job.guests.admit(std::move(job.line.exec), gone);
  CHECK(job.children.empty());
}

TEST_CASE("a job without a session server accepts no guests") {
  GuestsFixture job;
  CHECK_FALSE(job.guests.accept());
  CHECK(job.guests.serving() == Serving::job);
  job.guests.hold_session(job.listener());
  CHECK(job.guests.accept());
  CHECK(job.guests.serving() == Serving::session);
}

TEST_CASE("a host that leaves waits for the end of its job, with its line open") {
  GuestsFixture job;
  auto& guest = job.admit();
  job.guests.detach(guest);
  CHECK_FALSE(guest.alive());
  job.channels.close(guest);
  while (job.line.received()) {
  }
  CHECK(errno == EAGAIN);  // not closed: a copy of EXEC's end is kept
}

TEST_CASE("a task that leaves a session goes on without it, at once") {
  GuestsFixture job;
  job.guests.hold_session(job.listener());
  auto& guest = job.admit();
  job.guests.detach(guest);
  job.channels.close(guest);
  CHECK(job.line.closed());
}

TEST_CASE("a bare host is ended by the signal, a cube's host only loses its line") {
  GuestsFixture job;
  SECTION("a bare host") {
    auto& guest = job.admit();
    job.guests.end(guest, SIGTERM);
    int status = 0;
    REQUIRE(::waitpid(job.process.pid(), &status, 0) == job.process.pid());
    CHECK(WTERMSIG(status) == SIGTERM);
  }
  SECTION("a cube's host") {
    job.guests.keep(job.listener());
    auto& guest = job.admit();
    job.guests.end(guest, SIGTERM);
    CHECK_FALSE(guest.alive());
    CHECK(::kill(job.process.pid(), 0) == 0);
  }
}

TEST_CASE("the end of a guest's process is noticed") {
  GuestsFixture job;
  auto& guest = job.admit();
  ::kill(job.process.pid(), SIGKILL);
  while (guest.alive()) job.loop.turn();
  CHECK_FALSE(guest.alive());
}
