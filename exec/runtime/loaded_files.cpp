// SPDX-License-Identifier: BSD-3-Clause
#include "exec/runtime/loaded_files.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace earl {

namespace {

link_map const* file_of(void const* address) {
  Dl_info ignored{};
  void* map = nullptr;
  if (::dladdr1(address, &ignored, &map, RTLD_DL_LINKMAP) == 0) return nullptr;
  return static_cast<link_map const*>(map);
}

std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

/// The kernel's vDSO, whose tables hold no addresses.
bool is_the_kernels(link_map const& file) {
  return std::string_view{file.l_name}.starts_with("linux-");
}

/// The texts of its dynamic section that have this tag.
std::vector<std::string_view> texts(link_map const& file, ElfW(Sxword) tag) {
  std::vector<std::string_view> found;
  if (is_the_kernels(file) || !file.l_ld) return found;
  char const* strings = nullptr;
  for (auto const* entry = file.l_ld; entry->d_tag != DT_NULL; ++entry)
    if (entry->d_tag == DT_STRTAB) strings = reinterpret_cast<char const*>(entry->d_un.d_ptr);
  for (auto const* entry = file.l_ld; strings && entry->d_tag != DT_NULL; ++entry)
    if (entry->d_tag == tag) found.emplace_back(strings + entry->d_un.d_val);
  return found;
}

/// Whether a file has this name: by its path, by the last part of that, or by itself.
bool is_called(link_map const& file, std::string_view name) {
  const std::string_view path{file.l_name};
  if (path.empty()) return false;
  if (path == name || base_name(path) == name) return true;
  return std::ranges::count(texts(file, DT_SONAME), name) != 0;
}

/// Or by a link beside it.
bool is_linked_as(link_map const& file, std::string_view name) {
  std::error_code failed;
  auto const link = std::filesystem::path(file.l_name).parent_path() / name;
  return file.l_name[0] == '/' && std::filesystem::equivalent(file.l_name, link, failed);
}

}  // namespace

LoadedFiles::LoadedFiles() : self_(file_of(reinterpret_cast<void const*>(&file_of))) {
  auto const* first = self_;
  while (first && first->l_prev) first = first->l_prev;
  for (; first; first = first->l_next) all_.push_back(first);
}

std::vector<link_map const*> LoadedFiles::preloaded() const {
  std::vector<link_map const*> found;
  char const* const value = std::getenv("LD_PRELOAD");
  std::string_view list = value ? value : "";
  while (!list.empty()) {
    auto const end = std::min(list.find_first_of(" :"), list.size());
    auto const* file = end == 0 ? nullptr : find(list.substr(0, end));
    if (file && file != program() && std::ranges::count(found, file) == 0) found.push_back(file);
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return found;
}

link_map const* LoadedFiles::find(std::string_view name) const {
  for (auto const* file : all_)
    if (is_called(*file, name)) return file;
  for (auto const* file : all_)
    if (is_linked_as(*file, name)) return file;
  return nullptr;
}

bool LoadedFiles::needs(link_map const* from, link_map const* what) const {
  std::vector<link_map const*> seen{from};
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (seen[i] == what) return true;
    for (auto const name : texts(*seen[i], DT_NEEDED))
      if (auto const* file = find(name); file && std::ranges::count(seen, file) == 0)
        seen.push_back(file);
  }
  return false;
}

bool only_preloaded(LoadedFiles const& files) {
  auto const preloaded = files.preloaded();
  if (preloaded.empty() || files.needs(files.program(), files.self())) return false;
  return std::ranges::any_of(preloaded,
                             [&](auto const* file) { return files.needs(file, files.self()); });
}

void* definition(link_map const* file, char const* name) {
  void* const handle = ::dlopen(*file->l_name ? file->l_name : nullptr, RTLD_LAZY | RTLD_NOLOAD);
  if (!handle) return nullptr;
  void* const address = ::dlsym(handle, name);
  ::dlclose(handle);
  return address && file_of(address) == file ? address : nullptr;
}

}  // namespace earl
