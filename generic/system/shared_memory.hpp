// SPDX-License-Identifier: BSD-3-Clause
/// Memory that EXEC and the processes of a job share.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <string_view>

#include "generic/base/bytes.hpp"
#include "generic/system/descriptor.hpp"

namespace earl {

/// Memory without a name in any folder: it lasts as long as a process has it mapped or its
/// descriptor open.
class SharedMemory {
 public:
  /// New, all zeros; `name` is what /proc shows. Throws Error when the system has no room.
  SharedMemory(char const* name, std::size_t size);
  /// Memory of another process: takes `memory` over. Throws Error, with `what` it should have been,
  /// when it is no memory or has fewer bytes than `least`.
  SharedMemory(Descriptor memory, std::size_t least, std::string_view what);
  /// The memory that another process of this user, on this host, has made with that name and whose
  /// descriptor it has open. Throws Error when there is none of `size` bytes.
  static std::shared_ptr<SharedMemory> find(pid_t process, std::string const& name,
                                            std::size_t size);
  ~SharedMemory();
  SharedMemory(SharedMemory const&) = delete;
  SharedMemory& operator=(SharedMemory const&) = delete;

  int descriptor() const { return memory_.get(); }
  /// It stays mapped, and no other process can find it from now on.
  void close_descriptor() { memory_.close(); }
  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }
  /// Refuses contents of another kind. Throws Error.
  [[noreturn]] void refuse(std::string_view what) const;

 private:
  void map();

  Descriptor memory_;
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

/// `size` bytes of this process alone, all zeros: the system gives pages when they are used. Throws
/// Error when it has no room.
std::shared_ptr<std::byte> private_memory(std::size_t size);

}  // namespace earl
