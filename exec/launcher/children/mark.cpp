// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/children/mark.hpp"

#include <fmt/format.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <thread>

#include "generic/system/descriptor.hpp"

namespace earl::exec {

namespace {

namespace fs = std::filesystem;

constexpr int most_rounds = 500;
constexpr auto between_rounds = std::chrono::milliseconds{2};

std::optional<pid_t> pid_in(std::string const& name) {
  pid_t pid = 0;
  auto const [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
  if (error != std::errc{} || end != name.data() + name.size()) return std::nullopt;
  return pid;
}

/// False as well of one that has ended, or belongs to another user.
bool has_mark(std::string const& pid, std::string_view mark) {
  std::ifstream file("/proc/" + pid + "/environ", std::ios::binary);
  const std::string environment{std::istreambuf_iterator<char>(file), {}};
  return environment.find(mark) != std::string::npos;
}

// By number: Debian 12's <sys/pidfd.h> is not for C++.
int open_process(pid_t pid) { return static_cast<int>(::syscall(SYS_pidfd_open, pid, 0U)); }
bool kill_process(int process) {
  return ::syscall(SYS_pidfd_send_signal, process, SIGKILL, nullptr, 0U) == 0;
}

/// False as well of one that belongs to another user.
bool has_limit(pid_t pid, rlim_t wanted) {
  rlimit found{};
  return ::prlimit(pid, marking_limit, nullptr, &found) == 0 && found.rlim_cur == wanted;
}

/// The descriptor is taken before the look: it still means the process that was looked at when the
/// pid may mean another.
bool end_if_marked(std::string const& name, pid_t pid, std::string_view mark) {
  const Descriptor process(open_process(pid));
  return process && (has_mark(name, mark) || has_limit(pid, limit_of(mark))) &&
         kill_process(process.get());
}

bool end_all_once(std::string_view mark) {
  bool found = false;
  std::error_code ignored;
  for (auto const& entry : fs::directory_iterator("/proc", ignored)) {
    auto const name = entry.path().filename().string();
    auto const pid = pid_in(name);
    if (pid && *pid != ::getpid()) found = end_if_marked(name, *pid, mark) || found;
  }
  return found;
}

}  // namespace

std::string new_mark() {
  std::uint64_t words[2] = {static_cast<std::uint64_t>(::getpid()), 0};
  if (::getrandom(words, sizeof words, GRND_NONBLOCK) < 0)
    words[1] =
        static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
  return fmt::format("{:016x}{:016x}", words[0], words[1]);
}

rlim_t limit_of(std::string_view mark) {
  constexpr std::uint64_t least = std::uint64_t{1} << 61;
  std::uint64_t word = 0;
  auto const digits = mark.substr(mark.size() > 15 ? mark.size() - 15 : 0);
  std::from_chars(digits.data(), digits.data() + digits.size(), word, 16);
  return least | word;
}

std::string assignment_of(std::string_view mark) {
  char const* const before = std::getenv(mark_variable.data());
  auto const outer = before && *before ? std::string{before} + ',' : std::string{};
  return fmt::format("{}={}{}", mark_variable, outer, mark);
}

void end_marked(std::string_view mark) {
  for (int round = 0; round < most_rounds && end_all_once(mark); ++round)
    std::this_thread::sleep_for(between_rounds);
}

}  // namespace earl::exec
