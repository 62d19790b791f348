// SPDX-License-Identifier: BSD-3-Clause
#include "backends/fibers/image.hpp"

#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "generic/base/error.hpp"

using namespace earl;
using fibers::Image;

namespace {

/// A file of its own for damage.
class Scratch {
 public:
  Scratch() {
    char name[] = "/tmp/earl-image-XXXXXX";
    ::close(::mkstemp(name));
    path_ = name;
  }
  ~Scratch() { std::filesystem::remove(path_); }
  std::string const& path() const { return path_; }
  void write(std::string const& bytes) const { std::ofstream(path_, std::ios::binary) << bytes; }

 private:
  std::string path_;
};

std::string own_file() {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Mappings of this process in a range of addresses.
std::size_t mappings(std::uintptr_t from, std::uintptr_t to) {
  std::ifstream file("/proc/self/maps");
  std::size_t count = 0;
  for (std::string line; std::getline(file, line);) {
    auto const start = std::stoull(line, nullptr, 16);
    if (start >= from && start < to && line.find(" ---p ") == line.npos) ++count;
  }
  return count;
}

}  // namespace

TEST_CASE("an image describes this very program") {
  const Image image("/proc/self/exe");
  CHECK(image.shared_object());
  CHECK_FALSE(image.text_relocations());
  CHECK(image.entry() != 0);
  CHECK(std::ranges::count(image.needed(), "libc.so.6") == 1);
  CHECK_FALSE(image.relocations(false).empty());
}

TEST_CASE("copies of an image are apart") {
  const Image image("/proc/self/exe");
  auto const one = image.map();
  auto const other = image.map();
  CHECK(one != other);
  CHECK(image.covers(one, one + image.entry()));
  CHECK_FALSE(image.covers(one, other + image.entry()));
  image.unmap(one);
  image.unmap(other);
}

TEST_CASE("a copy takes one mapping of the system for all that is not written") {
  const Image image("/proc/self/exe");
  auto const base = image.map();
  auto end = base;
  while (image.covers(base, end)) end += 4096;
  CHECK(mappings(base, end) <= 3);  // text and constants, data, data that is zero at first
  image.unmap(base);
}

TEST_CASE("a file that is no program is refused in words") {
  const Scratch file;
  file.write("#!/bin/sh\n");
  CHECK_THROWS_AS(Image(file.path()), Error);
  CHECK_THROWS_AS(Image("/nonexistent"), Error);
}

TEST_CASE("a damaged program is refused or read, never believed") {
  auto const whole = own_file();
  const Scratch file;
  for (std::size_t length : {std::size_t{64}, std::size_t{700}, std::size_t{5000}}) {
    file.write(whole.substr(0, length));
    CHECK_THROWS_AS(Image(file.path()), Error);
  }
}
