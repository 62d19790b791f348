// SPDX-License-Identifier: BSD-3-Clause
/// One rank's copy of a program and its libraries.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "backends/fibers/program.hpp"
#include "backends/fibers/thread_locals.hpp"
#include "generic/process.hpp"

namespace earl::fibers {

class Copy {
 public:
  /// Maps and relocates; runs no code of the program but its IFUNC resolvers. Throws Error.
  explicit Copy(Program const& program);
  ~Copy();
  Copy(Copy const&) = delete;
  Copy& operator=(Copy const&) = delete;

  Program const& program() const { return program_; }
  std::uintptr_t base(std::size_t image) const { return bases_[image]; }
  std::uintptr_t entry() const;
  /// This rank's place for a variable of a shared library; null: it uses the library's own.
  void* variable(std::string_view name) const;
  /// The address of the symbol that Program::find() finds; null: nothing.
  void* symbol(std::string_view name, std::optional<std::size_t> behind) const;
  /// All of them.
  std::vector<Process::Cell> cells() const;
  ProgramThreadLocals const& thread_locals() const { return thread_locals_.of_program(); }
  /// Whether the address is in the copy; gives the image and the address within its file.
  struct Place {
    Image const* image = nullptr;
    std::size_t index = 0;  ///< of the image in the program
    std::uint64_t address = 0;
  };
  Place place_of(std::uintptr_t address) const;

 private:
  void relocate(std::size_t image);
  void apply(std::size_t image, Relocation const& relocation);
  void apply_relative(std::size_t image);
  void apply_thread_local(std::size_t image, Relocation const& relocation);
  void* cell(std::size_t index) const;
  std::uintptr_t address_of(Target const& target) const;

  Program const& program_;
  std::vector<std::uintptr_t> bases_;
  std::unique_ptr<std::byte[]> memory_;  ///< of cells
  ThreadLocals thread_locals_;
};

}  // namespace earl::fibers
