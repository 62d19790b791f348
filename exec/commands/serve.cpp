/// EXEC for those who have not started it as `earl run`: a bare host program, a keeper's visitors.
/// Nobody types these commands.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "exec/commands/commands.hpp"
#include "exec/commands/options.hpp"
#include "exec/job/job.hpp"
#include "generic/number.hpp"

namespace earl::exec {

namespace {

int number_in(std::string const& word) {
  auto const value = number_from<int>(word);
  if (!value || *value < 0)
    throw UsageError("this command is not for people: {} is no number", word);
  return *value;
}

Descriptor inherited(std::string const& word) {
  int const fd = number_in(word);
  if (fd <= STDERR_FILENO || !is_channel(fd))
    throw UsageError("this command is not for people: descriptor {} is no socket of EXEC's", fd);
  ::fcntl(fd, F_SETFD, FD_CLOEXEC);
  return Descriptor(fd);
}

void expect_words(std::vector<std::string> const& words, std::size_t count) {
  if (words.size() != count) throw UsageError("this command is not for people");
}

/// A keeper holds nobody's terminal, pipe or folder.
void leave_terminal() {
  ::setsid();
  Descriptor const nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
  for (int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nothing.get(), fd);
  if (::chdir("/") != 0) return;
}

}  // namespace

int serve_command(std::vector<std::string> const& words) {
  expect_words(words, 2);
  auto channel = inherited(words[0]);
  auto const layout = find_layout();
  Plan const plan;
  Job job(plan, {}, layout);
  job.admit(std::move(channel), number_in(words[1]));
  return job.run();
}

int keep_command(std::vector<std::string> const& words) {
  expect_words(words, 3);
  auto listener = inherited(words[0]);
  leave_terminal();
  auto const layout = find_layout();
  Plan const plan;
  Job job(plan, {}, layout);
  job.keep(std::move(listener), words[1], static_cast<std::uint32_t>(number_in(words[2])));
  return job.run();
}

}  // namespace earl::exec
