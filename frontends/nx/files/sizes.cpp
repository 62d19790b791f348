// SPDX-License-Identifier: BSD-3-Clause
/// Manual: pointers and sizes of files. eseek lseek esize lsize iseof, estat lestat festat.
#include <sys/stat.h>
#include <unistd.h>

#include "frontends/nx/call.hpp"
#include "frontends/nx/files/shared.hpp"
#include "frontends/nx/text.hpp"

namespace earl::nx {

namespace {

std::int64_t eseek(State& me, int fd, esize_t offset, int from) {
  return seek(me, fd, value_of(offset), from);
}

std::int64_t eseek_unit(State& me, std::int32_t unit, esize_t offset, int from) {
  return eseek(me, me.files().descriptor_of(unit), offset, from);
}

/// Fortran's: the C library has the C one.
std::int32_t lseek_unit(State& me, std::int32_t unit, std::int32_t offset, int from) {
  return one_word(seek(me, me.files().descriptor_of(unit), offset, from));
}

struct stat facts_of(int fd) {
  struct stat facts {};
  if (::fstat(fd, &facts) != 0) refuse_file();
  return facts;
}

std::int64_t base_of(State& me, int fd, std::int64_t length, int from) {
  switch (from) {
    case SIZE_SET:
      return 0;
    case SIZE_CUR:
      return pointer_of(me, fd).value_or(0);
    case SIZE_END:
      return length;
    default:
      throw NxError(EQPARAM, "a size from {}: 0, 1 and 2 are defined", from);
  }
}

/// A longer file stays as it is.
std::int64_t lengthen(State& me, int fd, std::int64_t offset, int from) {
  const std::int64_t length = facts_of(fd).st_size;
  auto const wanted = sum_of(base_of(me, fd, length, from), offset);
  if (wanted <= length) return length;
  if (::ftruncate(fd, wanted) != 0) refuse_file();
  return wanted;
}

std::int64_t esize(State& me, int fd, esize_t offset, int from) {
  return lengthen(me, fd, value_of(offset), from);
}
std::int64_t esize_unit(State& me, std::int32_t unit, esize_t offset, int from) {
  return esize(me, me.files().descriptor_of(unit), offset, from);
}
std::int64_t lsize(State& me, int fd, std::int32_t offset, int from) {
  return lengthen(me, fd, offset, from);
}
std::int32_t lsize_unit(State& me, std::int32_t unit, std::int32_t offset, int from) {
  return one_word(lsize(me, me.files().descriptor_of(unit), offset, from));
}

/// Unknown for a pipe or a terminal: no.
std::int32_t iseof(State& me, int fd) {
  auto const at = pointer_of(me, fd);
  return at && *at >= facts_of(fd).st_size ? 1 : 0;
}
std::int32_t iseof_unit(State& me, std::int32_t unit) {
  return iseof(me, me.files().descriptor_of(unit));
}

void give(struct stat const& from, struct estat* to) {
  *to = {};
  to->st_dev = from.st_dev;
  to->st_ino = from.st_ino;
  to->st_mode = from.st_mode;
  to->st_nlink = from.st_nlink;
  to->st_uid = from.st_uid;
  to->st_gid = from.st_gid;
  to->st_rdev = from.st_rdev;
  to->st_size = extended(from.st_size);
  to->st_atim = from.st_atim;
  to->st_mtim = from.st_mtim;
  to->st_ctim = from.st_ctim;
  to->st_blksize = from.st_blksize;
  to->st_blocks = from.st_blocks;
}

void check_addresses(char const* path, struct estat const* facts) {
  if (!path) throw NxError(EQPBUF, "the file's name is a null pointer: pass a text");
  if (!facts) throw NxError(EQPBUF, "the address for the facts is null: pass a variable");
}

std::int32_t estat(State&, char const* path, struct estat* facts) {
  check_addresses(path, facts);
  struct stat found {};
  if (::stat(path, &found) != 0) refuse_file();
  give(found, facts);
  return 0;
}

std::int32_t lestat(State&, char const* path, struct estat* facts) {
  check_addresses(path, facts);
  struct stat found {};
  if (::lstat(path, &found) != 0) refuse_file();
  give(found, facts);
  return 0;
}

std::int32_t festat(State&, int fd, struct estat* facts) {
  check_addresses("", facts);
  give(facts_of(fd), facts);
  return 0;
}

}  // namespace
}  // namespace earl::nx

namespace nx = earl::nx;
using nx::extended;
using nx::Integer;
using nx::Plain;
using nx::text;
using nx::Underscore;

EARL_NX_ENTRY esize_t eseek(int fd, esize_t offset, int from) {
  return extended(nx::call<Plain>("eseek", nx::eseek, fd, offset, from));
}
EARL_NX_ENTRY esize_t _eseek(int fd, esize_t offset, int from) {
  return extended(nx::call<Underscore>("_eseek", nx::eseek, fd, offset, from));
}
EARL_NX_ENTRY void eseek_(Integer unit, esize_t const* offset, Integer from, esize_t* at) {
  *at = extended(nx::call<Plain>("eseek", nx::eseek_unit, unit, *offset, from));
}
EARL_NX_ENTRY std::int32_t lseek_(Integer unit, Integer offset, Integer from) {
  return nx::call<Plain>("lseek", nx::lseek_unit, unit, offset, from);
}

EARL_NX_ENTRY esize_t esize(int fd, esize_t offset, int from) {
  return extended(nx::call<Plain>("esize", nx::esize, fd, offset, from));
}
EARL_NX_ENTRY esize_t _esize(int fd, esize_t offset, int from) {
  return extended(nx::call<Underscore>("_esize", nx::esize, fd, offset, from));
}
EARL_NX_ENTRY void esize_(Integer unit, esize_t const* offset, Integer from, esize_t* size) {
  *size = extended(nx::call<Plain>("esize", nx::esize_unit, unit, *offset, from));
}

EARL_NX_ENTRY long lsize(int fd, off_t offset, int from) {
  return nx::call<Plain>("lsize", nx::lsize, fd, offset, from);
}
EARL_NX_ENTRY long _lsize(int fd, off_t offset, int from) {
  return nx::call<Underscore>("_lsize", nx::lsize, fd, offset, from);
}
EARL_NX_ENTRY std::int32_t lsize_(Integer unit, Integer offset, Integer from) {
  return nx::call<Plain>("lsize", nx::lsize_unit, unit, offset, from);
}

EARL_NX_ENTRY long iseof(int fd) { return nx::call<Plain>("iseof", nx::iseof, fd); }
EARL_NX_ENTRY long _iseof(int fd) { return nx::call<Underscore>("_iseof", nx::iseof, fd); }
EARL_NX_ENTRY std::int32_t iseof_(Integer unit) {
  return nx::call<Plain>("iseof", nx::iseof_unit, unit);
}

EARL_NX_ENTRY long estat(char* path, struct estat* facts) {
  return nx::call<Plain>("estat", nx::estat, path, facts);
}
EARL_NX_ENTRY long _estat(char* path, struct estat* facts) {
  return nx::call<Underscore>("_estat", nx::estat, path, facts);
}
EARL_NX_ENTRY long lestat(char* path, struct estat* facts) {
  return nx::call<Plain>("lestat", nx::lestat, path, facts);
}
EARL_NX_ENTRY long _lestat(char* path, struct estat* facts) {
  return nx::call<Underscore>("_lestat", nx::lestat, path, facts);
}
EARL_NX_ENTRY long festat(int fd, struct estat* facts) {
  return nx::call<Plain>("festat", nx::festat, fd, facts);
}
EARL_NX_ENTRY long _festat(int fd, struct estat* facts) {
  return nx::call<Underscore>("_festat", nx::festat, fd, facts);
}

EARL_NX_ENTRY std::int32_t estat_(char* path, struct estat* facts, std::size_t length) {
  return nx::call<Plain>(
      "estat",
      [facts](nx::State& me, std::string const& name) {
        return nx::estat(me, name.c_str(), facts);
      },
      text(path, length));
}
EARL_NX_ENTRY std::int32_t festat_(Integer unit, struct estat* facts) {
  return nx::call<Plain>(
      "festat",
      [facts](nx::State& me, std::int32_t number) {
        return nx::festat(me, me.files().descriptor_of(number), facts);
      },
      unit);
}
