// SPDX-License-Identifier: BSD-3-Clause
/// A descriptor that becomes readable when it is rung, until it is read.
#pragma once

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <vector>

#include "generic/base/error.hpp"
#include "generic/base/values.hpp"
#include "generic/system/descriptor.hpp"

namespace earl {

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

/// EXEC's: one for each process, by Rank or by the first that had its place.
class Bells {
 public:
  explicit Bells(std::size_t capacity) : all_(capacity) {}

  /// Its own, which is made when it is first asked for. Throws Error as Bell does.
  Bell const& of(Rank rank) {
    auto& bell = all_.at(index(rank));
    if (!bell) bell = std::make_unique<Bell>();
    return *bell;
  }
  /// For a process without one: nothing.
  void ring(Rank rank) const {
    if (auto const& bell = all_[index(rank)]) bell->ring();
  }
  void ring_all() const {
    for (auto const& bell : all_)
      if (bell) bell->ring();
  }
  void drop(Rank rank) { all_[index(rank)].reset(); }

 private:
  std::vector<std::unique_ptr<Bell>> all_;  ///< null: not started, or ended
};

}  // namespace earl
