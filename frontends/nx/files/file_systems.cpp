// SPDX-License-Identifier: BSD-3-Clause
/// Manual: the file systems of files (Paragon). statpfs fstatpfs getpfsinfo. None is striped here:
/// the manual's structures describe stripes accordingly.
#include <linux/magic.h>
#include <sys/statfs.h>

#include "frontends/nx/call.hpp"
#include "frontends/nx/files/extended.hpp"
#include "frontends/nx/files/transfer.hpp"

namespace earl::nx {

namespace {

constexpr int block = 1024;  ///< the unit of the counts

esize_t blocks(std::uint64_t count, struct statfs const& from) {
  return extended(static_cast<std::int64_t>(count) * from.f_frsize / block);
}

void give(struct statfs const& from, struct estatfs* to) {
  if (!to) throw NxError(EQPBUF, "the address for the facts is null: pass a variable");
  *to = {};
  to->f_type = from.f_type == NFS_SUPER_MAGIC ? MOUNT_NFS : MOUNT_UFS;
  to->f_fsize = block;
  to->f_bsize = static_cast<int>(from.f_bsize);
  to->f_blocks = blocks(from.f_blocks, from);
  to->f_bfree = blocks(from.f_bfree, from);
  to->f_bavail = blocks(from.f_bavail, from);
  to->f_files = extended(static_cast<std::int64_t>(from.f_files));
  to->f_ffree = extended(static_cast<std::int64_t>(from.f_ffree));
}

/// One stripe. Programs that want to know no more give no memory.
void give(struct statfs const& from, struct statpfs* to, std::int32_t size) {
  constexpr std::int32_t needed = sizeof *to;
  if (!to || size == 0) return;
  if (size < needed) throw NxError(EQLEN, "{} bytes for the facts, which take {}", size, needed);
  *to = {};
  to->p_reclen = needed;
  to->p_sunitsize = static_cast<unsigned>(from.f_bsize);
  to->p_sfactor = 1;
}

std::int32_t statpfs(State&, char const* path, struct estatfs* facts, struct statpfs* stripes,
                     std::int32_t size) {
  if (!path) throw NxError(EQPBUF, "the file's name is a null pointer: pass a text");
  struct statfs from {};
  if (::statfs(path, &from) != 0) refuse_file();
  give(from, facts);
  give(from, stripes, size);
  return 0;
}

std::int32_t fstatpfs(State&, int fd, struct estatfs* facts, struct statpfs* stripes,
                      std::int32_t size) {
  struct statfs from {};
  if (::fstatfs(fd, &from) != 0) refuse_file();
  give(from, facts);
  give(from, stripes, size);
  return 0;
}

/// The number of mounted striped file systems.
std::int32_t getpfsinfo(State&, struct pfsmntinfo** list) {
  if (!list) throw NxError(EQPBUF, "the address for the list is null: pass a variable");
  *list = nullptr;
  return 0;
}

}  // namespace
}  // namespace earl::nx

namespace nx = earl::nx;
using nx::Plain;
using nx::Underscore;

EARL_NX_ENTRY long statpfs(char* path, struct estatfs* facts, struct statpfs* stripes,
                           unsigned size) {
  return nx::call<Plain>("statpfs", nx::statpfs, path, facts, stripes, size);
}
EARL_NX_ENTRY long _statpfs(char* path, struct estatfs* facts, struct statpfs* stripes,
                            unsigned size) {
  return nx::call<Underscore>("_statpfs", nx::statpfs, path, facts, stripes, size);
}
EARL_NX_ENTRY long fstatpfs(int fd, struct estatfs* facts, struct statpfs* stripes, unsigned size) {
  return nx::call<Plain>("fstatpfs", nx::fstatpfs, fd, facts, stripes, size);
}
EARL_NX_ENTRY long _fstatpfs(int fd, struct estatfs* facts, struct statpfs* stripes,
                             unsigned size) {
  return nx::call<Underscore>("_fstatpfs", nx::fstatpfs, fd, facts, stripes, size);
}
EARL_NX_ENTRY long getpfsinfo(struct pfsmntinfo** list) {
  return nx::call<Plain>("getpfsinfo", nx::getpfsinfo, list);
}
EARL_NX_ENTRY long _getpfsinfo(struct pfsmntinfo** list) {
  return nx::call<Underscore>("_getpfsinfo", nx::getpfsinfo, list);
}
