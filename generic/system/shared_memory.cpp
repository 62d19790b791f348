// SPDX-License-Identifier: BSD-3-Clause
#include "generic/system/shared_memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

#include "generic/base/error.hpp"
#include "generic/system/mapping_hint.hpp"
#include "generic/system/process_stat.hpp"

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

namespace {

/// The target of a link; empty: there is none.
std::string target_of(std::string const& link) {
  std::array<char, 256> target{};
  auto const size = ::readlink(link.c_str(), target.data(), target.size());
  return size < 0 ? std::string{} : std::string(target.data(), static_cast<std::size_t>(size));
}

}  // namespace

// The file system of processes has the name of such memory as the target of its descriptor's link,
// and opens the memory when the link is opened.
std::shared_ptr<SharedMemory> SharedMemory::find(pid_t process, std::string const& name,
                                                 std::size_t size) {
  auto const wanted = fmt::format("/memfd:{} (deleted)", name);
  auto const end = end_of_descriptors(process);
  if (!end)
    throw Error("cannot look for the memory of process {}: {}", process, system_message(errno));
  for (int number = 0; number < *end; ++number) {
    auto const link = fmt::format("/proc/{}/fd/{}", process, number);
    if (target_of(link) != wanted) continue;
    Descriptor memory(::open(link.c_str(), O_RDWR | O_CLOEXEC));
    if (!memory)
      throw Error("cannot open memory {} of process {}: {}", name, process, system_message(errno));
    return std::make_shared<SharedMemory>(std::move(memory), size, name);
  }
  throw Error("process {} has no memory {}, or may not be asked for it", process, name);
}

SharedMemory::~SharedMemory() { ::munmap(data_, size_); }

void SharedMemory::map() {
  void* const memory =
      ::mmap(mapping_hint(size_), size_, PROT_READ | PROT_WRITE, MAP_SHARED, memory_.get(), 0);
  if (memory == MAP_FAILED) throw Error("no shared memory for a job: {}", system_message(errno));
  data_ = static_cast<std::byte*>(memory);
}

std::shared_ptr<std::byte> private_memory(std::size_t size) {
  void* const memory = ::mmap(mapping_hint(size), size, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw Error("no memory of {} bytes: {}", size, system_message(errno));
  return {static_cast<std::byte*>(memory), [size](std::byte* bytes) { ::munmap(bytes, size); }};
}

void SharedMemory::refuse(std::string_view what) const {
  throw Error("descriptor {} is not the shared memory of {}", memory_.get(), what);
}

}  // namespace earl
