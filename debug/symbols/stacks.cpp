// SPDX-License-Identifier: BSD-3-Clause
#include "debug/symbols/stacks.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <iterator>
#include <system_error>
#include <thread>

#include "debug/symbols/calls.hpp"
#include "debug/symbols/modules.hpp"
#include "debug/symbols/unwind.h"
#include "generic/base/error.hpp"
#include "generic/base/values.hpp"
#include "generic/system/optional_module.hpp"
#include "generic/system/read_file.hpp"

namespace earl::symbols {

namespace {

constexpr std::size_t most_frames = 64;
constexpr auto look_again = std::chrono::milliseconds{1};

OptionalModule<EarlUnwindTable> const& unwinder() {
  static auto const loaded = load_module<EarlUnwindTable>(
      "debug/symbols", "earl-unwind.so", "libunwind", "earl_unwind", earl_unwind_version);
  return loaded;
}

/// A process that this thread has stopped, for as long as this lives.
class Stopped {
 public:
  Stopped(pid_t process, Deadline until) : process_(process) {
    if (::ptrace(PTRACE_SEIZE, process, nullptr, nullptr) != 0 ||
        ::ptrace(PTRACE_INTERRUPT, process, nullptr, nullptr) != 0)
      return;
    do {
      siginfo_t info{};
      if (::waitid(P_PID, static_cast<id_t>(process), &info, WSTOPPED | WNOHANG | __WALL) != 0)
        return;
      if (info.si_pid == process) stopped(info.si_status);
      if (!stopped_) std::this_thread::sleep_for(look_again);
    } while (!stopped_ && Clock::now() < until);
  }
  /// The kernel releases a process that has not stopped yet when this thread ends.
  ~Stopped() {
    if (!stopped_) return;
    auto const signal = static_cast<std::uintptr_t>(signal_);
    ::ptrace(PTRACE_DETACH, process_, nullptr, reinterpret_cast<void*>(signal));
  }
  Stopped(Stopped const&) = delete;
  Stopped& operator=(Stopped const&) = delete;

  explicit operator bool() const { return stopped_; }

 private:
  void stopped(int status) {
    stopped_ = true;
    if (status >> 8 == 0) signal_ = status;  // the signal that it was about to receive
  }

  pid_t process_;
  bool stopped_ = false;
  int signal_ = 0;
};

struct Found {
  std::array<unsigned long, most_frames> addresses{};
  std::size_t count = 0;
  long interrupted = -1;

  std::span<unsigned long const> all() const { return std::span{addresses}.first(count); }
};

Found look_into(pid_t process, Deadline until) {
  Found found;
  Stopped const stopped(process, until);
  if (!stopped) return found;
  auto const left = std::chrono::nanoseconds{until.time_since_epoch()}.count();
  found.count = unwinder().table->of_process(process, found.addresses.data(), most_frames,
                                             &found.interrupted, left);
  return found;
}

/// Traces from a thread of its own: when the thread ends, the kernel releases the process.
Found look_into(pid_t process, std::chrono::milliseconds most) {
  Found found;
  if (unwinder().table == nullptr) return found;
  auto const until = Clock::now() + most;
  try {
    std::thread([&] { found = look_into(process, until); }).join();
  } catch (std::system_error const&) {  // no thread: no stack
  }
  return found;
}

std::vector<Frame> frames_of(pid_t process, std::span<unsigned long const> addresses) {
  auto const maps = read_file(fmt::format("/proc/{}/maps", process)).value_or("");
  std::vector<Frame> frames;
  for (auto const address : addresses) {
    auto const module = module_in(maps, address - 1);
    frames.push_back({.module = module.path, .offset = address - module.base});
  }
  return frames;
}

constexpr std::size_t most_callers = 8;

std::string_view folder_of(std::string_view path) { return path.substr(0, path.rfind('/')); }

/// The folders of Earl's own libraries, installed or in a build tree.
std::array<std::string, 2> own_folders() {
  Dl_info here{};
  if (::dladdr(reinterpret_cast<void const*>(&own_folders), &here) == 0 || !here.dli_fname)
    return {};
  auto const folder = std::string{folder_of(real_path(here.dli_fname))};
  return {folder + "/", std::string{folder_of(folder)} + "/frontends/"};
}

/// One, but where the compiler has merged calls.
std::vector<std::string> calls_of(Frame const& frame) {
  if (frame.module.empty() && frame.offset == 1) return {"a call through a null pointer"};
  if (frame.module.empty()) return {fmt::format("{:#x}, where no program is", frame.offset - 1)};
  std::vector<std::string> text;
  for (auto const& call : calls_at(frame.module, frame.offset)) text.push_back(to_text(call));
  return text;
}

}  // namespace

std::string stacks_unavailable() { return unwinder().failure; }

std::vector<Frame> stack_of(pid_t process, std::chrono::milliseconds most) {
  return frames_of(process, look_into(process, most).all());
}

std::vector<Frame> interrupted_stack_of(pid_t process, std::chrono::milliseconds most) {
  auto const found = look_into(process, most);
  if (found.interrupted < 0) return {};
  return frames_of(process, found.all().subspan(static_cast<std::size_t>(found.interrupted)));
}

bool is_of_program(Frame const& frame) {
  static auto const own = own_folders();
  std::string_view const path = frame.module;
  if (path.empty()) return false;
  if (path.find(".so", folder_of(path).size()) == path.npos) return true;
  auto const below = [&](std::string_view folder) {
    return !folder.empty() && path.starts_with(folder);
  };
  return !below("/lib") && !below("/usr/lib") && std::ranges::none_of(own, below);
}

Frame frame_in(pid_t process, std::uintptr_t address) {
  std::array const addresses{static_cast<unsigned long>(address)};
  return frames_of(process, addresses).front();
}

std::vector<std::uintptr_t> stack_at(void const* context, std::span<Loaded const> loaded) {
  if (unwinder().table == nullptr) return {};
  std::vector<EarlUnwindImage> images;
  for (auto const& one : loaded)
    images.push_back({.base = one.base, .size = one.size, .frames = one.frames});
  std::array<unsigned long, most_frames> addresses{};
  auto const count = unwinder().table->here(context, images.data(), images.size(), addresses.data(),
                                            addresses.size());
  return {addresses.begin(), addresses.begin() + static_cast<std::ptrdiff_t>(count)};
}

std::string calls_text(std::span<Frame const> stack) {
  if (stack.empty()) return "in no code that is known";
  auto calls = calls_of(stack.front());
  for (auto const& frame : stack.subspan(1)) {
    if (!is_of_program(frame)) continue;
    std::ranges::move(calls_of(frame), std::back_inserter(calls));
    if (calls.size() > most_callers + 1) break;
  }
  auto text = "in " + calls.front();
  for (std::size_t i = 1; i < calls.size() && !calls[i].starts_with("_start "); ++i) {
    if (i > most_callers) return text + ", and so on";
    text += ", called by " + calls[i];
  }
  return text;
}

}  // namespace earl::symbols
