// SPDX-License-Identifier: BSD-3-Clause
#include "exec/runtime/stack.hpp"

#include <execinfo.h>
#include <sys/stat.h>
#include <sys/time.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <span>
#include <string_view>
#include <utility>

#include "debug/symbols/modules.hpp"

namespace earl::boot {

namespace {

/// Earl's own frames lie below the program's.
constexpr std::size_t most_looked_at = 4 * Report::most_frames;

bool timer_runs() {
  itimerval left{};
  return ::getitimer(ITIMER_REAL, &left) == 0 &&
         (left.it_value.tv_sec != 0 || left.it_value.tv_usec != 0);
}

/// The number of threads by the directory's link count: each thread is a directory whose link to
/// the one above counts; so do the directory's own two. Listing it would take memory from the
/// program's heap.
std::ptrdiff_t threads() {
  struct stat tasks {};
  return ::stat("/proc/self/task", &tasks) == 0 ? static_cast<std::ptrdiff_t>(tasks.st_nlink) - 2
                                                : 1;
}

/// Where a shared library lies; empty: it is a program.
std::string_view library_folder(Frame const& frame) {
  std::string_view const path = frame.module;
  auto const slash = path.rfind('/');
  bool const library = slash != path.npos && path.find(".so", slash) != path.npos;
  return library ? path.substr(0, slash) : std::string_view{};
}

}  // namespace

Frame frame_at(void const* address) {
  auto const module = symbols::module_at(address);
  auto const at = reinterpret_cast<std::uintptr_t>(address);
  return {.module = module.path, .offset = module.path.empty() ? 0 : at - module.base};
}

std::vector<Frame> program_stack(void const* site,
                                 std::function<Frame(void const*)> const& locate) {
  std::vector<Frame> stack;
  if (site == nullptr) return stack;
  std::array<void*, most_looked_at> addresses{};
  auto const count = ::backtrace(addresses.data(), static_cast<int>(addresses.size()));
  auto const found = std::span{addresses}.first(static_cast<std::size_t>(std::max(count, 0)));
  auto first = std::ranges::find(found, site);
  if (first == found.end()) return {locate(site)};
  // A front end's library for another language calls the front end, and is no part of the program.
  Frame const front_end = first == found.begin() ? Frame{} : locate(*std::prev(first));
  auto const own = library_folder(front_end);
  for (; first != found.end() && stack.size() < Report::most_frames; ++first) {
    Frame frame = locate(*first);
    bool const between = stack.empty() && !own.empty() && library_folder(frame) == own;
    if (!between) stack.push_back(std::move(frame));
  }
  return stack.empty() ? std::vector{locate(site)} : stack;
}

/// Null: none that would wake a process.
Wakers::Handler Wakers::handler_of(int signal) {
  struct sigaction action {};
  auto const known = ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler != SIG_DFL &&
                     action.sa_handler != SIG_IGN;
  return known ? action.sa_handler : nullptr;
}

void Wakers::pass_over_present() {
  std::ranges::transform(signals, handlers_.begin(), handler_of);
  threads_ = threads();
}

bool Wakers::any() const {
  for (std::size_t i = 0; i < signals.size(); ++i)
    if (auto const handler = handler_of(signals[i]); handler && handler != handlers_[i])
      return true;
  return timer_runs() || threads() > threads_;
}

}  // namespace earl::boot
