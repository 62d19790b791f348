// SPDX-License-Identifier: BSD-3-Clause
/// A program with the libraries that every rank gets copies of, and the resolution of its names.
/// One for all ranks that run it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "backends/fibers/image.hpp"

namespace earl::fibers {

/// Without its directories.
inline std::string_view file_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

/// A variable of a shared library that every rank has for itself.
struct CellPlan {
  std::string name;
  void* shared = nullptr;
  std::size_t size = 0;
  /// The copy's own place for it (a COPY relocation of the program); else it lies in the rank's
  /// memory at `offset`.
  bool in_program = false;
  std::uint64_t offset = 0;
  /// The program has a variable of that name itself: its initial value is the program's.
  bool defined = false;
};

/// The resolution in every copy of a name that a file refers to.
struct Target {
  enum class Kind { unknown, fixed, own, own_function, cell, thread_local_variable };
  Kind kind = Kind::unknown;
  std::uintptr_t value = 0;  ///< address, or within the image or its thread-local variables
  std::size_t which = 0;     ///< image or cell
};

class Program {
 public:
  /// Reads the program and loads the libraries that all ranks share. `wrappers` come before the
  /// program's own libraries. Throws Error with the reason when it cannot live beside others.
  explicit Program(std::string const& path, std::vector<std::string> const& wrappers = {});

  std::vector<std::unique_ptr<Image>> const& images() const { return images_; }  ///< 0: the program
  std::vector<CellPlan> const& cells() const { return cells_; }
  std::size_t cell_bytes() const { return cell_bytes_; }
  /// The resolution of symbol `index` of image `image`, one that relocations name.
  Target const& target(std::size_t image, std::size_t index) const {
    return targets_[image][index];
  }
  /// Where a COPY relocation of the program at `offset` takes its bytes from; null: from the shared
  /// library, as the cell says.
  struct Source {
    std::size_t image = 0;
    std::uint64_t address = 0;
    std::size_t size = 0;
  };
  Source const* source(std::uint64_t offset) const {
    auto const found = sources_.find(offset);
    return found == sources_.end() ? nullptr : &found->second;
  }

  /// The run-time resolution of a name: as in relocations, or, behind an image, only in the images
  /// after it. Kind::unknown: nothing.
  Target find(std::string_view name, std::optional<std::size_t> behind) const;

  /// The thread-local variable that a relocation of image `image` names; index 0: the image's own
  /// first one.
  Target thread_local_target(std::size_t image, std::size_t index) const {
    if (index == 0) return {Target::Kind::thread_local_variable, 0, image};
    return targets_[image][index];
  }

 private:
  void load_needed(Image const& of);
  void share(std::string const& path);
  void judge() const;
  void look_up(std::size_t image);
  void look_up(std::size_t image, Relocation const& relocation, std::size_t index);
  Target resolve(std::size_t image, std::size_t index);
  std::optional<Target> next_wrapper(std::size_t image, Symbol const& symbol) const;
  bool is_front_end_here(std::string_view file) const;
  bool in_front_end(char const* name) const;
  void plan_copy(Relocation const& relocation, std::size_t index);
  Target resolve_thread_local(std::size_t image, std::size_t index) const;
  void plan_variables(std::string const& library);
  void plan_variable(char const* name, void* shared, std::size_t size);
  bool is_private(std::string_view file) const;
  void* find_shared(char const* name, char const* version) const;
  Target shared_target(char const* name, void* address);

  std::vector<std::unique_ptr<Image>> images_;
  std::size_t wrappers_ = 0;       ///< images 1 to this one
  std::vector<std::string> seen_;  ///< names of libraries that have been dealt with
  std::vector<void*> shared_;      ///< handles
  /// Where names are looked for, in order: an image, or else a shared library.
  struct Place {
    std::size_t image = 0;
    void* shared = nullptr;
  };
  std::vector<Place> scope_;
  std::vector<std::string> front_ends_;  ///< paths of their libraries
  std::vector<std::vector<Target>> targets_;
  std::unordered_map<std::uint64_t, Source> sources_;
  std::vector<CellPlan> cells_;
  std::size_t cell_bytes_ = 0;
};

/// Whether all ranks share one copy of a library. The C library and its companions must be shared,
/// and Earl's are.
bool is_shared(std::string_view library, std::string const& path);
/// Whether a shared library, given by name or path, is the one that holds Earl's core.
bool is_core(std::string_view library);
/// Whether a shared library is one of Earl's above the core.
bool is_front_end(std::string const& path);
/// Why a program that imports these names cannot live in a shared process; empty: it can. Libraries
/// are not checked: few that can start threads do.
std::string objection_to(std::function<bool(char const*)> const& imports);
/// Why a file that each rank has a copy of cannot live in a shared process, whatever names it
/// imports.
std::string objection_to(Image const& image);
/// The file that a library name means in the context of the requester; empty: none. `first`:
/// directories searched before all others.
std::string find_library(std::string const& name, Image const& wanted_by,
                         std::vector<std::string> const& first = {});
/// Why a program's file or the libraries that it is linked with keep it out of a shared process;
/// empty: they do not, or a library is missing, which its start will report.
std::string objection_to_files(std::string const& program, std::vector<std::string> const& folders);

}  // namespace earl::fibers
