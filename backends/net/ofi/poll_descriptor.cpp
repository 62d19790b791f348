// SPDX-License-Identifier: BSD-3-Clause
#include "backends/net/ofi/poll_descriptor.hpp"

#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "generic/base/error.hpp"

namespace earl::net::ofi {

PollDescriptor::PollDescriptor(int bell, int library)
    : epoll_(::epoll_create1(EPOLL_CLOEXEC)),
      timer_(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK)) {
  if (!epoll_ || !timer_)
    throw Error(Fault::full, "cannot create an epoll descriptor or timer: {}",
                system_message(errno));
  for (int const fd : {bell, library, timer_.get()}) {
    epoll_event event{};
    event.events = EPOLLIN;
    if (fd >= 0 && ::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event) != 0)
      throw Error("cannot poll the libfabric wait object: {}", system_message(errno));
  }
}

void PollDescriptor::look_again(std::chrono::nanoseconds in) const {
  itimerspec when{};
  when.it_value.tv_nsec = std::clamp<std::int64_t>(in.count(), 1, 999'999'999);
  ::timerfd_settime(timer_.get(), 0, &when, nullptr);
}

void PollDescriptor::seen() const {
  std::uint64_t times = 0;
  [[maybe_unused]] auto const got = ::read(timer_.get(), &times, sizeof times);
}

}  // namespace earl::net::ofi
