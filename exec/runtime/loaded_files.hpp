// SPDX-License-Identifier: BSD-3-Clause
/// The program and the libraries that the system's loader has mapped, and their dependencies.
#pragma once

#include <link.h>

#include <string_view>
#include <vector>

namespace earl {

class LoadedFiles {
 public:
  /// The files of this library's own name space, in the loader's order: the program is the first.
  LoadedFiles();

  std::vector<link_map const*> const& all() const { return all_; }
  link_map const* program() const { return all_.front(); }
  /// The libraries that LD_PRELOAD names, in its order.
  std::vector<link_map const*> preloaded() const;
  /// Whether `from` needs `what`, itself or through libraries that it needs.
  bool needs(link_map const* from, link_map const* what) const;
  /// This library.
  link_map const* self() const { return self_; }

 private:
  link_map const* find(std::string_view name) const;

  std::vector<link_map const*> all_;
  link_map const* self_ = nullptr;
};

/// Whether the program has this library because a preloaded one needs it, and not by itself: a
/// shell with a tool for the program that it starts, for example.
bool only_preloaded(LoadedFiles const& files);

/// The file's own definition of that name; null: none.
void* definition(link_map const* file, char const* name);

}  // namespace earl
