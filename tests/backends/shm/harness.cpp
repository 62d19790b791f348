// SPDX-License-Identifier: BSD-3-Clause
#include "tests/backends/shm/harness.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cerrno>
#include <cstdio>

#include "generic/base/error.hpp"

namespace earl::shm::test {

Job::Job(std::uint32_t initial, std::uint32_t capacity)
    : prepared_(shm_back_end.prepare({.initial = initial, .capacity = capacity})),
      pids_(capacity, 0) {}

Job::~Job() {
  for (const pid_t child : pids_) {
    if (child <= 0) continue;
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
  }
}

Segment Job::segment() {
  int const copy = ::fcntl(prepared_->descriptors(Rank{0})[0], F_DUPFD_CLOEXEC, 0);
  if (copy < 0) throw Error("no descriptor: {}", system_message(errno));
  return Segment{copy};
}

std::unique_ptr<ShmPort> Job::port(int rank, PortSettings const& settings) {
  return std::make_unique<ShmPort>(segment(), Rank{rank}, settings);
}

void Job::start(int rank, std::function<void(ShmPort&)> const& body, PortSettings const& settings) {
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) throw Error("no process: {}", system_message(errno));
  if (child != 0) {
    pids_.at(static_cast<std::size_t>(rank)) = child;
    return;
  }
  int code = 0;
  try {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(1);
    ::signal(SIGALRM, SIG_DFL);
    ::alarm(seconds_allowed);
    body(*port(rank, settings));
  } catch (std::exception const& error) {
    std::fprintf(stderr, "process %d: %s\n", rank, error.what());
    code = 1;
  }
  ::_exit(code);
}

void Job::kill(int rank) { ::kill(pid(rank), SIGKILL); }

Ended Job::wait_for(int rank) {
  pid_t& child = pids_.at(static_cast<std::size_t>(rank));
  siginfo_t info{};
  while (::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT) != 0)
    if (errno != EINTR) throw Error("waiting for process {}: {}", rank, system_message(errno));
  prepared_->ended(Rank{rank});
  int status = 0;
  ::waitpid(child, &status, 0);
  child = 0;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void require(bool truth, char const* what) {
  if (!truth) throw Error("{} is not so", what);
}

Header message(int source, int tag, std::size_t length) {
  return header_of(Kind::eager, {.source = Rank{source}, .tag = Tag{tag}, .length = length});
}

void put(Port& port, int to, Header const& header, std::string const& payload) {
  while (!port.put(Rank{to}, header, bytes_of_text(payload))) port.wait(never);
}

std::string pattern(int source, int number, std::size_t length) {
  std::string text(length, '\0');
  auto state = static_cast<unsigned>(source * 7919 + number * 104'729 + 1);
  for (auto& byte : text) byte = static_cast<char>((state = state * 1'103'515'245 + 12'345) >> 16);
  return text;
}

std::uint64_t bytes_used(Segment const& segment) {
  struct stat facts {};
  REQUIRE(::fstat(segment.descriptor(), &facts) == 0);
  return static_cast<std::uint64_t>(facts.st_blocks) * 512;
}

}  // namespace earl::shm::test
