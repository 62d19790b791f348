// SPDX-License-Identifier: BSD-3-Clause
#include "exec/runtime/branch.hpp"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <functional>
#include <new>
#include <string>

#include "generic/base/id_table.hpp"
#include "generic/services/operations.hpp"

using namespace earl;
using boot::Branch;

namespace {

/// Its memory has one row.
struct Table {
  alignas(IdRow) std::array<std::byte, id_table_bytes(1)> memory{};
  Table() {
    auto* const head = new (memory.data()) IdHead;
    head->capacity = 1;
    new (memory.data() + id_rows_at) IdRow;
  }
  std::uint32_t state() const {
    return reinterpret_cast<IdRow const*>(memory.data() + id_rows_at)->state.load();
  }
};

Descriptor memory_file() { return Descriptor(::memfd_create("output", MFD_CLOEXEC)); }

/// The exit code of a child that does this and nothing else.
int code_of(std::function<void()> const& act) {
  auto const child = ::fork();
  if (child == 0) {
    act();
    ::_exit(77);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return WEXITSTATUS(status);
}

}  // namespace

TEST_CASE("lines of ranks come out whole, and unfinished ones at their ends") {
  Table table;
  auto file = memory_file();
  const Descriptor same(::dup(file.get()));
  Branch branch(std::move(file), table.memory);
  branch.print(Rank{0}, STDOUT_FILENO, "one\ntw");
  branch.print(Rank{1}, STDOUT_FILENO, "three");
  branch.print(Rank{1}, STDERR_FILENO, "not this\n");
  branch.departed(Rank{1}, 0);
  branch.print(Rank{0}, STDOUT_FILENO, "o\n");
  branch.departed(Rank{0}, 0);
  std::array<char, 64> text{};
  REQUIRE(::pread(same.get(), text.data(), text.size(), 0) > 0);
  CHECK(std::string{text.data()} == "one\nthree\ntwo\n");
}

TEST_CASE("a rank that has ended is so in the table") {
  Table table;
  Branch branch(memory_file(), table.memory);
  branch.departed(Rank{0}, 0);
  CHECK(table.state() == static_cast<std::uint32_t>(RankState::ended));
}

TEST_CASE("what only EXEC could answer, and what is wrong, ends a branch") {
  Table table;
  Branch branch(memory_file(), table.memory);
  auto const ask = [&](control::Type type, Operation operation) {
    return code_of([&] {
      static_cast<void>(branch.answer_to(type, 1, static_cast<std::uint32_t>(operation)));
    });
  };
  CHECK(ask(control::Type::request, Operation::spawn) ==
        static_cast<int>(control::BranchEnd::needs_exec));
  CHECK(ask(control::Type::failure_report, Operation::retire) ==
        static_cast<int>(control::BranchEnd::failed));
  CHECK(code_of([&] { branch.departed(Rank{0}, 1 << 8); }) ==
        static_cast<int>(control::BranchEnd::failed));
  auto const answer =
      branch.answer_to(control::Type::request, 9, static_cast<std::uint32_t>(Operation::retire));
  REQUIRE(answer);
  CHECK(answer->ticket == 9);
  CHECK(answer->body.size() == 0);
}

TEST_CASE("the output of a fork begins with what was written so far") {
  Table table;
  Branch branch(memory_file(), table.memory);
  branch.print(Rank{0}, STDOUT_FILENO, "one\ntw");
  auto file = memory_file();
  const Descriptor same(::dup(file.get()));
  branch.continue_in(std::move(file));
  branch.print(Rank{0}, STDOUT_FILENO, "o\n");
  std::array<char, 64> text{};
  REQUIRE(::pread(same.get(), text.data(), text.size(), 0) > 0);
  CHECK(std::string{text.data()} == "one\ntwo\n");
}
