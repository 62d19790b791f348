// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/programs/symbols.hpp"

#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "exec/launcher/programs/file_tables.hpp"

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
      if (auto const section = at<Section>(file, head.e_shoff + i * sizeof(Section)))
        sections_.push_back(*section);
    names_ = head.e_shstrndx;
  }

  Symbols dynamic() const {
    Symbols found;
    auto const stubs = stub_addresses();
    for (auto const& section : sections_) {
      if (section.sh_type != SHT_DYNSYM) continue;
      auto const count = std::min<std::uint64_t>(section.sh_size / sizeof(Symbol), most_symbols);
      for (std::uint64_t i = 1; i < count; ++i)
        if (auto const symbol = at<Symbol>(file_, section.sh_offset + i * sizeof(Symbol)))
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
        if (auto const distance = at<std::int32_t>(file_, section.sh_offset + entry))
          addresses.insert(section.sh_addr + entry + static_cast<std::uint64_t>(*distance));
        else
          return addresses;
      }
    }
    return addresses;
  }

  std::string text(std::uint32_t table, std::uint32_t offset) const {
    if (table >= sections_.size()) return {};
    auto const start = sections_[table].sh_offset;
    if (start > file_.size() || offset >= file_.size() - start) return {};
    auto const rest = file_.subspan(start + offset);
    auto const* begin = reinterpret_cast<char const*>(rest.data());
    return {begin, ::strnlen(begin, rest.size())};
  }

  Bytes file_;
  std::vector<Section> sections_;
  std::uint32_t names_ = 0;
};

}  // namespace

Symbols symbols_of(Bytes file) {
  auto const head = at<FileHead>(file, 0);
  if (!head || std::memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 ||
      head->e_shentsize != sizeof(Section))
    return {};
  return Tables(file, *head).dynamic();
}

}  // namespace earl::exec
