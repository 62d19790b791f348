// SPDX-License-Identifier: BSD-3-Clause
/// Rendezvous of the processes that a user's launcher started on this host: an abstract socket
/// named after the launcher's process.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <string_view>

#include "generic/system/descriptor.hpp"

namespace earl::hosted_backend {

class Meeting {
 public:
  /// `rank` is the variable in which the launcher numbers those that it starts. Throws Error.
  explicit Meeting(std::string_view rank);

  /// Readable when the launcher has ended. Becomes the caller's.
  Descriptor take_launcher() { return std::move(launcher_); }
  /// Begins the meeting; no other process can. Throws Error.
  void open(int most);
  /// The next that comes; empty: none does until then, or the launcher has ended.
  Descriptor next(std::chrono::steady_clock::time_point until);
  /// The connection to the process that has opened the meeting; empty: as next().
  Descriptor join(std::chrono::steady_clock::time_point until);
  void close() { listener_.close(); }

 private:
  bool goes_on(int listener, std::chrono::milliseconds at_most) const;

  std::string name_;
  Descriptor launcher_;
  Descriptor listener_;
};

}  // namespace earl::hosted_backend
