// SPDX-License-Identifier: BSD-3-Clause
#include "generic/system/shared_memory.hpp"

#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <utility>

#include "generic/base/error.hpp"
#include "generic/system/mapping_hint.hpp"

namespace earl {

SharedMemory::SharedMemory(char const* name, std::size_t size)
    : memory_(::memfd_create(name, MFD_CLOEXEC)), size_(size) {
  if (!memory_ || ::ftruncate(memory_.get(), static_cast<off_t>(size)) != 0)
    throw Error("no shared memory for a job: {}", system_message(errno));
  map();
}

SharedMemory::SharedMemory(Descriptor memory, std::size_t least, std::string_view what)
    : memory_(std::move(memory)) {
  struct stat facts {};
  if (::fstat(memory_.get(), &facts) != 0 || !S_ISREG(facts.st_mode)) refuse(what);
  size_ = static_cast<std::size_t>(facts.st_size);
  if (size_ < least) refuse(what);
  map();
}

SharedMemory::~SharedMemory() { ::munmap(data_, size_); }

void SharedMemory::map() {
  void* const memory =
      ::mmap(mapping_hint(size_), size_, PROT_READ | PROT_WRITE, MAP_SHARED, memory_.get(), 0);
  if (memory == MAP_FAILED) throw Error("no shared memory for a job: {}", system_message(errno));
  data_ = static_cast<std::byte*>(memory);
}

void SharedMemory::refuse(std::string_view what) const {
  throw Error("descriptor {} is not the shared memory of {}", memory_.get(), what);
}

}  // namespace earl
