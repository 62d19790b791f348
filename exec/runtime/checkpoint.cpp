// SPDX-License-Identifier: BSD-3-Clause
#include "exec/runtime/checkpoint.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>

#include "generic/base/error.hpp"
#include "generic/system/process_stat.hpp"
#include "generic/system/read_file.hpp"
#include "generic/system/unix_socket.hpp"

namespace earl::boot {

namespace {

bool has(Checkpoint::Descriptors const& all, std::size_t fd) { return fd < all.size() && all[fd]; }

/// Memory that forks would share, but for the records of debuggers.
std::size_t count_shared_mappings() {
  auto const all = read_file("/proc/self/maps").value_or("");
  std::size_t count = 0;
  for (std::size_t at = 0; at < all.size();) {
    auto const end = std::min(all.find('\n', at), all.size());
    std::string_view const line{all.data() + at, end - at};
    auto const permissions = line.find(' ') + 1;
    if (line.substr(permissions, 4).ends_with('s') && !line.ends_with(".ert")) ++count;
    at = end + 1;
  }
  return count;
}

/// /proc/self/task has a link for each thread, and two of its own.
bool has_threads() {
  struct stat facts {};
  return ::stat("/proc/self/task", &facts) != 0 || facts.st_nlink != 3;
}

bool has_timers() {
  for (auto const which : {ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF}) {
    itimerval timer{};
    if (::getitimer(which, &timer) != 0 || timerisset(&timer.it_value)) return true;
  }
  return !read_file("/proc/self/timers").value_or("").empty();
}

bool has_children() {
  siginfo_t facts{};
  return ::waitid(P_ALL, 0, &facts, WEXITED | WNOHANG | WNOWAIT) == 0;
}

}  // namespace

Checkpoint::Checkpoint(Descriptor line, std::chrono::milliseconds limit)
    : line_(std::move(line)), own_(open_descriptors()), shared_mappings_(count_shared_mappings()) {
  sigevent kill{};
  kill.sigev_notify = SIGEV_SIGNAL;
  kill.sigev_signo = SIGKILL;
  auto const seconds = std::chrono::floor<std::chrono::seconds>(limit);
  const itimerspec when{.it_interval = {},
                        .it_value = {.tv_sec = seconds.count(),
                                     .tv_nsec = std::chrono::nanoseconds{limit - seconds}.count()}};
  if (::timer_create(CLOCK_MONOTONIC, &kill, &limit_) != 0 ||
      ::timer_settime(limit_, 0, &when, nullptr) != 0)
    throw Error("no timer for a checkpoint: {}", system_message(errno));
}

Checkpoint::Descriptors Checkpoint::open_descriptors() {
  Descriptors open(
      static_cast<std::size_t>(std::max(end_of_descriptors(::getpid()).value_or(0), 0)));
  for (std::size_t fd = 0; fd < open.size(); ++fd)
    open[fd] = ::fcntl(static_cast<int>(fd), F_GETFD) >= 0;
  return open;
}

void Checkpoint::add_own(Descriptors const& before) {
  auto const open = open_descriptors();
  own_.resize(std::max(own_.size(), open.size()));
  for (std::size_t fd = 0; fd < open.size(); ++fd)
    if (open[fd] && !has(before, fd)) own_[fd] = true;
}

std::string Checkpoint::arrive() {
  ::timer_delete(limit_);
  if (has_threads()) return "the program has threads";
  if (has_children()) return "the program has child processes";
  if (has_timers()) return "the program has timers";
  if (count_shared_mappings() != shared_mappings_) return "the program shares memory";
  auto const open = open_descriptors();
  for (std::size_t fd = 0; fd < open.size(); ++fd)
    if (open[fd] && !has(own_, fd)) return "the program has open files";
  return {};
}

BranchServer::Order Checkpoint::serve() {
  for (auto const& packet : control::packets_of(control::Type::checkpointed, 0, 0, Bytes{}))
    static_cast<void>(send_packet(line_.get(), packet.bytes(), {}, 0));
  return BranchServer(std::move(line_)).serve();
}

}  // namespace earl::boot
