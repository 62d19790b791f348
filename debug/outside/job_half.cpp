// SPDX-License-Identifier: BSD-3-Clause
#include "debug/outside/job_half.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

#include "debug/outside/job_wire.hpp"
#include "debug/outside/library.hpp"
#include "generic/system/child.hpp"

namespace earl::outside {

namespace {

/// Signals that the terminal or a user sends to EXEC are not for this process, which ends with it.
void leave_signals_to_exec() {
  for (int const number : {SIGINT, SIGQUIT, SIGHUP, SIGTERM, SIGTSTP}) ::signal(number, SIG_IGN);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

/// EXEC's own files, of which the others in the job wait for the end.
void close_files_of_exec(int line) {
  auto const close = [](int first, unsigned last) {
    if (static_cast<unsigned>(first) <= last)
      ::syscall(SYS_close_range, static_cast<unsigned>(first), last, 0U);
  };
  close(STDERR_FILENO + 1, static_cast<unsigned>(line) - 1);
  close(line + 1, ~0U);
  Descriptor const nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  ::dup2(nothing.get(), STDIN_FILENO);
}

class JobHalf {
 public:
  JobHalf(Use const& use, JobInfo const& job, Descriptor line)
      : use_(use), job_(job), line_(std::move(line)) {}

  void run() {
    if (!create()) return;
    while (receive()) {
      if (question_.head.call == JobCall::destroy) return destroy();
      answer_ = {};
      deliver();
      send();
    }
  }

 private:
  bool create() {
    try {
      table_ = load(use_.path).in_exec;
      if (!table_) throw Error("{} does not define {} now", use_.path, job_table_symbol);
    } catch (Error const& error) {
      return fail(JobResult::not_loaded, error.what());
    }
    for (auto const& word : job_.command) command_.push_back(word.c_str());
    command_.push_back(nullptr);
    given_ = {.size = sizeof given_,
              .ranks = job_.initial,
              .back_end = job_.back_end.c_str(),
              .command = command_.data()};
    char const* why = nullptr;
    try {
      object_ = table_->create(&given_, use_.argument.c_str(), &why);
    } catch (...) {
      return fail(JobResult::threw, "");
    }
    if (why) return fail(JobResult::refused, why);
    answer_.head.result = JobResult::returned;
    answer_.head.flags = table_->flags;
    send();
    return true;
  }

  bool fail(JobResult result, std::string_view sentence) {
    answer_.head.result = result;
    put(sentence);
    send();
    return false;
  }

  void deliver() {
    auto& event = question_.head.event;
    point_into_packet(event);
    earl_answer answer{};
    answer.size = sizeof answer;
    answer.exit_code = 1;
    try {
      answer_.head.verdict = table_->event(object_, &event, &answer);
    } catch (...) {
      answer_.head.result = JobResult::threw;
      return;
    }
    answer_.head.result = JobResult::returned;
    answer_.head.exit_code = answer.exit_code;
    if (answer_.head.verdict == EARL_STOP && answer.sentence) put(answer.sentence);
  }

  void point_into_packet(earl_job_event& event) const {
    auto const* const text = question_.text.data();
    if (event.kind == EARL_JOB_NOTE) event.of.note.bytes = text;
    if (event.kind == EARL_JOB_FAILED) event.of.failure.why = text;
    if (event.kind == EARL_JOB_STANDSTILL) event.of.standstill.sentence = text;
  }

  void destroy() {
    if (object_ && table_->destroy) table_->destroy(std::exchange(object_, nullptr));
  }

  void put(std::string_view sentence) {
    auto const size = std::min(sentence.size(), most_job_text);
    std::copy_n(sentence.data(), size, answer_.text.data());
    answer_.head.text_size = static_cast<std::uint32_t>(size);
  }

  bool receive() {
    question_ = {};
    for (;;) {
      auto const n = ::recv(line_.get(), &question_, sizeof question_, 0);
      if (n < 0 && errno == EINTR) continue;
      return n > 0 && question_.is_whole(static_cast<std::size_t>(n));
    }
  }

  void send() {
    while (::send(line_.get(), &answer_, answer_.size(), MSG_NOSIGNAL) < 0 && errno == EINTR) {
    }
  }

  Use const& use_;
  JobInfo const& job_;
  Descriptor line_;
  earl_job_table const* table_ = nullptr;
  void* object_ = nullptr;
  std::vector<char const*> command_{};
  earl_job_host given_{};
  JobQuestion question_{};
  JobAnswer answer_{};
};

}  // namespace

void run_job_half(Use const& use, JobInfo const& job, Descriptor line, pid_t parent) {
  end_with_parent(parent);
  ::prctl(PR_SET_NAME, "earl-tool");
  leave_signals_to_exec();
  close_files_of_exec(line.get());
  JobHalf(use, job, std::move(line)).run();
  // Exit handlers are EXEC's.
  std::fflush(nullptr);
  ::_exit(0);
}

}  // namespace earl::outside
