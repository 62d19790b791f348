// SPDX-License-Identifier: BSD-3-Clause
#include "exec/runtime/checkpoint.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <functional>
#include <string>
#include <thread>

#include "generic/system/unix_socket.hpp"

using namespace earl;
using boot::Checkpoint;
using std::chrono_literals::operator""ms;

namespace {

std::pair<Descriptor, Descriptor> line() {
  std::array<int, 2> ends{};
  REQUIRE(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) == 0);
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

/// The wait status of a child that does this.
int status_of(std::function<void()> const& act) {
  auto const child = ::fork();
  if (child == 0) {
    act();
    ::_exit(0);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return status;
}

/// The objection of a process that has done this since its begin.
std::string objection_after(std::function<void()> const& act) {
  std::array<int, 2> ends{};
  REQUIRE(::pipe(ends.data()) == 0);
  const Descriptor from(ends[0]);
  Descriptor to(ends[1]);
  auto const status = status_of([&] {
    Checkpoint checkpoint({}, 60'000ms);
    act();
    auto const why = checkpoint.arrive();
    ::_exit(::write(to.get(), why.data(), why.size()) == static_cast<ssize_t>(why.size()) ? 0 : 1);
  });
  CHECK(status == 0);
  to.close();
  std::array<char, 100> text{};
  auto const n = ::read(from.get(), text.data(), text.size());
  REQUIRE(n >= 0);
  return {text.data(), static_cast<std::size_t>(n)};
}

}  // namespace

TEST_CASE("a process is forked in its middle only where forks share nothing") {
  CHECK(objection_after([] {}).empty());
  CHECK(objection_after([] { ::open("/dev/null", O_RDONLY); }) == "the program has open files");
  CHECK(objection_after([] { ::close(::open("/dev/null", O_RDONLY)); }).empty());
  CHECK(objection_after([] {
          ::mmap(nullptr, 4096, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        }) == "the program shares memory");
  CHECK(objection_after([] {
          const itimerval soon{.it_interval = {}, .it_value = {.tv_sec = 60, .tv_usec = 0}};
          ::setitimer(ITIMER_REAL, &soon, nullptr);
        }) == "the program has timers");
  CHECK(objection_after([] {
          auto const parent = ::getpid();
          if (::fork() == 0) {
            while (::getppid() == parent) ::usleep(1000);
            ::_exit(0);
          }
        }) == "the program has child processes");
  CHECK(objection_after([] { std::thread([] { ::pause(); }).detach(); }) ==
        "the program has threads");
}

TEST_CASE("files of debuggers are no reason against a checkpoint") {
  auto const status = status_of([] {
    Checkpoint checkpoint({}, 60'000ms);
    auto const before = Checkpoint::open_descriptors();
    ::open("/dev/null", O_RDONLY);
    checkpoint.add_own(before);
    ::_exit(checkpoint.arrive().empty() ? 0 : 1);
  });
  CHECK(status == 0);
}

TEST_CASE("a process that does not come to its checkpoint in time is killed") {
  auto const status = status_of([] {
    const Checkpoint checkpoint({}, 10ms);
    for (;;) ::pause();
  });
  REQUIRE(WIFSIGNALED(status));
  CHECK(WTERMSIG(status) == SIGKILL);
}

TEST_CASE("a checkpoint takes orders once it has said so") {
  auto ends = line();
  auto& own = ends.first;
  auto& theirs = ends.second;
  auto const child = ::fork();
  if (child == 0) {
    own.close();
    Checkpoint checkpoint(std::move(theirs), 60'000ms);
    if (!checkpoint.arrive().empty()) ::_exit(1);
    auto const order = checkpoint.serve();
    ::_exit(static_cast<int>(order.request.tools.size()) + 40);
  }
  theirs.close();
  std::vector<std::byte> room(control::most_packet);
  auto const next = [&] {
    auto const arrival = receive_packet(own.get(), room, 0);
    REQUIRE(arrival.what == ReceiveStatus::packet);
    auto message = control::Assembler{}.take(Bytes{room}.first(arrival.size));
    REQUIRE(message);
    return std::move(*message);
  };
  CHECK(next().type == control::Type::checkpointed);
  const Descriptor output(::memfd_create("output", MFD_CLOEXEC));
  const std::array along{output.get()};
  auto const body = control::body_of(control::BranchRequest{
      .tools = {{.name = "one", .argument = {}}, {.name = "two", .argument = {}}},
      .milliseconds = 60'000});
  for (auto const& packet : control::packets_of(control::Type::branch, 9, 0, body.bytes()))
    REQUIRE(send_packet(own.get(), packet.bytes(), along, 0) == 0);
  auto const ended = next();
  CHECK(ended.type == control::Type::branched);
  CHECK(ended.ticket == 9);
  auto const status = control::read<control::RankValue>(ended.body.bytes()).value;
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 42);
  own.close();
  int status_of_server = -1;
  REQUIRE(::waitpid(child, &status_of_server, 0) == child);
  CHECK(status_of_server == 0);
}
