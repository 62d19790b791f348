// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/job/process_group.hpp"

#include <sys/prctl.h>
#include <sys/wait.h>

#include <csignal>
#include <vector>

#include "exec/launcher/children/cleanup_watchdog.hpp"
#include "exec/launcher/children/launch.hpp"
#include "exec/launcher/children/mark.hpp"

namespace earl::exec {

namespace {

constexpr auto group_grace = std::chrono::seconds{1};
constexpr auto signal_interval = std::chrono::milliseconds{2};

}  // namespace

// A shell that became EXEC (exec earl run) may have children of its own, which must not be harmed.
ProcessGroup::ProcessGroup(std::string const& mark)
    : adopts_(own_children().empty() && ::prctl(PR_SET_CHILD_SUBREAPER, 1) == 0),
      watchdog_(start_cleanup_watchdog(mark)),
      id_(watchdog_) {}

void ProcessGroup::signal(int number) const {
  if (id_ > 0) ::kill(-id_, number);
}

/// The watchdog of an agent, or of an EXEC among the stragglers, has that one's folder to remove
/// first.
void ProcessGroup::remove_stragglers(Loop& loop) const {
  auto const watchdogs_end = Clock::now() + group_grace;
  auto const deadline = watchdogs_end + group_grace;
  signal(SIGKILL);
  for (;;) {
    while (::waitpid(-1, nullptr, WNOHANG) > 0) {
    }
    auto left = adopts_ ? own_children() : std::vector<pid_t>{};
    std::erase_if(left, [this](pid_t pid) { return is_spared(pid); });
    if (left.empty() || Clock::now() > deadline) return;
    for (auto const pid : left)
      if (pid == watchdog_ || Clock::now() > watchdogs_end || !is_cleanup_watchdog(pid))
        ::kill(pid, SIGKILL);
    loop.after(signal_interval, [] {});
    loop.turn();
  }
}

}  // namespace earl::exec
