// SPDX-License-Identifier: BSD-3-Clause
/// One descriptor for a caller that waits for other descriptors, too: readable when the bell rings,
/// when the library has an event, or when it is time to poll again.
#pragma once

#include <chrono>

#include "generic/system/descriptor.hpp"

namespace earl::net::ofi {

class PollDescriptor {
 public:
  /// `library`: -1 where there is nothing to wait on. Throws Error when the
  /// system has no descriptor more.
  PollDescriptor(int bell, int library);

  int get() const { return epoll_.get(); }
  void look_again(std::chrono::nanoseconds in) const;
  /// The due poll has been made.
  void seen() const;

 private:
  Descriptor epoll_;
  Descriptor timer_;
};

}  // namespace earl::net::ofi
