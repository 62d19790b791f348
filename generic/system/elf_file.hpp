// SPDX-License-Identifier: BSD-3-Clause
/// The tables of an ELF file of this word size, read from its bytes. A cut or damaged file has
/// shorter tables.
#pragma once

#include <elf.h>
#include <link.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

#include "generic/base/bytes.hpp"

namespace earl {

/// A copy, because nothing says that the file's tables are aligned. Null: the file ends before it.
template <class What>
std::optional<What> entry_at(Bytes file, std::uint64_t offset) {
  if (offset > file.size() || file.size() - offset < sizeof(What)) return std::nullopt;
  What what{};
  std::memcpy(&what, file.data() + offset, sizeof what);
  return what;
}

/// Empty: the file ends before it does.
inline Bytes part_of(Bytes file, std::uint64_t offset, std::uint64_t size) {
  if (offset > file.size() || size > file.size() - offset) return {};
  return file.subspan(offset, size);
}

/// The text that begins at `offset` of a table of texts; empty: the file ends before it does.
inline std::string_view text_at(Bytes file, std::uint64_t table, std::uint64_t offset) {
  if (table > file.size() || offset >= file.size() - table) return {};
  auto const rest = file.subspan(table + offset);
  auto const* begin = reinterpret_cast<char const*>(rest.data());
  return {begin, ::strnlen(begin, rest.size())};
}

/// Null: the file ends before its head does, or is no ELF file.
inline std::optional<ElfW(Ehdr)> elf_head_of(Bytes file) {
  auto const head = entry_at<ElfW(Ehdr)>(file, 0);
  return head && std::memcmp(head->e_ident, ELFMAG, SELFMAG) == 0 ? head : std::nullopt;
}

/// Calls visit(ElfW(Phdr) const&) for each segment.
template <class Visit>
void each_segment(Bytes file, Visit const& visit) {
  auto const head = elf_head_of(file);
  if (!head || head->e_phentsize != sizeof(ElfW(Phdr))) return;
  for (std::size_t i = 0; i < head->e_phnum; ++i)
    if (auto const segment = entry_at<ElfW(Phdr)>(file, head->e_phoff + i * sizeof(ElfW(Phdr))))
      visit(*segment);
}

struct ElfNote {
  std::uint32_t type = 0;
  std::string_view owner{};  ///< with its final zero
  Bytes content{};
};

/// Calls visit(ElfNote const&) for each note of a segment of notes.
template <class Visit>
void each_note(Bytes notes, Visit const& visit) {
  auto const padded = [](std::uint64_t size) { return (size + 3) / 4 * 4; };
  std::uint64_t next = 0;
  while (auto const head = entry_at<ElfW(Nhdr)>(notes, next)) {
    auto const name = next + sizeof *head;
    auto const content = name + padded(head->n_namesz);
    if (content > notes.size() || head->n_descsz > notes.size() - content) return;
    next = content + padded(head->n_descsz);
    auto const owner = part_of(notes, name, head->n_namesz);
    visit(ElfNote{.type = head->n_type,
                  .owner = {reinterpret_cast<char const*>(owner.data()), owner.size()},
                  .content = part_of(notes, content, head->n_descsz)});
  }
}

}  // namespace earl
