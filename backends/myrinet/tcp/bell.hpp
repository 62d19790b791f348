/// A descriptor that becomes readable when it is rung, until somebody listens.
#pragma once

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>

#include "generic/descriptor.hpp"
#include "generic/error.hpp"

namespace earl::tcp {

class Bell {
 public:
  /// Throws Error when the system gives no descriptor.
  Bell() : fd_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (!fd_) throw Error(Fault::full, "no bell for one more process: {}", system_message(errno));
  }
  explicit Bell(Descriptor fd) : fd_(std::move(fd)) {}

  int get() const { return fd_.get(); }
  /// Async-signal-safe.
  void ring() const {
    int const before = errno;
    std::uint64_t const one = 1;
    [[maybe_unused]] auto const written = ::write(fd_.get(), &one, sizeof one);
    errno = before;
  }
  void listen() const {
    std::uint64_t rung = 0;
    [[maybe_unused]] auto const got = ::read(fd_.get(), &rung, sizeof rung);
  }

 private:
  Descriptor fd_;
};

}  // namespace earl::tcp
