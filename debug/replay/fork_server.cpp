// SPDX-License-Identifier: BSD-3-Clause
#include "debug/replay/fork_server.hpp"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

#include "debug/breakpoints/stop_here.hpp"
#include "generic/base/bytes.hpp"
#include "generic/base/error.hpp"
#include "generic/system/process_stat.hpp"
#include "generic/system/unix_socket.hpp"

namespace earl::replay {

namespace {

constexpr std::size_t most_stops = 32;

/// Positions in the files that the process has open: forks share them.
std::vector<std::pair<int, off_t>> file_offsets() {
  std::vector<std::pair<int, off_t>> offsets;
  auto const end = end_of_descriptors(::getpid());
  if (!end) throw Error("/proc/self/status: {}", system_message(errno));
  for (int fd = 0; fd < *end; ++fd) {
    struct stat facts {};
    if (::fstat(fd, &facts) != 0 || !S_ISREG(facts.st_mode)) continue;
    if (auto const offset = ::lseek(fd, 0, SEEK_CUR); offset >= 0) offsets.emplace_back(fd, offset);
  }
  return offsets;
}

std::pair<Descriptor, Descriptor> line() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw Error("a line to a kept process: {}", system_message(errno));
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

}  // namespace

std::uint64_t ForkServer::stop(std::uint64_t event) {
  auto const offsets = file_offsets();
  auto [own, theirs] = line();
  bool const goes_on = !stops_.empty();
  if (goes_on) stops_.pop_front();
  report(ForkNotice::What::kept, ::getpid(), event, theirs.get());
  theirs.close();
  if (!goes_on || !fork_one()) keep(std::move(own), offsets);
  if (!stops_.empty()) return stops_.front();
  wait_until_traced(event);
  return 0;
}

/// True in the child. The handlers of pthread_atfork(3) do not run: they would take this process
/// for one that the program has forked.
bool ForkServer::fork_one() {
  auto const parent = ::getpid();
  auto const child = ::_Fork();
  if (child < 0) report(ForkNotice::What::ended, -1, 0);
  if (child > 0) child_ = Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, child, 0)));
  if (child != 0) return false;
  child_.close();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  return true;
}

/// Returns in the processes that go on. Ends when the other end of the line is closed.
void ForkServer::keep(Descriptor line, Offsets const& offsets) {
  ::prctl(PR_SET_PDEATHSIG, 0);
  for (;;) {
    std::array<pollfd, 2> events{pollfd{.fd = line.get(), .events = POLLIN, .revents = 0},
                                 pollfd{.fd = child_.get(), .events = POLLIN, .revents = 0}};
    if (::poll(events.data(), events.size(), -1) < 0 && errno != EINTR) ::_exit(1);
    report_ended();
    if (events[0].revents == 0) continue;
    std::array<std::uint64_t, most_stops> stops{};
    auto const request =
        receive_packet(line.get(), std::as_writable_bytes(std::span{stops}), MSG_DONTWAIT);
    if (request.what == ReceiveStatus::end) ::_exit(0);
    if (request.what == ReceiveStatus::nothing) continue;
    stops_.assign(stops.begin(),
                  stops.begin() + static_cast<std::ptrdiff_t>(request.size / sizeof stops[0]));
    std::erase(stops_, 0);  // gdb looks here
    for (auto const& [fd, offset] : offsets) ::lseek(fd, offset, SEEK_SET);
    if (fork_one()) return;
  }
}

void ForkServer::report_ended() {
  int status = 0;
  for (pid_t child = 0; (child = ::waitpid(-1, &status, WNOHANG)) > 0;) {
    report(ForkNotice::What::ended, child, 0);
    if (pollfd one{.fd = child_.get(), .events = POLLIN, .revents = 0}; ::poll(&one, 1, 0) > 0)
      child_.close();
  }
}

void ForkServer::wait_until_traced(std::uint64_t event) {
  ::prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
  report(ForkNotice::What::arrived, ::getpid(), event);
  breakpoints::wait_until_traced();
}

void ForkServer::report(ForkNotice::What what, pid_t process, std::uint64_t event, int line) {
  const ForkNotice notice{.what = what, .process = process, .event = event};
  const std::array lines{line};
  auto const failed = send_packet(channel_.get(), bytes_of(notice),
                                  std::span<int const>(lines).first(line < 0 ? 0 : 1), 0);
  if (failed != 0) ::_exit(1);  // there is no gdb any more
}

}  // namespace earl::replay
