// SPDX-License-Identifier: BSD-3-Clause
#include "generic/system/elf_file.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

using namespace earl;

namespace {

std::string note(std::string const& owner, std::string const& content, std::uint32_t claimed) {
  ElfW(Nhdr) const head{static_cast<std::uint32_t>(owner.size()), claimed, 3};
  auto const pad = [](std::string text) { return text.append((4 - text.size() % 4) % 4, '\0'); };
  return std::string(reinterpret_cast<char const*>(&head), sizeof head) + pad(owner) + pad(content);
}

std::vector<std::string> contents(std::string const& notes) {
  std::vector<std::string> found;
  each_note(std::as_bytes(std::span{notes}), [&](ElfNote const& one) {
    found.push_back(
        std::string(one.owner) +
        std::string(reinterpret_cast<char const*>(one.content.data()), one.content.size()));
  });
  return found;
}

/// An ELF file of so many segments, of which the n-th is of type n.
std::string file_of(std::uint16_t segments) {
  ElfW(Ehdr) head{};
  std::memcpy(head.e_ident, ELFMAG, SELFMAG);
  head.e_phoff = sizeof head;
  head.e_phentsize = sizeof(ElfW(Phdr));
  head.e_phnum = segments;
  std::string file(reinterpret_cast<char const*>(&head), sizeof head);
  for (std::uint32_t n = 0; n < segments; ++n) {
    ElfW(Phdr) segment{};
    segment.p_type = n;
    file.append(reinterpret_cast<char const*>(&segment), sizeof segment);
  }
  return file;
}

std::vector<std::uint32_t> types_in(std::string const& file) {
  std::vector<std::uint32_t> types;
  each_segment(std::as_bytes(std::span{file}),
               [&](ElfW(Phdr) const& segment) { types.push_back(segment.p_type); });
  return types;
}

}  // namespace

TEST_CASE("notes are padded to words, and read up to the first that is cut") {
  auto const two = note("GNU", "12345", 5) + note("Earl", "6", 1);
  CHECK(contents(two) == std::vector<std::string>{"GNU12345", "Earl6"});
  CHECK(contents(two + note("GNU", "7", 1000)).size() == 2);
  CHECK(contents(two + note("GNU", "7", 0xffff'ffff)).size() == 2);
  CHECK(contents(two.substr(0, two.size() - 3)).size() == 2);  // the last one's padding is missing
  CHECK(contents(two.substr(0, two.size() - 4)).size() == 1);
  CHECK(contents("").empty());
}

TEST_CASE("segments are read as far as the file goes") {
  auto const file = file_of(3);
  CHECK(types_in(file) == std::vector<std::uint32_t>{0, 1, 2});
  CHECK(types_in(file.substr(0, file.size() - 1)) == std::vector<std::uint32_t>{0, 1});
  CHECK(types_in(file.substr(0, 10)).empty());
  CHECK(types_in("no ELF file" + file).empty());
}
