// SPDX-License-Identifier: BSD-3-Clause
#include "exec/runtime/wrapper_chain.hpp"

#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "exec/runtime/loaded_files.hpp"

#if defined(__x86_64__)
#include "exec/runtime/relocations_x86_64.hpp"
#elif defined(__aarch64__)
#include "exec/runtime/relocations_aarch64.hpp"
#endif

namespace earl {

namespace {

using Relocation = ElfW(Rela);
using Symbol = ElfW(Sym);
using Segment = ElfW(Phdr);

/// The relocation tables of a file's dynamic section.
class References {
 public:
  explicit References(link_map const& file) : base_(file.l_addr) {
    std::map<ElfW(Sxword), std::uint64_t> entries;
    for (auto const* entry = file.l_ld; entry->d_tag != DT_NULL; ++entry)
      entries[entry->d_tag] = entry->d_un.d_val;
    symbols_ = reinterpret_cast<Symbol const*>(entries[DT_SYMTAB]);
    strings_ = reinterpret_cast<char const*>(entries[DT_STRTAB]);
    lists_[0] = list(entries[DT_RELA], entries[DT_RELASZ]);
    if (entries[DT_PLTREL] == DT_RELA) lists_[1] = list(entries[DT_JMPREL], entries[DT_PLTRELSZ]);
  }

  /// Calls visit(name, slot, addend) for each word that holds the address of another file's symbol.
  template <class Visit>
  void each(Visit const& visit) const {
    for (auto const& relocations : lists_)
      for (auto const& one : relocations) {
        auto const type = static_cast<std::uint32_t>(ELF64_R_TYPE(one.r_info));
        auto const& symbol = symbols_[ELF64_R_SYM(one.r_info)];
        if (std::ranges::count(slot_types, type) == 0 || symbol.st_shndx != SHN_UNDEF) continue;
        visit(strings_ + symbol.st_name, reinterpret_cast<std::uintptr_t*>(base_ + one.r_offset),
              type == sum_type ? static_cast<std::uintptr_t>(one.r_addend) : 0);
      }
  }

 private:
  static std::span<Relocation const> list(std::uint64_t address, std::uint64_t size) {
    if (address == 0) return {};
    return {reinterpret_cast<Relocation const*>(address), size / sizeof(Relocation)};
  }

  std::uintptr_t base_;
  Symbol const* symbols_ = nullptr;
  char const* strings_ = nullptr;
  std::span<Relocation const> lists_[2]{};
};

/// Whether relocated words of a file may be written: it says so, or the loader has closed them
/// behind itself.
class Protection {
 public:
  explicit Protection(link_map const& file) : base_(file.l_addr), name_(file.l_name) {
    ::dl_iterate_phdr(take, this);
  }

  bool write(std::uintptr_t* slot, std::uintptr_t value) const {
    auto const at = reinterpret_cast<std::uintptr_t>(slot) - base_;
    if (!in(PT_LOAD, at, PF_W)) return false;
    bool const closed = in(PT_GNU_RELRO, at, 0);
    auto const page = reinterpret_cast<std::uintptr_t>(slot) & ~(page_size() - 1);
    auto* const memory = reinterpret_cast<void*>(page);
    if (closed && ::mprotect(memory, page_size(), PROT_READ | PROT_WRITE) != 0) return false;
    *slot = value;
    // The last page of that part may hold data that stays writable.
    if (closed && in(PT_GNU_RELRO, page - base_ + page_size() - 1, 0))
      ::mprotect(memory, page_size(), PROT_READ);
    return true;
  }

 private:
  static std::uintptr_t page_size() {
    static auto const size = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    return size;
  }

  static int take(dl_phdr_info* facts, std::size_t, void* self) {
    auto& me = *static_cast<Protection*>(self);
    if (facts->dlpi_addr != me.base_ || me.name_ != facts->dlpi_name) return 0;
    me.segments_ = {facts->dlpi_phdr, facts->dlpi_phnum};
    return 1;
  }

  bool in(std::uint32_t type, std::uintptr_t at, std::uint32_t flags) const {
    return std::ranges::any_of(segments_, [&](Segment const& segment) {
      return segment.p_type == type && at - segment.p_vaddr < segment.p_memsz &&
             (segment.p_flags & flags) == flags;
    });
  }

  std::uintptr_t base_;
  std::string_view name_;
  std::span<Segment const> segments_{};
};

class Chain {
 public:
  /// The program stands first: it may wrap calls itself.
  explicit Chain(LoadedFiles const& files) : files_(files), wrappers_{files.program()} {
    for (auto const* file : files.preloaded()) wrappers_.push_back(file);
  }

  void close() {
    for (std::size_t i = 0; i + 1 < wrappers_.size(); ++i) point_to_next(i);
  }

 private:
  void point_to_next(std::size_t at) {
    const Protection memory(*wrappers_[at]);
    References(*wrappers_[at])
        .each([&](char const* name, std::uintptr_t* slot, std::uintptr_t addend) {
          if (*name != 'P' && *name != 'p') return;
          // In a program only the wrapped calls: its other calls by second names are intended.
          if (at == 0 && !definition(wrappers_[0], name + 1)) return;
          if (void* const next = behind(at, name + 1); next && is_second_name(name))
            memory.write(slot, reinterpret_cast<std::uintptr_t>(next) + addend);
        });
  }

  void* behind(std::size_t at, char const* name) const {
    for (auto i = at + 1; i < wrappers_.size(); ++i)
      if (void* const address = definition(wrappers_[i], name)) return address;
    return nullptr;
  }

  /// Whether one of Earl's libraries has the name and the one that it is the second of.
  bool is_second_name(char const* name) {
    return std::ranges::any_of(files_.all(), [&](auto const* file) {
      return std::ranges::count(wrappers_, file) == 0 && file != files_.self() &&
             definition(file, name) && definition(file, name + 1) &&
             files_.needs(file, files_.self());
    });
  }

  LoadedFiles const& files_;
  std::vector<link_map const*> wrappers_;
};

}  // namespace

void chain_wrappers() {
  LoadedFiles const files;
  if (files.all().empty() || files.preloaded().empty()) return;
  Chain(files).close();
}

}  // namespace earl
