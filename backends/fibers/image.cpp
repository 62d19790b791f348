// SPDX-License-Identifier: BSD-3-Clause
#include "backends/fibers/image.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "generic/base/error.hpp"

namespace earl::fibers {

namespace {

using FileHead = ElfW(Ehdr);
using Entry = ElfW(Dyn);

constexpr std::uint64_t page = 4096;
constexpr std::size_t most_segments = 64;
constexpr std::uint64_t down(std::uint64_t address) { return address & ~(page - 1); }
constexpr std::uint64_t up(std::uint64_t address) { return down(address + page - 1); }

/// The contents of the dynamic section, by tag; tables are addresses.
class Dynamic {
 public:
  explicit Dynamic(std::span<const Entry> entries) {
    for (auto const& entry : entries) {
      if (entry.d_tag == DT_NULL) break;
      if (entry.d_tag == DT_NEEDED)
        needed.push_back(entry.d_un.d_val);
      else
        values_.insert_or_assign(entry.d_tag, entry.d_un.d_val);
    }
  }
  std::uint64_t operator[](std::int64_t tag) const {
    auto const found = values_.find(tag);
    return found == values_.end() ? 0 : found->second;
  }
  bool has(std::int64_t tag) const { return values_.contains(tag); }

  std::vector<std::uint64_t> needed;

 private:
  std::unordered_map<std::int64_t, std::uint64_t> values_;
};

int protection(Segment const& segment) {
  return ((segment.p_flags & PF_R) != 0 ? PROT_READ : 0) |
         ((segment.p_flags & PF_W) != 0 ? PROT_WRITE : 0) |
         ((segment.p_flags & PF_X) != 0 ? PROT_EXEC : 0);
}

/// Whether one mapping serves both: neither is written, and the file has them as memory has.
bool continues(Segment const& first, Segment const& next) {
  auto const end = first.p_vaddr + first.p_memsz;
  return ((first.p_flags | next.p_flags) & PF_W) == 0 && first.p_filesz == first.p_memsz &&
         next.p_filesz == next.p_memsz && next.p_vaddr >= end && down(next.p_vaddr) <= up(end) &&
         next.p_vaddr - next.p_offset == first.p_vaddr - first.p_offset;
}

/// Headers, text and constants are mostly three segments. A rank with one mapping for them takes
/// five of those that the system grants a process (vm.max_map_count), with three seven.
std::vector<Segment> joined(std::vector<Segment> const& segments) {
  std::vector<Segment> all;
  for (auto const& segment : segments) {
    if (all.empty() || !continues(all.back(), segment)) {
      all.push_back(segment);
      continue;
    }
    auto& last = all.back();
    last.p_filesz = last.p_memsz = segment.p_vaddr + segment.p_memsz - last.p_vaddr;
    last.p_flags |= segment.p_flags;
  }
  return all;
}

[[noreturn]] void throw_no_room(std::string const& path, int number) {
  throw Error(Fault::no_memory,
              "cannot map one more copy of {}: {}; start fewer ranks (-n), or raise the sysctl "
              "vm.max_map_count",
              path, system_message(number));
}

template <class T>
std::span<const T> table(void const* start, std::size_t bytes) {
  return {static_cast<T const*>(start), start ? bytes / sizeof(T) : 0};
}

}  // namespace

Image::Image(std::string path) : path_(std::move(path)), file_(path_) {
  auto const bytes = file_.bytes();
  auto const size = bytes.size();
  FileHead head{};
  if (size < sizeof head)
    throw Error("cannot load {}: it has {} bytes, too few for an ELF file", path_, size);
  std::memcpy(&head, bytes.data(), sizeof head);
  if (std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_phentsize != sizeof(Segment) ||
      head.e_phnum > most_segments || head.e_phoff > size ||
      head.e_phnum * sizeof(Segment) > size - head.e_phoff)
    throw Error("cannot load {}: no ELF file for this CPU; compile it again on this host", path_);
  shared_object_ = head.e_type == ET_DYN;
  entry_ = head.e_entry;
  std::vector<Segment> all(head.e_phnum);
  std::memcpy(all.data(), bytes.data() + head.e_phoff, all.size() * sizeof(Segment));
  for (auto const& segment : all) {
    if (segment.p_type == PT_LOAD) segments_.push_back(segment);
    if (segment.p_type == PT_TLS) tls_ = segment;
    if (segment.p_type == PT_NOTE) notes_.push_back(segment);
    if (segment.p_type == PT_GNU_EH_FRAME) frames_ = segment.p_vaddr;
  }
  for (auto const& segment : segments_) {
    if (segment.p_offset > size || segment.p_filesz > size - segment.p_offset)
      throw Error("cannot load {}: the file ends before its contents do; copy or link it again",
                  path_);
    span_ = std::max(span_, up(segment.p_vaddr + segment.p_memsz));
  }
  mappings_ = joined(segments_);
  for (auto const& segment : all)
    if (segment.p_type == PT_DYNAMIC) read_dynamic(segment);
}

/// A part of the file; null: it is not in the file as a whole.
void const* Image::at(std::uint64_t address, std::size_t size) const {
  for (auto const& segment : segments_)
    if (address >= segment.p_vaddr && address - segment.p_vaddr < segment.p_filesz &&
        size <= segment.p_filesz - (address - segment.p_vaddr))
      return file_.bytes().data() + segment.p_offset + (address - segment.p_vaddr);
  return nullptr;
}

void Image::read_dynamic(Segment const& dynamic) {
  Dynamic const facts(table<Entry>(at(dynamic.p_vaddr, dynamic.p_filesz), dynamic.p_filesz));
  strings_size_ = facts[DT_STRSZ];
  strings_ = static_cast<char const*>(at(facts[DT_STRTAB], strings_size_));
  if (!strings_ || strings_size_ == 0 || strings_[strings_size_ - 1] != '\0')
    throw Error("{} is damaged: it has no names", path_);
  auto const text = [&](std::uint64_t where) {
    return std::string{where < strings_size_ ? strings_ + where : ""};
  };
  for (auto const where : facts.needed) needed_.push_back(text(where));
  if (facts.has(DT_SONAME)) soname_ = text(facts[DT_SONAME]);
  if (facts.has(DT_RUNPATH))
    search_ = text(facts[DT_RUNPATH]);
  else if (facts.has(DT_RPATH))
    search_ = text(facts[DT_RPATH]);
  text_relocations_ = facts.has(DT_TEXTREL) || (facts[DT_FLAGS] & DF_TEXTREL) != 0;
  auto const relocations = [&](std::uint64_t where, std::uint64_t size) {
    return table<Relocation>(at(where, size), size);
  };
  relocations_ = relocations(facts[DT_RELA], facts[DT_RELASZ]);
  procedure_relocations_ = relocations(facts[DT_JMPREL], facts[DT_PLTRELSZ]);
  constexpr std::int64_t relr = 36, relr_size = 35;  // newer than some headers
  relative_ = table<std::uint64_t>(at(facts[relr], facts[relr_size]), facts[relr_size]);
  preinit_ = {.array = facts[DT_PREINIT_ARRAY], .count = facts[DT_PREINIT_ARRAYSZ] / sizeof(void*)};
  init_ = {facts[DT_INIT], facts[DT_INIT_ARRAY], facts[DT_INIT_ARRAYSZ] / sizeof(void*)};
  fini_ = {facts[DT_FINI], facts[DT_FINI_ARRAY], facts[DT_FINI_ARRAYSZ] / sizeof(void*)};
  auto const count = symbols_by_hash(facts[DT_GNU_HASH], facts[DT_HASH]);
  symbols_ = table<Symbol>(at(facts[DT_SYMTAB], count * sizeof(Symbol)), count * sizeof(Symbol));
  versions_ = static_cast<std::uint16_t const*>(at(facts[DT_VERSYM], symbols_.size() * 2));
  if (versions_) read_needed_versions(facts[DT_VERNEED], facts[DT_VERNEEDNUM]);
  for (std::size_t i = 1; i < symbols_.size(); ++i) {
    auto const& symbol = symbols_[i];
    if (symbol.st_name >= strings_size_) throw Error("{} is damaged: a name is missing", path_);
    if (symbol.st_shndx != SHN_UNDEF && ELF64_ST_BIND(symbol.st_info) != STB_LOCAL)
      defined_.emplace(name(symbol), i);
  }
}

/// The number of symbols is nowhere said; the hash tables reach the last one that can be referred
/// to, relocations those that refer.
std::size_t Image::symbols_by_hash(std::uint64_t gnu, std::uint64_t old) const {
  std::size_t count = 0;
  for (auto const list : {relocations_, procedure_relocations_})
    for (auto const& one : list) count = std::max(count, std::size_t{ELF64_R_SYM(one.r_info)} + 1);
  if (auto const* head = static_cast<std::uint32_t const*>(at(old, 8)); old != 0 && head)
    return std::max(count, std::size_t{head[1]});
  auto const* head = static_cast<std::uint32_t const*>(at(gnu, 16));
  if (gnu == 0 || !head) return count;
  auto const buckets = gnu + 16 + std::uint64_t{head[2]} * sizeof(void*);
  auto const chains = buckets + std::uint64_t{head[0]} * 4;
  std::uint32_t last = 0;
  for (std::uint32_t b = 0; b < head[0]; ++b)
    if (auto const* bucket = static_cast<std::uint32_t const*>(at(buckets + b * 4, 4)))
      last = std::max(last, *bucket);
  if (last < head[1]) return std::max(count, std::size_t{head[1]});
  for (;; ++last) {
    auto const* link =
        static_cast<std::uint32_t const*>(at(chains + (std::uint64_t{last} - head[1]) * 4, 4));
    if (!link || (*link & 1) != 0) break;
  }
  return std::max(count, std::size_t{last} + 1);
}

void Image::read_needed_versions(std::uint64_t where, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    auto const* need = static_cast<ElfW(Verneed) const*>(at(where, sizeof(ElfW(Verneed))));
    if (!need) return;
    auto one = where + need->vn_aux;
    for (unsigned n = 0; n < need->vn_cnt; ++n) {
      auto const* version = static_cast<ElfW(Vernaux) const*>(at(one, sizeof(ElfW(Vernaux))));
      if (!version || version->vna_name >= strings_size_) return;
      version_names_[version->vna_other] = strings_ + version->vna_name;
      one += version->vna_next;
    }
    where += need->vn_next;
  }
}

char const* Image::version(std::size_t index) const {
  if (!versions_) return nullptr;
  auto const found = version_names_.find(versions_[index] & 0x7fff);
  return found == version_names_.end() ? nullptr : found->second;
}

Symbol const* Image::find(std::string_view name) const {
  auto const found = defined_.find(name);
  return found == defined_.end() ? nullptr : &symbols_[found->second];
}

bool Image::imports(std::string_view wanted) const {
  return std::ranges::any_of(symbols_, [&](Symbol const& symbol) {
    return symbol.st_shndx == SHN_UNDEF && symbol.st_name < strings_size_ && wanted == name(symbol);
  });
}

void Image::map_segment(std::uintptr_t base, Segment const& segment) const {
  auto const start = down(segment.p_vaddr);
  auto const in_file = segment.p_vaddr + segment.p_filesz;
  auto const end = segment.p_vaddr + segment.p_memsz;
  auto const address = [&](std::uint64_t where) { return reinterpret_cast<void*>(base + where); };
  if (segment.p_filesz != 0 &&
      ::mmap(address(start), in_file - start, protection(segment), MAP_PRIVATE | MAP_FIXED,
             file_.descriptor(), static_cast<off_t>(down(segment.p_offset))) == MAP_FAILED)
    throw_no_room(path_, errno);
  if (end <= in_file) return;
  auto const anonymous = segment.p_filesz != 0 ? up(in_file) : start;
  if (anonymous < up(end) && ::mmap(address(anonymous), up(end) - anonymous, protection(segment),
                                    MAP_PRIVATE | MAP_FIXED | MAP_ANONYMOUS, -1, 0) == MAP_FAILED)
    throw_no_room(path_, errno);
  if (anonymous > in_file && (segment.p_flags & PF_W) != 0)
    std::memset(address(in_file), 0, std::min(anonymous, end) - in_file);
}

std::uintptr_t Image::map() const {
  void* memory =
      ::mmap(nullptr, span_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw_no_room(path_, errno);
  auto const base = reinterpret_cast<std::uintptr_t>(memory);
  for (auto const& segment : mappings_) map_segment(base, segment);
  return base;
}

void Image::unmap(std::uintptr_t base) const { ::munmap(reinterpret_cast<void*>(base), span_); }

}  // namespace earl::fibers
