#include "backends/library/keeper.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "generic/descriptor.hpp"
#include "generic/error.hpp"
#include "generic/parts.hpp"

namespace earl::library_machine {

namespace {

/// Nothing of EXEC's: its standard output must end when EXEC does.
void forget_files(int errors) {
  Descriptor const null(::open("/dev/null", O_RDWR | O_CLOEXEC));
  ::dup2(null.get(), STDIN_FILENO);
  ::dup2(null.get(), STDOUT_FILENO);
  ::dup2(errors, STDERR_FILENO);
  ::syscall(SYS_close_range, static_cast<unsigned>(STDERR_FILENO + 1), ~0U, 0U);
}

void hide_variables(std::string const& prefix) {
  std::vector<std::string> hidden;
  for (char** variable = environ; !prefix.empty() && *variable; ++variable)
    if (const std::string_view text = *variable; text.starts_with(prefix))
      hidden.emplace_back(text.substr(0, text.find('=')));
  for (auto const& name : hidden) ::unsetenv(name.c_str());
}

[[noreturn]] void become_launcher(Keeping const& what, pid_t keeper) {
  prepare_for_command(keeper);
  hide_variables(what.hidden);
  for (auto const& setting : what.settings) {
    auto const name = setting.substr(0, setting.find('='));
    ::setenv(name.c_str(), setting.c_str() + name.size() + 1, 1);
  }
  ::setenv("TMPDIR", what.folder.c_str(), 1);
  std::vector<char*> words;
  for (auto const& word : what.command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  ::execv(words.front(), words.data());
  ::dprintf(STDERR_FILENO, "%s: %s\n", words.front(), std::strerror(errno));
  ::_exit(127);
}

/// What the launcher has left running may still write there, until it ends, too.
void remove_folder(std::string const& folder) {
  constexpr int tries = 200;
  std::error_code failed;
  for (int n = 0; n < tries; ++n) {
    std::filesystem::remove_all(folder, failed);
    if (!std::filesystem::exists(folder, failed)) return;
    ::usleep(10'000);
  }
}

[[noreturn]] void keep(Keeping const& what) {
  ::prctl(PR_SET_NAME, "earl-launcher");
  ::setsid();
  // The launcher ends when its placeholders do, and these end with EXEC: no signal is needed.
  for (int const number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}) ::signal(number, SIG_IGN);
  ::signal(SIGCHLD, SIG_DFL);
  forget_files(what.errors);
  pid_t const self = ::getpid();
  pid_t const launcher = ::fork();
  if (launcher == 0) become_launcher(what, self);
  while (launcher > 0 && ::waitpid(launcher, nullptr, 0) < 0 && errno == EINTR) {
  }
  remove_folder(what.folder);
  ::_exit(0);
}

}  // namespace

pid_t start_keeper(Keeping const& what) {
  pid_t const keeper = ::fork();
  if (keeper == 0) keep(what);
  if (keeper < 0) throw Error("no process for the launcher: {}", system_message(errno));
  return keeper;
}

}  // namespace earl::library_machine
