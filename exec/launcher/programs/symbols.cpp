// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/programs/symbols.hpp"

#include <ar.h>
#include <elf.h>
#include <link.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>

#include "generic/system/elf_file.hpp"

namespace earl::exec {

namespace {

using FileHead = ElfW(Ehdr);
using Section = ElfW(Shdr);
using Symbol = ElfW(Sym);

constexpr std::size_t most_symbols = 1U << 20;
constexpr auto stub_section = "earl_stubs";

class Tables {
 public:
  Tables(Bytes file, FileHead const& head) : file_(file) {
    for (std::size_t i = 0; i < head.e_shnum; ++i)
      if (auto const section = entry_at<Section>(file, head.e_shoff + i * sizeof(Section)))
        sections_.push_back(*section);
    names_ = head.e_shstrndx;
  }

  /// From a linked file's SHT_DYNSYM, or an object's SHT_SYMTAB.
  Symbols listed_in(std::uint32_t type) const {
    Symbols found;
    auto const stubs = stub_addresses();
    for (auto const& section : sections_) {
      if (section.sh_type != type) continue;
      auto const count = std::min<std::uint64_t>(section.sh_size / sizeof(Symbol), most_symbols);
      for (std::uint64_t i = 1; i < count; ++i)
        if (auto const symbol = entry_at<Symbol>(file_, section.sh_offset + i * sizeof(Symbol)))
          sort_in(found, *symbol, text(section.sh_link, symbol->st_name), stubs);
    }
    return found;
  }

 private:
  static void sort_in(Symbols& found, Symbol const& symbol, std::string const& name,
                      std::set<std::uint64_t> const& stubs) {
    if (name.empty()) return;
    if (symbol.st_shndx == SHN_UNDEF) {
      found.imports.insert(name);
      return;
    }
    found.exports.insert(name);
    auto const stub = stubs.lower_bound(symbol.st_value);
    if (stub != stubs.end() && *stub < symbol.st_value + symbol.st_size) found.stubs.insert(name);
  }

  /// Each entry is the distance from itself to a place in a stub.
  std::set<std::uint64_t> stub_addresses() const {
    std::set<std::uint64_t> addresses;
    for (auto const& section : sections_) {
      if (text(names_, section.sh_name) != stub_section) continue;
      for (std::uint64_t i = 0; i < section.sh_size / sizeof(std::int32_t); ++i) {
        auto const entry = i * sizeof(std::int32_t);
        if (auto const distance = entry_at<std::int32_t>(file_, section.sh_offset + entry))
          addresses.insert(section.sh_addr + entry + static_cast<std::uint64_t>(*distance));
        else
          return addresses;
      }
    }
    return addresses;
  }

  std::string text(std::uint32_t table, std::uint32_t offset) const {
    if (table >= sections_.size()) return {};
    return std::string(text_at(file_, sections_[table].sh_offset, offset));
  }

  Bytes file_;
  std::vector<Section> sections_;
  std::uint32_t names_ = 0;
};

Symbols listed_in(Bytes file, std::uint32_t type) {
  auto const head = elf_head_of(file);
  if (!head || head->e_shentsize != sizeof(Section)) return {};
  return Tables(file, *head).listed_in(type);
}

/// The size in the head of an archive's member; null: the head is damaged.
std::optional<std::size_t> size_of_member(ar_hdr const& head) {
  if (std::memcmp(head.ar_fmag, ARFMAG, sizeof head.ar_fmag) != 0) return std::nullopt;
  std::size_t size = 0;
  auto const [end, failed] =
      std::from_chars(head.ar_size, head.ar_size + sizeof head.ar_size, size);
  if (failed != std::errc{}) return std::nullopt;
  return size;
}

/// Members begin at even offsets.
std::set<std::string> imports_of_archive(Bytes file) {
  Symbols all;
  for (std::size_t next = SARMAG; auto const head = entry_at<ar_hdr>(file, next);) {
    auto const begin = next + sizeof *head;
    auto const size = size_of_member(*head);
    if (!size || *size > file.size() - begin) break;
    all.merge(listed_in(file.subspan(begin, *size), SHT_SYMTAB));
    next = begin + *size + *size % 2;
  }
  std::erase_if(all.imports, [&](auto const& name) { return all.exports.contains(name); });
  return all.imports;
}

}  // namespace

void Symbols::merge(Symbols more) {
  imports.merge(more.imports);
  exports.merge(more.exports);
  stubs.merge(more.stubs);
}

Symbols symbols_of(Bytes file) { return listed_in(file, SHT_DYNSYM); }

std::set<std::string> imports_of_unlinked(Bytes file) {
  bool const archive = file.size() >= SARMAG && std::memcmp(file.data(), ARMAG, SARMAG) == 0;
  return archive ? imports_of_archive(file) : listed_in(file, SHT_SYMTAB).imports;
}

}  // namespace earl::exec
