// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/nx/files/open_files.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "exec/runtime/boot.hpp"
#include "frontends/nx/errors.hpp"
#include "generic/seams/shared_process.hpp"

// gfortran's own: a unit's descriptor, its buffer written out, and its position. A C program has
// none.
extern "C" {
[[gnu::weak, gnu::visibility("default")]] int _gfortran_fnum_i4(int const* unit);
[[gnu::weak, gnu::visibility("default")]] void _gfortran_flush_i4(int* unit);
[[gnu::weak, gnu::visibility("default")]] void _gfortran_ftell_i8_sub(int* unit,
                                                                      std::int64_t* position);
[[gnu::weak, gnu::visibility("default")]] void _gfortran_fseek_sub(int* unit,
                                                                   std::int64_t const* offset,
                                                                   std::int32_t const* whence,
                                                                   int* status);
}

namespace earl::nx {

namespace {

constexpr int last_standard = STDERR_FILENO;

// The mark is a property of the open file that nothing here uses: it goes when the file is closed,
// which NX does not see. The standard streams are shared with other programs and stay unmarked.
void mark(int fd) {
  if (fd > last_standard) ::fcntl(fd, F_SETSIG, SIGIO);
}

bool marked(int fd) { return fd <= last_standard || ::fcntl(fd, F_GETSIG) == SIGIO; }

constexpr std::int32_t error_unit = 0, input_unit = 5, output_unit = 6;

/// On fibers, those of the rank's own copy of the library.
template <class Function>
void find(SharedProcess const& ranks, char const* name, Function*& function) {
  function = reinterpret_cast<Function*>(ranks.function(name));
}

FortranUnits fortran_units() {
  FortranUnits all{.descriptor = _gfortran_fnum_i4,
                   .flush = _gfortran_flush_i4,
                   .tell = _gfortran_ftell_i8_sub,
                   .seek = _gfortran_fseek_sub};
  if (auto const* const ranks = boot::shared_process()) {
    find(*ranks, "_gfortran_fnum_i4", all.descriptor);
    find(*ranks, "_gfortran_flush_i4", all.flush);
    find(*ranks, "_gfortran_ftell_i8_sub", all.tell);
    find(*ranks, "_gfortran_fseek_sub", all.seek);
  }
  return all;
}

int standard_descriptor(std::int32_t unit) {
  switch (unit) {
    case error_unit:
      return STDERR_FILENO;
    case input_unit:
      return STDIN_FILENO;
    case output_unit:
      return STDOUT_FILENO;
    default:
      return -1;
  }
}

}  // namespace

Sharing OpenFiles::of(int fd) const {
  auto const found = shared_.find(fd);
  return found != shared_.end() && marked(fd) ? found->second : Sharing{};
}

void OpenFiles::set(int fd, Sharing sharing) {
  shared_[fd] = std::move(sharing);
  mark(fd);
}

void OpenFiles::connect(std::int32_t unit, int fd) {
  if (auto const before = units_.find(unit); before != units_.end()) ::close(before->second);
  units_[unit] = fd;
}

UnitFile OpenFiles::descriptor_of(std::int32_t unit) const {
  if (auto const fortran = fortran_units(); fortran.descriptor && fortran.flush) {
    if (int const fd = fortran.descriptor(&unit); fd >= 0) {
      fortran.flush(&unit);
      bool const has_positions = fortran.tell && fortran.seek && ::lseek(fd, 0, SEEK_CUR) >= 0;
      return {unit, fd, has_positions ? fortran : FortranUnits{}};
    }
  }
  if (auto const opened = units_.find(unit); opened != units_.end()) return {unit, opened->second};
  if (int const fd = standard_descriptor(unit); fd >= 0) return {unit, fd};
  throw NxError(EBADF, "unit {} is not open", unit);
}

UnitFile::UnitFile(std::int32_t unit, int fd, FortranUnits const& fortran)
    : unit_(unit), fd_(fd), fortran_(fortran) {
  if (!fortran_.tell) return;
  std::int64_t position = 0;
  fortran_.tell(&unit_, &position);
  if (position >= 0) ::lseek(fd_, position, SEEK_SET);
}

UnitFile::~UnitFile() {
  if (!fortran_.seek) return;
  const std::int64_t position = ::lseek(fd_, 0, SEEK_CUR);
  constexpr std::int32_t from_begin = 0;
  int status = 0;
  fortran_.seek(&unit_, &position, &from_begin, &status);
}

}  // namespace earl::nx
