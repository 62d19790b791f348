// SPDX-License-Identifier: BSD-3-Clause
/// A program's or library's ELF file, read once and mapped as often as there are ranks.
#pragma once

#include <elf.h>
#include <link.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "generic/system/mapped_file.hpp"

namespace earl::fibers {

using Symbol = ElfW(Sym);
using Relocation = ElfW(Rela);
using Segment = ElfW(Phdr);

/// Functions to run when a copy begins or ends; addresses within the file's own address space.
struct Routines {
  std::uint64_t one = 0;    ///< DT_INIT or DT_FINI; 0: none
  std::uint64_t array = 0;  ///< DT_INIT_ARRAY or DT_FINI_ARRAY
  std::size_t count = 0;    ///< of the array
};

class Image {
 public:
  /// Throws Error with a sentence when the file cannot be read or is damaged.
  explicit Image(std::string path);
  Image(Image const&) = delete;
  Image& operator=(Image const&) = delete;

  std::string const& path() const { return path_; }
  bool shared_object() const { return shared_object_; }  ///< can be mapped anywhere
  bool text_relocations() const { return text_relocations_; }
  Segment const* thread_local_data() const { return tls_.p_type == PT_TLS ? &tls_ : nullptr; }
  std::vector<Segment> const& notes() const { return notes_; }
  std::uint64_t entry() const { return entry_; }
  std::uint64_t span() const { return span_; }  ///< bytes that a copy takes, from its base on
  std::vector<std::string> const& needed() const { return needed_; }
  std::string const& search() const { return search_; }  ///< DT_RUNPATH or DT_RPATH
  std::string const& soname() const { return soname_; }
  Routines const& at_start() const { return init_; }
  Routines const& at_end() const { return fini_; }
  Routines const& before_start() const { return preinit_; }
  std::uint64_t frames() const { return frames_; }  ///< of .eh_frame_hdr; 0: none

  std::span<const Relocation> relocations(bool procedures) const {
    return procedures ? procedure_relocations_ : relocations_;
  }
  std::span<const std::uint64_t> relative_relocations() const { return relative_; }
  Symbol const& symbol(std::size_t index) const { return symbols_[index]; }
  std::size_t symbol_count() const { return symbols_.size(); }
  char const* name(Symbol const& symbol) const { return strings_ + symbol.st_name; }
  /// The version that an undefined symbol requires; null: any will do.
  char const* version(std::size_t index) const;
  /// Whether the file takes `name` from another.
  bool imports(std::string_view name) const;
  /// A symbol that others can refer to; null: the file defines none of that name.
  Symbol const* find(std::string_view name) const;

  /// Maps a copy: text and constants are the file's own pages, data are private. Returns the
  /// address that the file's address 0 is at. Throws Error when there is no room.
  std::uintptr_t map() const;
  void unmap(std::uintptr_t base) const;
  /// Whether the address is in a copy's text.
  bool covers(std::uintptr_t base, std::uintptr_t address) const { return address - base < span_; }

 private:
  void read_dynamic(Segment const& dynamic);
  void read_needed_versions(std::uint64_t at, std::size_t count);
  std::size_t symbols_by_hash(std::uint64_t gnu, std::uint64_t old) const;
  void const* at(std::uint64_t address, std::size_t size) const;
  void map_segment(std::uintptr_t base, Segment const& segment) const;

  std::string path_;
  MappedFile file_;
  bool shared_object_ = false;
  bool text_relocations_ = false;
  std::uint64_t entry_ = 0;
  std::uint64_t span_ = 0;
  std::uint64_t frames_ = 0;
  std::vector<Segment> segments_, notes_;
  std::vector<Segment> mappings_;  ///< the segments as they are mapped
  Segment tls_{};
  Routines preinit_, init_, fini_;
  std::vector<std::string> needed_;
  std::string search_, soname_;
  char const* strings_ = nullptr;
  std::size_t strings_size_ = 0;
  std::span<const Symbol> symbols_;
  std::span<const Relocation> relocations_, procedure_relocations_;
  std::span<const std::uint64_t> relative_;
  std::uint16_t const* versions_ = nullptr;
  std::unordered_map<std::uint16_t, char const*> version_names_;
  std::unordered_map<std::string_view, std::size_t> defined_;
};

}  // namespace earl::fibers
