// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/job/standard_input.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>

#include "generic/system/pipe.hpp"

namespace earl::exec {

namespace {

constexpr std::size_t most_input = 64U << 10;

/// Reading it says nothing, ever.
bool is_null(struct stat const& facts) {
  constexpr unsigned of_memory = 1;
  constexpr unsigned null = 3;
  return S_ISCHR(facts.st_mode) && major(facts.st_rdev) == of_memory &&
         minor(facts.st_rdev) == null;
}

/// The rest of a file, which its reader finds untouched.
void read_ahead(std::vector<InputListener*> const& listeners) {
  std::vector<std::byte> room(most_input);
  for (auto at = ::lseek(STDIN_FILENO, 0, SEEK_CUR);;) {
    auto const got = ::pread(STDIN_FILENO, room.data(), room.size(), at);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return;
    for (auto* listener : listeners)
      listener->input(Bytes{room}.first(static_cast<std::size_t>(got)));
    at += got;
  }
}

/// Whether there is something to be read.
bool input_waits() {
  struct stat facts {};
  if (::fstat(STDIN_FILENO, &facts) != 0) return false;
  if (S_ISREG(facts.st_mode)) return facts.st_size > ::lseek(STDIN_FILENO, 0, SEEK_CUR);
  int waiting = 0;
  return S_ISFIFO(facts.st_mode) && ::ioctl(STDIN_FILENO, FIONREAD, &waiting) == 0 && waiting > 0;
}

}  // namespace

void StandardInput::choose() {
  auto const& plan = parts_.plan;
  if (!plan.reader) return;
  for (auto* const source : parts_.interceptors.all_implementing<InputSource>()) {
    if (plan.own_input) {
      parts_.output.report(
          "the programs read other standard input than was recorded (--own-input): the replay may "
          "diverge");
    } else {
      input_ = source->input();
      if (input_ && input_waits())
        parts_.output.report(
            "the programs read the recorded standard input, not what is given here; --own-input "
            "gives them this");
    }
  }
  auto listeners = parts_.interceptors.all_implementing<InputListener>();
  if (!listeners.empty() && !input_) listen(std::move(listeners));
}

void StandardInput::listen(std::vector<InputListener*> listeners) {
  struct stat facts {};
  if (::fstat(STDIN_FILENO, &facts) != 0 || is_null(facts)) return;
  if (S_ISREG(facts.st_mode)) return read_ahead(listeners);
  auto pipe = make_pipe("for standard input");
  input_ = std::move(pipe.read);
  terminal_ = false;  // EXEC itself reads there
  tap_ = std::make_unique<InputTap>(parts_.loop, std::move(pipe.write),
                                    [listeners = std::move(listeners)](Bytes piece) {
                                      for (auto* listener : listeners) listener->input(piece);
                                    });
}

}  // namespace earl::exec
