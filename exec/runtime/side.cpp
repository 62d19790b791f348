// SPDX-License-Identifier: BSD-3-Clause
#include "exec/runtime/side.hpp"

#include <link.h>

#include <string_view>

#include "exec/runtime/boot.hpp"
#include "generic/seams/shared_process.hpp"
#include "generic/system/elf_file.hpp"

namespace earl {

namespace {

constexpr std::string_view owner{"Earl\0", 5};  // as compiler/side.c writes it
constexpr std::string_view host{"host\0", 5};
constexpr std::string_view node{"node\0", 5};
constexpr std::string_view whole{"whole\0", 6};

std::string_view text_in(Bytes bytes) {
  return {reinterpret_cast<char const*>(bytes.data()), bytes.size()};
}

using LookAt = void (*)(Bytes notes, void* found);

void look_at_side(Bytes notes, void* found) {
  auto const side = side_in(notes);
  if (side != Side::either) *static_cast<Side*>(found) = side;
}

void look_at_application(Bytes notes, void* found) {
  if (is_application(notes)) *static_cast<bool*>(found) = true;
}

struct Search {
  LookAt look_at;
  void* found;
};

/// Looks at the program itself, which comes first, and at nothing else.
int look_at_program(dl_phdr_info* object, std::size_t, void* search) {
  auto const [look_at, found] = *static_cast<Search*>(search);
  for (std::size_t i = 0; i < object->dlpi_phnum; ++i) {
    auto const& segment = object->dlpi_phdr[i];
    if (segment.p_type != PT_NOTE) continue;
    auto const* notes = reinterpret_cast<std::byte const*>(object->dlpi_addr + segment.p_vaddr);
    look_at({notes, segment.p_filesz}, found);
  }
  return 1;
}

}  // namespace

Side side_in(Bytes notes) {
  auto found = Side::either;
  each_note(notes, [&](ElfNote const& note) {
    if (found != Side::either || note.owner != owner) return;
    if (text_in(note.content) == host) found = Side::host;
    if (text_in(note.content) == node) found = Side::node;
  });
  return found;
}

bool is_application(Bytes notes) {
  bool found = false;
  each_note(notes, [&](ElfNote const& note) {
    found = found || (note.owner == owner && text_in(note.content) == whole);
  });
  return found;
}

namespace boot {

Side linked_side() {
  Side side = Side::either;
  Search search{look_at_side, &side};
  if (auto const* const here = shared_process())
    for (auto const notes : here->notes()) look_at_side(notes, &side);
  else
    ::dl_iterate_phdr(look_at_program, &search);
  return side;
}

bool linked_as_application() {
  bool application = false;
  Search search{look_at_application, &application};
  if (!shared_process()) ::dl_iterate_phdr(look_at_program, &search);
  return application;
}

}  // namespace boot

}  // namespace earl
