// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/output/sink.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <cerrno>

namespace earl::exec {

Sink::Sink(Loop& loop, int fd, Listener listener)
    : loop_(loop), listener_(std::move(listener)), fd_(fd) {
  struct stat facts {};
  if (::fstat(fd, &facts) != 0) return;
  socket_ = S_ISSOCK(facts.st_mode);
  if (!S_ISFIFO(facts.st_mode) && !S_ISCHR(facts.st_mode)) return;
  // O_NONBLOCK belongs to the open file, which the user's shell shares: open it once more.
  auto const name = fmt::format("/proc/self/fd/{}", fd);
  own_ = Descriptor(::open(name.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
  if (own_) fd_ = own_.get();
}

Sink::~Sink() {
  if (watched_) loop_.remove(fd_);
}

long Sink::put(std::string_view text) const {
  if (socket_) return ::send(fd_, text.data(), text.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  return ::write(fd_, text.data(), text.size());
}

void Sink::write(void const* writer, std::string_view text) {
  if (broken_ || text.empty()) return;
  if (open_line_ && open_line_ != writer) waiting_ += '\n';
  waiting_ += text;
  open_line_ = text.back() == '\n' ? nullptr : writer;
  if (!watched_) flush();
}

void Sink::flush() {
  bool const was_full = full();
  std::size_t done = 0;
  while (done < waiting_.size()) {
    auto const n = put(std::string_view{waiting_}.substr(done));
    if (n >= 0) {
      done += static_cast<std::size_t>(n);
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      break;
    } else if (errno != EINTR) {
      fail(errno);
      return;
    }
  }
  waiting_.erase(0, done);
  if (waiting_.empty() == watched_) {
    watched_ = !watched_;
    if (watched_)
      loop_.watch(fd_, EPOLLOUT, [this](std::uint32_t) { flush(); });
    else
      loop_.remove(fd_);
  }
  if (was_full && !full()) listener_.room();
}

void Sink::fail(int number) {
  broken_ = true;
  waiting_.clear();
  if (watched_) loop_.remove(fd_);
  watched_ = false;
  listener_.broken(number);
  listener_.room();
}

}  // namespace earl::exec
