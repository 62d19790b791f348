// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/commands/trial_run.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>

#include "debug/trace/meta.hpp"
#include "generic/base/error.hpp"
#include "generic/system/child.hpp"

namespace earl::exec {

namespace {

/// In the child.
int guarded(std::function<int()> const& job) {
  try {
    return job();
  } catch (std::exception const& error) {
    fmt::print(stderr, "earl: {}\n", error.what());
    return 1;
  }
}

}  // namespace

Descriptor memory_file(char const* name) {
  Descriptor file(::memfd_create(name, MFD_CLOEXEC));
  if (!file) throw Error("no memory for the output of a run: {}", system_message(errno));
  return file;
}

bool has_diverged(TrialRun const& replay, std::string const& recording) {
  if (replay.exit_code != diverged) return false;
  auto const recorded = trace::read_end(recording);
  return !recorded || recorded->exit_code != diverged;
}

int await_exit(pid_t child) {
  auto const status = std::max(await_child(child), 0);  // no child: SIGCHLD is ignored here
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string text_of(Descriptor const& file) {
  std::string all(static_cast<std::size_t>(std::max<off_t>(::lseek(file.get(), 0, SEEK_END), 0)),
                  '\0');
  auto const n = ::pread(file.get(), all.data(), all.size(), 0);
  all.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  return all;
}

std::string own_sentences(Descriptor const& file) {
  auto const all = text_of(file);
  std::string own;
  for (std::size_t at = 0; at < all.size();) {
    auto const end = std::min(all.find('\n', at), all.size());
    auto const line = all.substr(at, end - at);
    if (line.starts_with("earl: ")) own += (own.empty() ? "" : "; ") + line.substr(6);
    at = end + 1;
  }
  return own;
}

int run_foreground(std::function<int()> const& job) {
  std::fflush(nullptr);
  auto const child = ::fork();
  if (child < 0) throw Error("cannot start a run: {}", system_message(errno));
  if (child != 0) return await_exit(child);
  auto const code = guarded(job);
  std::fflush(nullptr);
  ::_exit(code);
}

TrialRun run_in_child(std::function<int()> const& job, bool reads_input) {
  TrialRun run{.output = memory_file("earl-output")};
  auto const complaints = memory_file("earl-complaints");
  std::fflush(nullptr);
  auto const own = ::getpid();
  auto const child = ::fork();
  if (child < 0) throw Error("cannot start a run: {}", system_message(errno));
  if (child == 0) {
    end_with_parent(own);
    if (!reads_input) {
      Descriptor const nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
      ::dup2(nothing.get(), STDIN_FILENO);
    }
    ::dup2(run.output.get(), STDOUT_FILENO);
    ::dup2(complaints.get(), STDERR_FILENO);
    auto const code = guarded(job);
    std::fflush(nullptr);
    ::_exit(code);
  }
  run.exit_code = await_exit(child);
  run.said = own_sentences(complaints);
  return run;
}

}  // namespace earl::exec
