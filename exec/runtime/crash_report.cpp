// SPDX-License-Identifier: BSD-3-Clause
#include "exec/runtime/crash_report.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <climits>
#include <csignal>
#include <cstring>
#include <span>
#include <string_view>

#include "generic/system/instruction.hpp"

namespace earl::boot {

namespace {

constexpr std::array crash_signals{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
constexpr std::size_t stack_size = std::size_t{256} << 10;

/// The signal handler has no other way to know them.
struct Reporter {
  int line = -1;
  pid_t process = 0;  ///< a fork()ed child is none of the job's
};
Reporter reporter;

// The functions from here to crashed() make only calls that POSIX allows in a signal handler: the
// heap and the locks of the C library and the loader may be in any state.

class Text {
 public:
  Text& add(std::string_view text) {
    auto const size = std::min(text.size(), room_.size() - 1 - size_);
    std::memcpy(&room_[size_], text.data(), size);
    size_ += size;
    return *this;
  }
  Text& add(std::uintptr_t number) {
    std::array<char, 24> digits{};
    auto const written = std::to_chars(digits.data(), digits.data() + digits.size(), number);
    return add({digits.data(), static_cast<std::size_t>(written.ptr - digits.data())});
  }
  Text& clear() {
    room_ = {};
    size_ = 0;
    return *this;
  }
  char* c_str() { return room_.data(); }

 private:
  std::array<char, PATH_MAX> room_{};
  std::size_t size_ = 0;
};

/// The file that holds this code, as the loader was given it; null: unknown.
char const* own_file() {
  static char const here = 0;
#if defined(DLFO_STRUCT_HAS_EH_DBASE)
  // Unlike dladdr(), this takes no lock.
  dl_find_object found{};
  if (::_dl_find_object(const_cast<char*>(&here), &found) == 0 && found.dlfo_link_map)
    return found.dlfo_link_map->l_name;
#endif
  static_cast<void>(here);
  return nullptr;
}

/// Without links, which realpath() would need memory for.
std::string_view folder_of(char const* file, std::span<char> room) {
  auto const opened = ::open(file, O_PATH | O_CLOEXEC);
  static Text link;
  link.add("/proc/self/fd/").add(static_cast<std::uintptr_t>(opened));
  auto const size = opened < 0 ? -1 : ::readlink(link.c_str(), room.data(), room.size());
  std::string_view const path(room.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
  auto const slash = path.rfind('/');
  return slash == path.npos ? std::string_view{} : path.substr(0, slash);
}

/// Becomes the command that looks up the place of the crash: a fresh process, with a heap and locks
/// in order. It ends itself when that takes too long.
[[noreturn]] void become_reporter(int number, std::uintptr_t where, pid_t thread) {
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::fcntl(reporter.line, F_SETFD, 0);
  // The stack may be small, and this memory is the child's own.
  static Text line;
  static Text signal;
  static Text address;
  static Text crashed;
  line.add(static_cast<std::uintptr_t>(reporter.line));
  signal.add(static_cast<std::uintptr_t>(number));
  address.add(where);
  crashed.add(static_cast<std::uintptr_t>(thread));
  static std::array<char, PATH_MAX> room{};
  auto const* const file = own_file();
  auto const folder = file ? folder_of(file, room) : std::string_view{};
  for (std::string_view const place : {"/earl", "/../bin/earl", "/../../bin/earl"}) {
    static Text command;
    command.clear().add(folder).add(place);
    std::array<char*, 7> arguments{command.c_str(), const_cast<char*>("crash-report"),
                                   line.c_str(),    signal.c_str(),
                                   address.c_str(), crashed.c_str(),
                                   nullptr};
    std::array<char*, 1> environment{};
    ::execve(command.c_str(), arguments.data(), environment.data());
  }
  ::_exit(1);
}

/// The faulting instruction runs again on return, and this time the default action ends the
/// process. A raised signal is raised again: raise() would return to the program.
void crashed(int number, siginfo_t* facts, void* context) {
  bool const aborts = number == SIGABRT && facts->si_pid == ::getpid();
  if (facts->si_code <= 0 && !aborts) {  // sent, no fault
    ::raise(number);
    return;
  }
  if (::getpid() != reporter.process) return;
  ::prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);  // Yama would refuse the child
  auto const thread = ::gettid();
  auto const child = ::_Fork();
  if (child == 0) become_reporter(number, interrupted_instruction(context), thread);
  if (child > 0) ::waitpid(child, nullptr, 0);
  if (aborts) ::raise(number);
}

}  // namespace

void report_crashes(ControlLine const& line) {
  reporter = {.line = line.descriptor(), .process = ::getpid()};
  struct sigaction action {};
  action.sa_sigaction = crashed;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | static_cast<int>(SA_RESETHAND);
  ::sigfillset(&action.sa_mask);
  for (int const number : crash_signals) {
    struct sigaction now {};
    if (::sigaction(number, nullptr, &now) == 0 && now.sa_handler == SIG_DFL)
      ::sigaction(number, &action, nullptr);
  }
  stack_t before{};
  if (::sigaltstack(nullptr, &before) != 0 || (before.ss_flags & SS_DISABLE) == 0) return;
  void* const memory = ::mmap(nullptr, stack_size, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return;
  stack_t const stack{.ss_sp = memory, .ss_flags = 0, .ss_size = stack_size};
  ::sigaltstack(&stack, nullptr);
}

}  // namespace earl::boot
