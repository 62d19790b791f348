// SPDX-License-Identifier: BSD-3-Clause
/// NX's state of a program's open files: the mode of each, and the units of Fortran programs.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace earl::nx {

/// The sharing mode of a file.
struct Sharing {
  std::int32_t mode = 0;  ///< M_UNIX ... M_ASYNC
  std::string pointer{};  ///< M_LOG: the entry that holds the common pointer
};

class OpenFiles {
 public:
  /// The settings of the file that `fd` is now: a number that was closed and reused means another
  /// file.
  Sharing of(int fd) const;
  void set(int fd, Sharing sharing);
  /// The number of times that the nodes have set a mode, this one included: the same number on
  /// each.
  std::uint64_t count_setting() { return ++settings_; }

  /// GOPEN has opened `unit`; a file that it had opened there before is closed.
  void connect(std::int32_t unit, int fd);
  /// The descriptor behind a Fortran unit, whose buffer is written out. EBADF.
  int descriptor_of(std::int32_t unit) const;

 private:
  std::map<int, Sharing> shared_{};
  std::map<std::int32_t, int> units_{};
  std::uint64_t settings_ = 0;
};

}  // namespace earl::nx
