// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/nx/files/open_files.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "frontends/nx/errors.hpp"

// gfortran's own: a unit's descriptor, and its buffer written out. A C program has none.
extern "C" {
[[gnu::weak, gnu::visibility("default")]] int _gfortran_fnum_i4(int const* unit);
[[gnu::weak, gnu::visibility("default")]] void _gfortran_flush_i4(int* unit);
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

int OpenFiles::descriptor_of(std::int32_t unit) const {
  if (_gfortran_fnum_i4 && _gfortran_flush_i4) {
    if (int const fd = _gfortran_fnum_i4(&unit); fd >= 0) {
      _gfortran_flush_i4(&unit);
      return fd;
    }
  }
  if (auto const opened = units_.find(unit); opened != units_.end()) return opened->second;
  if (int const fd = standard_descriptor(unit); fd >= 0) return fd;
  throw NxError(EBADF, "unit {} is not open", unit);
}

}  // namespace earl::nx
