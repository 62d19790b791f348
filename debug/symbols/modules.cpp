// SPDX-License-Identifier: BSD-3-Clause
#include "debug/symbols/modules.hpp"

#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <climits>
#include <span>
#include <sstream>

#include "generic/base/hex.hpp"
#include "generic/system/elf_file.hpp"
#include "generic/system/read_file.hpp"

namespace earl::symbols {

namespace {

std::string build_id_in(Bytes notes) {
  std::string id;
  each_note(notes, [&](ElfNote const& note) {
    if (id.empty() && note.type == NT_GNU_BUILD_ID && note.owner == std::string_view{"GNU\0", 4})
      id = to_hex(note.content);
  });
  return id;
}

struct Search {
  std::uintptr_t address = 0;
  Module found{};
};

std::string own_path() {
  std::array<char, PATH_MAX> path{};
  auto const length = readlink("/proc/self/exe", path.data(), path.size());
  return length > 0 ? std::string(path.data(), static_cast<std::size_t>(length)) : std::string{};
}

bool holds(dl_phdr_info const& info, std::uintptr_t address) {
  for (auto const& part : std::span{info.dlpi_phdr, info.dlpi_phnum})
    if (part.p_type == PT_LOAD && address - info.dlpi_addr - part.p_vaddr < part.p_memsz)
      return true;
  return false;
}

int visit_module(dl_phdr_info* info, std::size_t, void* data) {
  auto& search = *static_cast<Search*>(data);
  if (!holds(*info, search.address)) return 0;
  auto& module = search.found;
  module.base = info->dlpi_addr;
  module.path = info->dlpi_name != nullptr && *info->dlpi_name != 0 ? info->dlpi_name : own_path();
  for (auto const& part : std::span{info->dlpi_phdr, info->dlpi_phnum}) {
    if (part.p_type != PT_NOTE || !module.build_id.empty()) continue;
    auto const* notes = reinterpret_cast<std::byte const*>(info->dlpi_addr + part.p_vaddr);
    module.build_id = build_id_in({notes, part.p_filesz});
  }
  return 1;
}

/// Its notes are where a segment's member `place` says: p_offset in a file, p_vaddr in one that is
/// loaded whole. Empty: it has no id.
std::string build_id_of_image(Bytes image, std::uint64_t ElfW(Phdr)::*place) {
  std::string id;
  each_segment(image, [&](ElfW(Phdr) const& part) {
    if (id.empty() && part.p_type == PT_NOTE)
      id = build_id_in(part_of(image, part.*place, part.p_filesz));
  });
  return id;
}

/// A module that Earl itself has loaded (a rank's copy of its program) is in no list of the C
/// library, but there Earl answers the unwinder's lookup for it.
Module answered_at([[maybe_unused]] std::uintptr_t address) {
#if defined(DLFO_STRUCT_HAS_EH_DBASE)
  dl_find_object found{};
  if (_dl_find_object(reinterpret_cast<void*>(address), &found) != 0) return {};
  auto const* const loaded = found.dlfo_link_map;
  if (loaded && loaded->l_name && *loaded->l_name == '/') {
    auto const end = reinterpret_cast<std::uintptr_t>(found.dlfo_map_end);
    auto const* const begin = reinterpret_cast<std::byte const*>(loaded->l_addr);
    return {.path = loaded->l_name,
            .build_id = build_id_of_image({begin, end - loaded->l_addr}, &ElfW(Phdr)::p_vaddr),
            .base = loaded->l_addr,
            .end = end};
  }
#endif
  return {};
}

/// A small file's worth of bytes; ELF notes are near the beginning.
std::string first_bytes(std::string const& path, std::size_t most) {
  auto const file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  std::string bytes(most, '\0');
  auto const n = pread(file, bytes.data(), bytes.size(), 0);
  close(file);
  bytes.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  return bytes;
}

std::string build_id_in_first(std::string const& path, std::size_t most) {
  auto const file = first_bytes(path, most);
  return build_id_of_image(std::as_bytes(std::span{file}), &ElfW(Phdr)::p_offset);
}

/// Where the file's address 0 is, if what lies at `offset` in it is mapped at `from`.
std::uintptr_t base_of(std::string const& path, std::uintptr_t from, std::uint64_t offset) {
  constexpr std::uint64_t page = 4096;
  auto base = from - offset;
  auto const file = first_bytes(path, 1U << 16);
  each_segment(std::as_bytes(std::span{file}), [&](ElfW(Phdr) const& part) {
    auto const begin = part.p_offset / page * page;
    if (part.p_type == PT_LOAD && begin <= offset && offset < part.p_offset + part.p_filesz)
      base = from - offset - (part.p_vaddr - part.p_offset);
  });
  return base;
}

}  // namespace

Module module_at(void const* address) {
  Search search{.address = reinterpret_cast<std::uintptr_t>(address)};
  dl_iterate_phdr(visit_module, &search);
  if (!search.found.path.empty()) return search.found;
  auto found = answered_at(search.address);
  if (!found.path.empty()) return found;
  // Or else the kernel knows the file.
  found = module_in(read_file("/proc/self/maps").value_or(""), search.address);
  if (!found.path.empty()) found.build_id = build_id_of(found.path);
  return found;
}

Module module_in(std::string const& maps, std::uintptr_t address) {
  std::istringstream lines(maps);
  std::string line;
  while (std::getline(lines, line)) {
    std::istringstream fields(line);
    std::uintptr_t from = 0;
    std::uintptr_t to = 0;
    std::uintptr_t offset = 0;
    std::string ignored;
    std::string path;
    fields >> std::hex >> from;
    fields.ignore(1) >> to >> ignored >> offset >> ignored >> ignored >> std::ws;
    if (!fields || address < from || address >= to) continue;
    std::getline(fields, path);
    if (path.starts_with('/'))
      return {.path = path, .build_id = {}, .base = base_of(path, from, offset)};
  }
  return {};
}

/// Nearly all files have it in their first page.
std::string build_id_of(std::string const& path) {
  auto id = build_id_in_first(path, 1U << 12);
  return id.empty() ? build_id_in_first(path, 1U << 16) : id;
}

}  // namespace earl::symbols
