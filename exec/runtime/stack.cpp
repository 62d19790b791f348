// SPDX-License-Identifier: BSD-3-Clause
#include "exec/runtime/stack.hpp"

#include <execinfo.h>
#include <sys/stat.h>
#include <sys/time.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <span>

#include "debug/registry.hpp"

namespace earl::boot {

namespace {

/// Earl's own frames lie below the program's.
constexpr std::size_t most_looked_at = 4 * Report::most_frames;

bool timer_runs() {
  itimerval left{};
  return ::getitimer(ITIMER_REAL, &left) == 0 &&
         (left.it_value.tv_sec != 0 || left.it_value.tv_usec != 0);
}

/// Each is a folder, whose link to the one above counts; so do the folder's own two. Listing it
/// would take memory from the program's heap.
std::ptrdiff_t threads() {
  struct stat tasks {};
  return ::stat("/proc/self/task", &tasks) == 0 ? static_cast<std::ptrdiff_t>(tasks.st_nlink) - 2
                                                : 1;
}

}  // namespace

Frame frame_at(void const* address) {
  auto const module = trace::module_at(address);
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
  for (; first != found.end() && stack.size() < Report::most_frames; ++first)
    stack.push_back(locate(*first));
  return stack;
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
