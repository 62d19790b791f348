// SPDX-License-Identifier: BSD-3-Clause
#include "exec/runtime/side.hpp"

#include <elf.h>
#include <link.h>

#include <cstring>
#include <string_view>

#include "exec/runtime/boot.hpp"
#include "generic/seams/shared_process.hpp"

namespace earl {

namespace {

constexpr std::string_view owner{"Earl\0", 5};  // as compiler/side.c writes it
constexpr std::string_view host{"host\0", 5};
constexpr std::string_view node{"node\0", 5};

/// Names and descriptions are padded to words.
std::size_t padded(std::size_t size) { return (size + 3) / 4 * 4; }

std::string_view text_at(Bytes notes, std::size_t offset, std::size_t size) {
  if (offset > notes.size() || size > notes.size() - offset) return {};
  return {reinterpret_cast<char const*>(notes.data()) + offset, size};
}

void look_at(Bytes notes, Side& found) {
  auto const side = side_in(notes);
  if (side != Side::either) found = side;
}

/// Looks at the program itself, which comes first, and at nothing else.
int look_at_program(dl_phdr_info* object, std::size_t, void* found) {
  for (std::size_t i = 0; i < object->dlpi_phnum; ++i) {
    auto const& segment = object->dlpi_phdr[i];
    if (segment.p_type != PT_NOTE) continue;
    auto const* notes = reinterpret_cast<std::byte const*>(object->dlpi_addr + segment.p_vaddr);
    look_at({notes, segment.p_filesz}, *static_cast<Side*>(found));
  }
  return 1;
}

}  // namespace

Side side_in(Bytes notes) {
  for (std::size_t at = 0; notes.size() - at >= sizeof(ElfW(Nhdr));) {
    ElfW(Nhdr) head{};
    std::memcpy(&head, notes.data() + at, sizeof head);
    at += sizeof head;
    auto const name = text_at(notes, at, head.n_namesz);
    at += padded(head.n_namesz);
    auto const text = text_at(notes, at, head.n_descsz);
    at += padded(head.n_descsz);
    if (name == owner && text == host) return Side::host;
    if (name == owner && text == node) return Side::node;
    if (at > notes.size()) break;
  }
  return Side::either;
}

namespace boot {

Side linked_side() {
  Side side = Side::either;
  if (auto const* const here = shared_process())
    for (auto const notes : here->notes()) look_at(notes, side);
  else
    ::dl_iterate_phdr(look_at_program, &side);
  return side;
}

}  // namespace boot

}  // namespace earl
