// SPDX-License-Identifier: BSD-3-Clause
/// The libraries that ranks share, and the paths of the others.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>

#include "backends/fibers/forbidden.hpp"
#include "backends/fibers/program.hpp"
#include "backends/fibers/thread_locals.hpp"
#include "generic/base/error.hpp"

namespace earl::fibers {

namespace {

/// The C library supports threads, not ranks, so there can be one copy only. The other libraries
/// have no state that needs copies. (libstdc++ has: streams, the locale, the terminate handler.)
constexpr std::array<std::string_view, 13> shared_libraries{
    "libc.so",        "libm.so",      "libpthread.so", "libdl.so", "librt.so",
    "libutil.so",     "libresolv.so", "libgcc_s.so",   "ld-linux", "libmvec.so",
    "libquadmath.so", "libasan.so",   "libubsan.so"};

constexpr std::array<char const*, 6> usual_folders{
    "/usr/local/lib", "/lib/x86_64-linux-gnu", "/lib/aarch64-linux-gnu", "/usr/lib64", "/lib",
    "/usr/lib"};

void add_folders(std::vector<std::string>& folders, std::string_view list,
                 std::string const& origin) {
  while (!list.empty()) {
    auto const end = std::min(list.find(':'), list.size());
    std::string folder{list.substr(0, end)};
    list.remove_prefix(std::min(end + 1, list.size()));
    for (std::string_view const word : {"${ORIGIN}", "$ORIGIN"})
      if (auto const at = folder.find(word); at != std::string::npos)
        folder.replace(at, word.size(), origin);
    if (!folder.empty()) folders.push_back(folder);
  }
}

}  // namespace

bool is_core(std::string_view library) { return file_name(library).starts_with("libearl.so"); }

bool is_front_end(std::string const& path) {
  return std::ranges::any_of(Image(path).needed(), is_core);
}

bool is_shared(std::string_view library, std::string const& path) {
  auto const starts = [&](std::string_view name) { return library.starts_with(name); };
  return std::ranges::any_of(shared_libraries, starts) || is_core(library) || is_front_end(path);
}

std::string objection_to(std::function<bool(char const*)> const& imports) {
  for (auto const& call : forbidden_calls)
    if (imports(call.name.data())) return call.why;
  return {};
}

std::string objection_to(Image const& image) {
  if (image.text_relocations())
    return fmt::format("{} has relocations in its text (compile it again with -fPIC)",
                       image.path());
  return {};
}

std::string find_library(std::string const& name, Image const& wanted_by,
                         std::vector<std::string> const& first) {
  if (name.find('/') != std::string::npos) return name;
  auto const origin = std::filesystem::absolute(wanted_by.path()).parent_path().string();
  auto folders = first;
  // Earl's own folders stand first in it.
  if (char const* const list = std::getenv("LD_LIBRARY_PATH")) add_folders(folders, list, origin);
  add_folders(folders, wanted_by.search(), origin);
  folders.insert(folders.end(), usual_folders.begin(), usual_folders.end());
  for (auto path : folders)
    if (path.append("/").append(name); ::access(path.c_str(), R_OK) == 0) return path;
  return {};
}

std::string objection_to_files(std::string const& program,
                               std::vector<std::string> const& folders) {
  std::vector<std::unique_ptr<Image>> images;
  images.push_back(std::make_unique<Image>(program));
  if (auto why = objection_to_thread_locals(*images.front()); !why.empty()) return why;
  std::vector<std::string> seen;
  for (std::size_t i = 0; i < images.size(); ++i)
    for (auto const& name : images[i]->needed()) {
      if (std::ranges::count(seen, name) != 0) continue;
      seen.push_back(name);
      auto const path = find_library(name, *images[i], folders);
      if (path.empty() || is_shared(name, path)) continue;
      images.push_back(std::make_unique<Image>(path));
      if (auto why = objection_to(*images.back()); !why.empty()) return why;
    }
  return {};
}

}  // namespace earl::fibers
