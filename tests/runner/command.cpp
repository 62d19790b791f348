// SPDX-License-Identifier: BSD-3-Clause
#include "tests/runner/command.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <system_error>

namespace earl::test {

namespace {

using Clock = std::chrono::steady_clock;

volatile std::sig_atomic_t asked_to_end = 0;

void check(int error, char const* what) {
  if (error != 0) throw std::system_error(error, std::generic_category(), what);
}

/// TESTS_SLOWER, by which all limits of the tests are multiplied.
double slower() {
  char const* const factor = std::getenv("TESTS_SLOWER");
  return factor == nullptr ? 1 : std::stod(factor);
}

/// SIGTERM and SIGINT, which are let through only while waiting.
sigset_t ending_signals() {
  sigset_t set{};
  ::sigemptyset(&set);
  ::sigaddset(&set, SIGTERM);
  ::sigaddset(&set, SIGINT);
  return set;
}

/// Returns the mask from before.
sigset_t hold_ending_signals() {
  struct sigaction action {};
  action.sa_handler = [](int number) { asked_to_end = number; };
  ::sigaction(SIGTERM, &action, nullptr);
  ::sigaction(SIGINT, &action, nullptr);
  const sigset_t held = ending_signals();
  sigset_t before{};
  ::sigprocmask(SIG_BLOCK, &held, &before);
  return before;
}

struct Output {
  int read_end = -1;
  int write_end = -1;
  std::string text;

  Output() {
    std::array<int, 2> ends{};
    check(::pipe2(ends.data(), O_CLOEXEC) == 0 ? 0 : errno, "pipe");
    read_end = ends[0];
    write_end = ends[1];
  }
  ~Output() {
    close_end(read_end);
    close_end(write_end);
  }
  Output(Output const&) = delete;
  Output& operator=(Output const&) = delete;

  static void close_end(int& end) {
    if (end >= 0) ::close(end);
    end = -1;
  }

  void read_some() {
    std::array<char, 65536> buffer{};
    const ssize_t got = ::read(read_end, buffer.data(), buffer.size());
    if (got > 0) text.append(buffer.data(), static_cast<std::size_t>(got));
    if (got == 0) close_end(read_end);
  }
};

pid_t start(std::vector<std::string> const& command, std::filesystem::path const& folder,
            Output const& out, Output const& err, sigset_t const& mask) {
  posix_spawn_file_actions_t actions{};
  check(::posix_spawn_file_actions_init(&actions), "posix_spawn_file_actions_init");
  ::posix_spawn_file_actions_adddup2(&actions, out.write_end, STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, err.write_end, STDERR_FILENO);
  ::posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  posix_spawnattr_t attributes{};
  check(::posix_spawnattr_init(&attributes), "posix_spawnattr_init");
  ::posix_spawnattr_setsigmask(&attributes, &mask);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  std::vector<char*> arguments;
  for (std::string const& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  int const error =
      ::posix_spawnp(&child, arguments[0], &actions, &attributes, arguments.data(), environ);
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  check(error, command[0].c_str());
  return child;
}

/// Until both are closed. False: the time is over, or a signal asked for the end.
bool collect(Output& out, Output& err, Clock::time_point end, sigset_t const& mask) {
  while (out.read_end >= 0 || err.read_end >= 0) {
    auto const left =
        std::chrono::duration_cast<std::chrono::nanoseconds>(end - Clock::now()).count();
    if (left <= 0 || asked_to_end != 0) return false;
    const timespec limit{.tv_sec = left / 1'000'000'000, .tv_nsec = left % 1'000'000'000};
    std::array<pollfd, 2> watched{{{out.read_end, POLLIN, 0}, {err.read_end, POLLIN, 0}}};
    if (::ppoll(watched.data(), watched.size(), &limit, &mask) <= 0) continue;
    if (watched[0].revents != 0) out.read_some();
    if (watched[1].revents != 0) err.read_some();
  }
  return true;
}

int wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  std::string name = std::filesystem::temp_directory_path() / "earl-test-XXXXXX";
  if (::mkdtemp(name.data()) == nullptr) check(errno, name.c_str());
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

Ended run(std::vector<std::string> const& command, std::filesystem::path const& folder,
          double seconds) {
  seconds *= slower();
  static const sigset_t mask = hold_ending_signals();  // of the caller, before the first run
  Output out;
  Output err;
  auto const limit =
      std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  auto const end = Clock::now() + limit;
  const pid_t child = start(command, folder, out, err, mask);
  Output::close_end(out.write_end);
  Output::close_end(err.write_end);
  bool const complete = collect(out, err, end, mask);
  if (!complete) ::kill(child, SIGKILL);
  int const status = wait_for(child);
  if (complete) return {.status = status, .out = std::move(out.text), .err = std::move(err.text)};
  throw std::runtime_error("no end after " + std::to_string(seconds) + " s; it said:\n" + out.text +
                           "\n" + err.text);
}

std::string absolute(std::string const& word) {
  bool const is_file = word.find('/') != std::string::npos && std::filesystem::exists(word);
  return is_file ? std::filesystem::absolute(word).lexically_normal().string() : word;
}

std::vector<std::string> lines_of(std::string const& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

}  // namespace earl::test
