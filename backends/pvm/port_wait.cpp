// SPDX-License-Identifier: BSD-3-Clause
/// The waiting half of a process on PVM.
#include <poll.h>
#include <sched.h>

#include <algorithm>

#include "backends/pvm/port.hpp"
#include "generic/system/poll_until.hpp"

namespace earl::pvm_backend {

/// Whether something of the dead may be in a direct route's socket.
bool PvmPort::more_to_read() const {
  auto files = readable_files();
  return ::poll(files.data(), files.size(), 0) > 0;
}

std::vector<pollfd> PvmPort::readable_files() const {
  int* list = nullptr;
  int const count = check(native_.descriptors(&list), "list its descriptors");
  std::vector<pollfd> files;
  for (int i = 0; i < count; ++i) files.push_back({.fd = list[i], .events = POLLIN, .revents = 0});
  return files;
}

void PvmPort::wait(Deadline deadline) {
  if (woken_.exchange(false) || left_ || (!drained_ && may_have_more()) || notices_.pending())
    return;
  if (deadline == Deadline{}) {
    ::sched_yield();
    return;
  }
  auto files = readable_files();  // the same until the library is called again
  if (!waiter_.yield(deadline, [&] { return ready(files); }))
    waiter_.sleep(deadline, [&] {
      sleep(files, deadline);
      return Deadline{};
    });
  woken_.store(false);
}

bool PvmPort::ready(std::span<pollfd> files) {
  if (woken_.load() || notices_.pending()) return true;
  if (!may_have_more()) return false;
  if (::poll(files.data(), files.size(), 0) <= 0) return false;
  input_ = Input::something;
  return true;
}

void PvmPort::sleep(std::vector<pollfd>& files, Deadline deadline) {
  files.push_back({.fd = bell_.get(), .events = POLLIN, .revents = 0});
  poll_until(files, deadline);
  if (files.back().revents != 0) bell_.listen();
  files.pop_back();
  if (std::ranges::any_of(files, [](auto const& file) { return file.revents != 0; }))
    input_ = Input::something;
}

void PvmPort::wake() {
  woken_.store(true);
  bell_.ring();
}

/// Otherwise the daemon drops unread messages when the process ends.
void PvmPort::leave() {
  if (left_) return;
  left_ = true;
  my_row().enrolled.store(0);
  native_.leave();  // a daemon that is gone has nothing to take over: EXEC says so
}

}  // namespace earl::pvm_backend
