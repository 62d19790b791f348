// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/programs/elf.hpp"

#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <link.h>

#include <cstring>
#include <optional>

#include "generic/system/descriptor.hpp"
#include "generic/system/elf_file.hpp"
#include "generic/system/mapped_file.hpp"

namespace earl::exec {

namespace {

using FileHead = ElfW(Ehdr);
using Segment = ElfW(Phdr);
using Entry = ElfW(Dyn);

constexpr unsigned char own_class = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
constexpr std::size_t most_entries = 1U << 16;

bool starts_with(Bytes file, std::string_view text) {
  return file.size() >= text.size() && std::memcmp(file.data(), text.data(), text.size()) == 0;
}

/// The machine that this program itself was compiled for.
std::uint16_t own_machine() {
  static std::uint16_t const machine = [] {
    FileHead head{};
    Descriptor const self(::open("/proc/self/exe", O_RDONLY | O_CLOEXEC));
    return ::read(self.get(), &head, sizeof head) == ssize_t{sizeof head} ? head.e_machine
                                                                          : std::uint16_t{EM_NONE};
  }();
  return machine;
}

class ProgramFile {
 public:
  explicit ProgramFile(Bytes file) : file_(file) {
    each_segment(file, [this](Segment const& segment) { segments_.push_back(segment); });
  }

  void describe(FileFacts& facts) const {
    for (auto const& segment : segments_) {
      if (segment.p_type == PT_INTERP) facts.interpreted = true;
      if (segment.p_type == PT_DYNAMIC) describe(segment, facts);
      if (segment.p_type == PT_NOTE && facts.side == Side::either)
        facts.side = side_in(part_of(file_, segment.p_offset, segment.p_filesz));
    }
  }

 private:
  void describe(Segment const& dynamic, FileFacts& facts) const {
    facts.dynamic = true;
    std::vector<Entry> entries;
    auto const count = std::min(most_entries, std::size_t{dynamic.p_filesz / sizeof(Entry)});
    for (std::size_t i = 0; i < count; ++i) {
      auto const entry = entry_at<Entry>(file_, dynamic.p_offset + i * sizeof(Entry));
      if (!entry || entry->d_tag == DT_NULL) break;
      entries.push_back(*entry);
      if (entry->d_tag == DT_STRTAB) strings_ = offset_of(entry->d_un.d_ptr);
    }
    for (auto const& entry : entries) {
      if (entry.d_tag == DT_NEEDED) facts.needed.push_back(text(entry.d_un.d_val));
      if (entry.d_tag != DT_RUNPATH && (entry.d_tag != DT_RPATH || !facts.search.empty())) continue;
      facts.search = text(entry.d_un.d_val);
      facts.search_first = entry.d_tag == DT_RPATH;
    }
  }

  std::optional<std::uint64_t> offset_of(std::uint64_t address) const {
    for (auto const& segment : segments_)
      if (segment.p_type == PT_LOAD && address >= segment.p_vaddr &&
          address - segment.p_vaddr < segment.p_filesz)
        return address - segment.p_vaddr + segment.p_offset;
    return std::nullopt;
  }

  std::string text(std::uint64_t at) const {
    return strings_ ? std::string(text_at(file_, *strings_, at)) : std::string{};
  }

  Bytes file_;
  std::vector<Segment> segments_;
  mutable std::optional<std::uint64_t> strings_;
};

struct Machine {
  std::uint16_t number;
  char const* name;
};

/// The systems that old and present programs are for.
constexpr Machine machines[] = {
    {EM_386, "Intel 386"},      {EM_860, "Intel i860"},
    {EM_X86_64, "x86-64"},      {EM_ARM, "ARM"},
    {EM_AARCH64, "ARM"},        {EM_SPARC, "SPARC"},
    {EM_SPARCV9, "SPARC"},      {EM_MIPS, "MIPS"},
    {EM_PPC, "PowerPC"},        {EM_PPC64, "PowerPC"},
    {EM_68K, "Motorola 68000"}, {EM_ALPHA, "Alpha"},
    {EM_PARISC, "PA-RISC"},     {EM_S390, "S/390"},
    {EM_RISCV, "RISC-V"},       {EM_LOONGARCH, "LoongArch"},
};

}  // namespace

std::string architecture_text(std::uint16_t machine, int bits) {
  if (bits == 0) return "damaged or cut";
  for (auto const& row : machines)
    if (row.number == machine) return fmt::format("{}-bit {}", bits, row.name);
  return fmt::format("{}-bit machine {}", bits, machine);
}

std::string own_architecture_text() {
  return architecture_text(own_machine(), 8 * int{sizeof(void*)});
}

std::string mpi_library_of(FileFacts const& facts) {
  for (auto const& library : facts.needed) {
    if (library.starts_with("libmpich.so") || library == "libmpi.so.12")
      return fmt::format("MPICH ({})", library);
    if (library.starts_with("libmpi.so") || library.starts_with("libmpi_mpifh.so"))
      return fmt::format("Open MPI ({})", library);
  }
  return {};
}

FileFacts facts_of(Bytes file) {
  FileFacts facts;
  if (starts_with(file, "#!")) facts.kind = FileKind::script;
  if (starts_with(file, "!<arch>\n")) facts.kind = FileKind::archive;
  if (!starts_with(file, ELFMAG)) return facts;
  facts.kind = FileKind::foreign;
  auto const head = entry_at<FileHead>(file, 0);
  if (!head) return facts;
  // At the same place for both word sizes, but in the machine's own byte order.
  bool const big = head->e_ident[EI_DATA] == ELFDATA2MSB;
  facts.machine = big ? __builtin_bswap16(head->e_machine) : head->e_machine;
  facts.bits = head->e_ident[EI_CLASS] == ELFCLASS32 ? 32 : 64;
  facts.position_independent = head->e_type == ET_DYN;
  bool const linked = head->e_type != ET_REL;
  if (head->e_ident[EI_CLASS] != own_class || head->e_machine != own_machine() ||
      (linked && head->e_phentsize != sizeof(Segment)))
    return facts;
  if (!linked) {
    facts.kind = FileKind::object;
    return facts;
  }
  facts.kind = FileKind::elf;
  ProgramFile(file).describe(facts);
  return facts;
}

FileFacts facts_of_file(std::string const& path) { return facts_of(MappedFile(path).bytes()); }

}  // namespace earl::exec
