// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/job/job_back_end.hpp"

#include <sys/epoll.h>

namespace earl::exec {

void JobBackEnd::watch(std::function<void(Error const&)> failed) {
  int const fd = half_->wait_fd();
  if (fd < 0) return;
  loop_.watch(fd, EPOLLIN, [this, fd, failed = std::move(failed)](std::uint32_t) {
    try {
      half_->handle_event();
    } catch (Error const& error) {
      loop_.remove(fd);
      failed(error);
    }
  });
}

void JobBackEnd::close() {
  if (half_->wait_fd() >= 0) loop_.remove(half_->wait_fd());
  half_ = std::make_unique<SpanningJob>();
}

}  // namespace earl::exec
