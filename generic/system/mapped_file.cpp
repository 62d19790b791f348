// SPDX-License-Identifier: BSD-3-Clause
#include "generic/system/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>

#include "generic/base/error.hpp"
#include "generic/system/mapping_hint.hpp"

namespace earl {

MappedFile::MappedFile(std::string const& path)
    : file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  struct stat status {};
  if (!file_ || ::fstat(file_.get(), &status) != 0)
    throw Error("{} cannot be read: {}", path, system_message(errno));
  auto const size = static_cast<std::size_t>(status.st_size);
  if (size == 0) return;
  void* memory = ::mmap(mapping_hint(size), size, PROT_READ, MAP_PRIVATE, file_.get(), 0);
  if (memory == MAP_FAILED) throw Error("{} cannot be read: {}", path, system_message(errno));
  bytes_ = {static_cast<std::byte const*>(memory), size};
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

}  // namespace earl
