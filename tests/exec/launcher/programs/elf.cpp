// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/programs/elf.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <random>

#include "exec/launcher/front_ends.hpp"
#include "generic/base/error.hpp"
#include "generic/system/read_file.hpp"

using namespace earl;
using namespace earl::exec;

namespace {

std::string own_file() { return read_file("/proc/self/exe").value(); }

FileFacts facts(std::string_view bytes) { return facts_of(std::as_bytes(std::span{bytes})); }

/// Another in each run, or what FUZZ_SEED says.
unsigned chosen_seed() {
  char const* const wanted = std::getenv("FUZZ_SEED");
  return wanted ? static_cast<unsigned>(std::strtoul(wanted, nullptr, 10)) : std::random_device{}();
}

}  // namespace

TEST_CASE("a program's libraries are read from the file") {
  auto const found = facts_of_file("/proc/self/exe");
  CHECK(found.kind == FileKind::elf);
  CHECK(found.dynamic);
  CHECK(found.interpreted);
  CHECK(std::ranges::find(found.needed, "libc.so.6") != found.needed.end());
  CHECK(std::ranges::any_of(found.needed,
                            [](auto const& name) { return name.starts_with("libearl.so."); }));
  CHECK_FALSE(found.search.empty());
}

TEST_CASE("other files are distinguished") {
  CHECK(facts("#!/bin/sh\n").kind == FileKind::script);
  CHECK(facts("").kind == FileKind::other);
  CHECK(facts("hello").kind == FileKind::other);
  CHECK(facts("\177ELF").kind == FileKind::foreign);
  CHECK(architecture_text(facts("\177ELF").machine, facts("\177ELF").bits) == "damaged or cut");
  auto arm = own_file().substr(0, 4096);
  arm[18] = static_cast<char>(arm[18] ^ 0x55);
  CHECK(facts(arm).kind == FileKind::foreign);
  CHECK_THROWS_AS(facts_of_file("/nowhere/at/all"), Error);
}

TEST_CASE("a damaged file is never more than a file without libraries") {
  auto const whole = own_file();
  auto const seed = chosen_seed();
  INFO("FUZZ_SEED=" << seed << " does the same again");
  std::mt19937 random(seed);
  for (std::size_t size = 4; size < 4096; size += 61)
    static_cast<void>(facts(whole.substr(0, size)));
  auto const head = whole.substr(0, std::min<std::size_t>(whole.size(), 64 * 1024));
  for (int round = 0; round < 2000; ++round) {
    auto damaged = head;
    for (int i = 0; i < 8; ++i) damaged[random() % 1024] = static_cast<char>(random());
    CHECK(facts(damaged).needed.size() < 65'537);
  }
}

TEST_CASE("a library belongs to its front end under any version") {
  REQUIRE(front_end_of_library("libpvm3.so.3"));
  CHECK(front_end_of_library("libpvm3.so.3")->name == "pvm3");
  CHECK(front_end_of_library("libgpvm3.so.3")->name == "pvm3");
  CHECK(front_end_of_library("libnx.so")->name == "nx");
  CHECK_FALSE(front_end_of_library("libnxx.so"));
  CHECK_FALSE(front_end_of_library("libc.so.6"));
  CHECK_FALSE(find_front_end("mpi9"));
}
