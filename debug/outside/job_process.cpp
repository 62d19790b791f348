// SPDX-License-Identifier: BSD-3-Clause
#include "debug/outside/job_process.hpp"

#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <utility>

#include "debug/outside/job_half.hpp"
#include "debug/outside/job_wire.hpp"
#include "debug/outside/library.hpp"
#include "debug/outside/sentences.hpp"
#include "generic/system/child.hpp"
#include "generic/system/poll_until.hpp"
#include "generic/system/signal_name.hpp"

namespace earl::outside {

namespace {

constexpr std::array<std::string_view, EARL_JOB_OVER + 1> job_kind_names{"",
                                                                         "EARL_JOB_REQUEST",
                                                                         "EARL_JOB_SERVED",
                                                                         "EARL_JOB_DEATH",
                                                                         "EARL_JOB_DIED",
                                                                         "EARL_JOB_OUTPUT",
                                                                         "EARL_JOB_PRINTED",
                                                                         "EARL_JOB_RANK",
                                                                         "EARL_JOB_NOTE",
                                                                         "EARL_JOB_FAILURE",
                                                                         "EARL_JOB_FAILED",
                                                                         "EARL_JOB_STANDSTILL",
                                                                         "EARL_JOB_OVER"};

/// 0: the descriptor is readable.
int await_readable(int fd) {
  auto const deadline = Clock::now() + std::chrono::seconds{most_seconds};
  pollfd file{.fd = fd, .events = POLLIN, .revents = 0};
  for (;;) {
    auto const ready = poll_until({&file, 1}, deadline);
    if (ready > 0) return 0;
    if (ready == 0) return ETIMEDOUT;
    if (errno != EINTR) return errno;
  }
}

}  // namespace

std::string_view name_of(earl_job_event_kind kind) { return job_kind_names.at(kind); }

JobProcess::JobProcess(Use const& use, JobInfo const& job) : path_(use.path) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw Error("no line to the process of the tool {}: {}", path_, system_message(errno));
  line_ = Descriptor(ends[0]);
  Descriptor theirs(ends[1]);
  std::fflush(nullptr);
  auto const own = ::getpid();
  pid_ = ::fork();
  if (pid_ < 0) throw Error("no process for the tool {}: {}", path_, system_message(errno));
  if (pid_ == 0) run_job_half(use, job, std::move(theirs), own);
  handle_ = Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)));
  theirs.close();
  try {
    receive("create");
  } catch (Error const&) {
    if (line_) await_end();
    throw;
  }
}

JobProcess::~JobProcess() {
  try {
    finish();
  } catch (Error const&) {
    // The job is over, or has ended for another reason.
  }
}

JobReply JobProcess::ask(earl_job_event const& event, std::string_view text) {
  auto const function =
      fmt::format("event at {}", name_of(static_cast<earl_job_event_kind>(event.kind)));
  JobQuestion question;
  auto const size = std::min(text.size(), most_job_text);
  question.head = {
      .call = JobCall::event, .text_size = static_cast<std::uint32_t>(size), .event = event};
  std::copy_n(text.data(), size, question.text.data());
  if (::send(line_.get(), &question, question.size(), MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
    give_up(function, errno);
  return receive(function);
}

JobReply JobProcess::receive(std::string_view function) {
  if (auto const error = await_readable(line_.get())) give_up(function, error);
  JobAnswer answer;
  auto const n = ::recv(line_.get(), &answer, sizeof answer, MSG_DONTWAIT);
  if (n <= 0 || !answer.is_whole(static_cast<std::size_t>(n))) give_up(function, 0);
  const std::string text{answer.text.data(), answer.head.text_size};
  if (answer.head.result == JobResult::threw) throw Error("{}", exception_text(path_, function));
  if (answer.head.result == JobResult::refused) throw Error("{}", refusal_text(path_, text));
  if (answer.head.result == JobResult::not_loaded) throw Error("--tool {}", text);
  if (function == "create") flags_ = answer.head.flags;
  return {.verdict = answer.head.verdict, .exit_code = answer.head.exit_code, .sentence = text};
}

/// It has not answered, or something that is no answer.
void JobProcess::give_up(std::string_view function, int error) {
  bool const late = error == ETIMEDOUT || error == EAGAIN;
  if (late) ::syscall(SYS_pidfd_send_signal, handle_.get(), SIGKILL, nullptr, 0);
  auto const status = await_end();
  if (late)
    throw Error("the tool {} has not returned from {} in EXEC within {} seconds", path_, function,
                most_seconds);
  check_end(function, status);
  throw Error("the tool {} has ended its process in EXEC in {}", path_, function);
}

void JobProcess::check_end(std::string_view function, int wait_status) const {
  if (wait_status < 0) return;
  if (WIFSIGNALED(wait_status))
    throw Error("the tool {} crashed in {} in EXEC: {}", path_, function,
                signal_name(WTERMSIG(wait_status)));
  if (WEXITSTATUS(wait_status) != 0)
    throw Error("the tool {} ended its process in EXEC in {} with exit code {}", path_, function,
                WEXITSTATUS(wait_status));
}

/// It knows by the end of the line that it has to end.
int JobProcess::await_end() {
  line_.close();
  if (await_readable(handle_.get()) != 0)
    ::syscall(SYS_pidfd_send_signal, handle_.get(), SIGKILL, nullptr, 0);
  return await_child(pid_);
}

void JobProcess::finish() {
  if (!line_) return;
  JobQuestion question;
  question.head.call = JobCall::destroy;
  ::send(line_.get(), &question, question.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (auto const error = await_readable(handle_.get())) give_up("destroy", error);
  check_end("destroy", await_end());
}

}  // namespace earl::outside
