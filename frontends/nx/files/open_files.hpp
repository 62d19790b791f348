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

/// The functions of gfortran's library about its units, all null in a C program.
struct FortranUnits {
  int (*descriptor)(int const* unit) = nullptr;
  void (*flush)(int* unit) = nullptr;
  void (*tell)(int* unit, std::int64_t* position) = nullptr;
  void (*seek)(int* unit, std::int64_t const* offset, std::int32_t const* whence,
               int* status) = nullptr;
};

/// The descriptor behind a Fortran unit, for one call. Before it, the file stands where the unit
/// does (REWIND moves the unit alone); after it, the unit where the file does.
class UnitFile {
 public:
  /// `fortran`: where OPEN has opened it, and it has positions.
  UnitFile(std::int32_t unit, int fd, FortranUnits const& fortran = {});
  ~UnitFile();
  UnitFile(UnitFile const&) = delete;
  UnitFile& operator=(UnitFile const&) = delete;
  operator int() const { return fd_; }

 private:
  std::int32_t unit_;
  int fd_;
  FortranUnits fortran_;
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
  UnitFile descriptor_of(std::int32_t unit) const;

 private:
  std::map<int, Sharing> shared_{};
  std::map<std::int32_t, int> units_{};
  std::uint64_t settings_ = 0;
};

}  // namespace earl::nx
