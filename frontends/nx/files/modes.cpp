// SPDX-License-Identifier: BSD-3-Clause
/// Manual: opening files and how nodes share them. gopen setiomode iomode.
#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>

#include "frontends/nx/call.hpp"
#include "frontends/nx/files/shared.hpp"
#include "frontends/nx/text.hpp"
#include "generic/collectives/collectives.hpp"

namespace earl::nx {

namespace {

/// The machine's file systems were mounted at /cfs and /pfs; EARL_CFS_ROOT names the directory that
/// replaces them.
std::string real_path(std::string const& given) {
  char const* root = std::getenv("EARL_CFS_ROOT");
  bool const there = given.starts_with("/cfs/") || given.starts_with("/pfs/");
  return root && there ? root + given : given;
}

/// Node 0 first: it may have to make the file, once.
int open_together(State& me, std::string const& path, int flags, mode_t permissions) {
  const Group group = me.group();
  int fd = -1;
  std::int32_t fault = 0;
  if (group.me == 0) fd = ::open(path.c_str(), flags, permissions);
  if (group.me == 0 && fd < 0) fault = errno;
  earl::broadcast(me.process(), group, 0, writable_bytes_of(fault));
  if (fault == 0 && group.me != 0) fd = ::open(path.c_str(), flags & ~(O_CREAT | O_EXCL | O_TRUNC));
  if (fault == 0 && fd < 0) fault = errno;
  if (fault != 0) throw NxError(fault, "'{}': {}", path, system_message(fault));
  return fd;
}

int gopen(State& me, char const* path, int flags, std::int32_t mode, std::int32_t permissions) {
  if (!path) throw NxError(EQPBUF, "the file's name is a null pointer: pass a text");
  check_mode(mode);
  auto const fd = open_together(me, real_path(path), flags, static_cast<mode_t>(permissions));
  share(me, fd, mode);
  return fd;
}

/// Fortran says nothing of how: to read and write, else to read.
std::int32_t gopen_unit(State& me, std::int32_t unit, std::string const& path, std::int32_t mode) {
  check_mode(mode);
  constexpr mode_t all_users = 0666;
  auto const name = real_path(path);
  auto const flags = ::access(name.c_str(), F_OK) == 0 && ::access(name.c_str(), W_OK) != 0
                         ? O_RDONLY
                         : O_RDWR | O_CREAT;
  auto const fd = open_together(me, name, flags, all_users);
  me.files().connect(unit, fd);
  share(me, fd, mode);
  return 0;
}

void setiomode(State& me, int fd, std::int32_t mode) { share(me, fd, mode); }
std::int32_t iomode(State& me, int fd) { return me.files().of(fd).mode; }

void setiomode_unit(State& me, std::int32_t unit, std::int32_t mode) {
  share(me, me.files().descriptor_of(unit), mode);
}
std::int32_t iomode_unit(State& me, std::int32_t unit) {
  return iomode(me, me.files().descriptor_of(unit));
}

}  // namespace
}  // namespace earl::nx

namespace nx = earl::nx;
using nx::Integer;
using nx::Plain;
using nx::text;
using nx::Underscore;

EARL_NX_ENTRY int gopen(char const* path, int flags, int mode, mode_t permissions) {
  return nx::call<Plain>("gopen", nx::gopen, path, flags, mode, permissions);
}
EARL_NX_ENTRY int _gopen(char const* path, int flags, int mode, mode_t permissions) {
  return nx::call<Underscore>("_gopen", nx::gopen, path, flags, mode, permissions);
}
EARL_NX_ENTRY std::int32_t gopen_(Integer unit, char const* path, Integer mode,
                                  std::size_t length) {
  return nx::call<Plain>("gopen", nx::gopen_unit, unit, text(path, length), mode);
}

EARL_NX_ENTRY void setiomode(int fd, int mode) {
  nx::call<Plain>("setiomode", nx::setiomode, fd, mode);
}
EARL_NX_ENTRY long _setiomode(int fd, int mode) {
  return nx::call<Underscore>("_setiomode", nx::setiomode, fd, mode);
}
EARL_NX_ENTRY void setiomode_(Integer unit, Integer mode) {
  nx::call<Plain>("setiomode", nx::setiomode_unit, unit, mode);
}

EARL_NX_ENTRY long iomode(int fd) { return nx::call<Plain>("iomode", nx::iomode, fd); }
EARL_NX_ENTRY long _iomode(int fd) { return nx::call<Underscore>("_iomode", nx::iomode, fd); }
EARL_NX_ENTRY std::int32_t iomode_(Integer unit) {
  return nx::call<Plain>("iomode", nx::iomode_unit, unit);
}
