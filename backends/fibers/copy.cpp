// SPDX-License-Identifier: BSD-3-Clause
#include "backends/fibers/copy.hpp"

#include <algorithm>
#include <cstring>

#include "backends/fibers/relocation.hpp"
#include "generic/base/error.hpp"

namespace earl::fibers {

namespace {

std::uint64_t& word_at(std::uintptr_t address) {
  return *reinterpret_cast<std::uint64_t*>(address);
}

std::uintptr_t call(std::uintptr_t function) {
  return reinterpret_cast<std::uintptr_t (*)()>(function)();
}

}  // namespace

Copy::Copy(Program const& program)
    : program_(program),
      memory_(std::make_unique<std::byte[]>(program.cell_bytes())),
      thread_locals_(program.images()) {
  for (auto const& image : program.images()) bases_.push_back(image->map());
  // Libraries first: the program copies variables out of them that must be complete.
  for (std::size_t i = bases_.size(); i-- > 0;) relocate(i);
  for (std::size_t i = 0; i < program.cells().size(); ++i)
    if (!program.cells()[i].defined)
      std::memcpy(cell(i), program.cells()[i].shared, program.cells()[i].size);
  thread_locals_.fill(program.images(), bases_);
}

Copy::~Copy() {
  for (std::size_t i = 0; i < bases_.size(); ++i) program_.images()[i]->unmap(bases_[i]);
}

std::uintptr_t Copy::entry() const { return bases_[0] + program_.images().front()->entry(); }

void Copy::relocate(std::size_t image) {
  apply_relative(image);
  auto const& file = *program_.images()[image];
  std::vector<Relocation const*> last;
  for (bool const procedures : {false, true})
    for (auto const& relocation : file.relocations(procedures))
      if (asks(relocation) == RelocationKind::function)
        last.push_back(&relocation);  // it may need everything else
      else
        apply(image, relocation);
  for (auto const* relocation : last) apply(image, *relocation);
}

/// DT_RELR: an even word is an address, an odd one says which of the next 63 words follow.
void Copy::apply_relative(std::size_t image) {
  auto const base = bases_[image];
  std::uintptr_t next = 0;
  for (auto const entry : program_.images()[image]->relative_relocations()) {
    if ((entry & 1) == 0) {
      word_at(base + entry) += base;
      next = base + entry + sizeof entry;
      continue;
    }
    for (unsigned bit = 1; bit < 64; ++bit)
      if ((entry >> bit & 1) != 0) word_at(next + (bit - 1) * sizeof entry) += base;
    next += 63 * sizeof entry;
  }
}

void Copy::apply(std::size_t image, Relocation const& relocation) {
  auto const base = bases_[image];
  auto const place = base + relocation.r_offset;
  auto const addend = static_cast<std::uint64_t>(relocation.r_addend);
  auto const index = ELF64_R_SYM(relocation.r_info);
  auto const symbol = [&] { return address_of(program_.target(image, index)); };
  switch (asks(relocation)) {
    case RelocationKind::nothing:
      return;
    case RelocationKind::base:
      word_at(place) = base + addend;
      return;
    case RelocationKind::symbol:
      word_at(place) = symbol();
      return;
    case RelocationKind::symbol_sum:
      word_at(place) = symbol() + addend;
      return;
    case RelocationKind::copy:
      if (auto const* source = program_.source(relocation.r_offset))
        std::memcpy(reinterpret_cast<void*>(place),
                    reinterpret_cast<void const*>(bases_[source->image] + source->address),
                    source->size);
      return;
    case RelocationKind::function:
      word_at(place) = call(base + addend);
      return;
    case RelocationKind::tls_module:
    case RelocationKind::tls_offset:
    case RelocationKind::tls_address:
    case RelocationKind::tls_descriptor:
      return apply_thread_local(image, relocation);
    case RelocationKind::unknown:
      break;
  }
  throw Error("{} has a relocation ({}) that Earl does not know: use --on shm",
              program_.images()[image]->path(), ELF64_R_TYPE(relocation.r_info));
}

/// The words are the rank's, so that they can hold addresses where other loaders have numbers of
/// modules; the hook of __tls_get_addr knows.
void Copy::apply_thread_local(std::size_t image, Relocation const& relocation) {
  auto const place = bases_[image] + relocation.r_offset;
  auto const target = program_.thread_local_target(image, ELF64_R_SYM(relocation.r_info));
  auto const offset = target.value + static_cast<std::uint64_t>(relocation.r_addend);
  auto const block = thread_locals_.block(target.which);
  switch (asks(relocation)) {
    case RelocationKind::tls_module:
      word_at(place) = block;
      return;
    case RelocationKind::tls_offset:
      word_at(place) = offset;
      return;
    case RelocationKind::tls_descriptor:
      word_at(place) = reinterpret_cast<std::uintptr_t>(earl_thread_local_distance);
      word_at(place + sizeof(std::uint64_t)) = block + offset;
      return;
    default:
      word_at(place) =
          block + offset - reinterpret_cast<std::uintptr_t>(__builtin_thread_pointer());
  }
}

std::uintptr_t Copy::address_of(Target const& target) const {
  switch (target.kind) {
    case Target::Kind::own:
      return bases_[target.which] + target.value;
    case Target::Kind::own_function:
      return call(bases_[target.which] + target.value);
    case Target::Kind::cell:
      return reinterpret_cast<std::uintptr_t>(cell(target.which));
    case Target::Kind::fixed:
    case Target::Kind::thread_local_variable:  // apply_thread_local()
    case Target::Kind::unknown:
      break;
  }
  return target.value;
}

void* Copy::cell(std::size_t index) const {
  auto const& plan = program_.cells()[index];
  if (plan.in_program) return reinterpret_cast<void*>(bases_[0] + plan.offset);
  return memory_.get() + plan.offset;
}

void* Copy::variable(std::string_view name) const {
  for (std::size_t i = 0; i < program_.cells().size(); ++i)
    if (program_.cells()[i].name == name) return cell(i);
  return nullptr;
}

void* Copy::symbol(std::string_view name, std::optional<std::size_t> behind) const {
  auto const target = program_.find(name, behind);
  if (target.kind == Target::Kind::unknown) return nullptr;
  return reinterpret_cast<void*>(address_of(target));
}

std::vector<Process::Cell> Copy::cells() const {
  std::vector<Process::Cell> list;
  for (std::size_t i = 0; i < program_.cells().size(); ++i)
    list.push_back({.shared = program_.cells()[i].shared, .own = cell(i)});
  std::ranges::sort(list, {}, &Process::Cell::shared);
  return list;
}

Copy::Place Copy::place_of(std::uintptr_t address) const {
  for (std::size_t i = 0; i < bases_.size(); ++i)
    if (program_.images()[i]->covers(bases_[i], address))
      return {program_.images()[i].get(), i, address - bases_[i]};
  return {};
}

}  // namespace earl::fibers
