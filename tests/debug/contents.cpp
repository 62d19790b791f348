// SPDX-License-Identifier: BSD-3-Clause
/// Files of contents.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "debug/contents/file.hpp"
#include "generic/base/error.hpp"
#include "tests/debug/helpers.hpp"

using namespace earl;
using contents::ContentsReader;
using contents::ContentsWriter;
using contents::Part;
using trace::TemporaryFolder;

namespace {

Bytes text(std::string_view payload) { return std::as_bytes(std::span{payload}); }

std::string text_of(Bytes bytes) {
  return {reinterpret_cast<char const*>(bytes.data()), bytes.size()};
}

std::string written(std::string const& folder) {
  auto path = folder + "/c.packets";
  ContentsWriter file(path);
  file.put(Part::packet, text("head"), Gather{text("body")});
  file.put(Part::table, {});
  file.put(Part::answer, text("last"));
  return path;
}

}  // namespace

TEST_CASE("records of contents come back as they were written") {
  const TemporaryFolder folder;
  ContentsReader file(written(folder.path()));
  ContentsReader::Record record;
  REQUIRE(file.next(record));
  CHECK(record.part == Part::packet);
  CHECK(text_of(record.body) == "headbody");
  REQUIRE(file.next(record));
  CHECK(record.part == Part::table);
  CHECK(record.body.empty());
  REQUIRE(file.next(record));
  CHECK(text_of(record.body) == "last");
  CHECK_FALSE(file.next(record));
}

TEST_CASE("a cut file of contents ends before the cut, at any byte") {
  const TemporaryFolder folder;
  auto const path = written(folder.path());
  auto const size = std::filesystem::file_size(path);
  for (auto left = size - 1; left > 0; --left) {
    std::filesystem::resize_file(path, left);
    ContentsReader file(path);
    ContentsReader::Record record;
    unsigned count = 0;
    while (file.next(record)) ++count;
    CHECK(count < 3);
  }
}

TEST_CASE("a changed byte of contents is found, or ends the file") {
  const TemporaryFolder folder;
  auto const path = written(folder.path());
  auto const size = std::filesystem::file_size(path);
  unsigned without_effect = 0;
  for (std::uintmax_t at = 0; at < size; ++at) {
    written(folder.path());
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(static_cast<std::streamoff>(at));
    auto const byte = static_cast<char>(file.get() ^ 0x10);
    file.seekp(static_cast<std::streamoff>(at));
    file.put(byte);
    file.close();
    ContentsReader reader(path);
    ContentsReader::Record record;
    unsigned count = 0;
    try {
      while (reader.next(record)) ++count;
    } catch (Error const& error) {
      CHECK(std::string{error.what()}.find("is damaged") != std::string::npos);
      continue;
    }
    if (count == 3) ++without_effect;
  }
  CHECK(without_effect == 9);  // unused bytes of the three heads
}
