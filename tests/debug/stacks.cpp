// SPDX-License-Identifier: BSD-3-Clause
#include "debug/symbols/stacks.hpp"

#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <fstream>
#include <string>
#include <thread>

#include "debug/symbols/modules.hpp"

using namespace earl;

namespace {

constexpr std::chrono::milliseconds long_enough{5000};

std::vector<std::string> names(std::vector<Frame> const& stack) {
  std::vector<std::string> list;
  for (auto const& frame : stack) list.push_back(symbols::function_of(frame.module, frame.offset));
  return list;
}

bool has(std::vector<std::string> const& list, std::string_view part) {
  return std::ranges::any_of(list, [&](auto const& one) { return one.find(part) != one.npos; });
}

[[gnu::noinline]] int reads(int from) {
  char byte = 0;
  auto const n = ::read(from, &byte, 1);
  return static_cast<int>(n) + byte;
}

/// A child that reads a byte from a pipe of its own and ends with its value.
struct Child {
  Child() {
    REQUIRE(::pipe(ends.data()) == 0);
    pid = ::fork();
    if (pid == 0) ::_exit(reads(ends[0]) - 1);
    std::string state;
    while (state != "S") {  // until it has come to the read
      std::ifstream facts("/proc/" + std::to_string(pid) + "/stat");
      facts >> state >> state >> state;
      std::this_thread::yield();
    }
  }
  ~Child() {
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    ::close(ends[0]);
    ::close(ends[1]);
  }
  Child(Child const&) = delete;
  Child& operator=(Child const&) = delete;

  std::array<int, 2> ends{};
  pid_t pid = 0;
};

[[gnu::noinline]] std::vector<std::uintptr_t> stack_here() {
  ucontext_t context;
  ::getcontext(&context);
  return symbols::stack_at(&context, {});
}

}  // namespace

TEST_CASE("the stack of a process that waits is seen from outside, and it goes on") {
  if (!symbols::stacks_unavailable().empty()) return;
  Child const child;
  auto const stack = names(symbols::stack_of(child.pid, long_enough));
  CHECK(has(stack, "reads"));
  CHECK(has(stack, "main"));
  CHECK(::write(child.ends[1], "\7", 1) == 1);
  int status = 0;
  CHECK(::waitpid(child.pid, &status, 0) == child.pid);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 7);
}

TEST_CASE("a process in which no signal was handled has no interrupted stack") {
  Child const child;
  CHECK(symbols::interrupted_stack_of(child.pid, long_enough).empty());
}

TEST_CASE("there is no stack of a process that is not there, or is this one") {
  CHECK(symbols::stack_of(0x7fff'fff0, long_enough).empty());
  CHECK(symbols::stack_of(::getpid(), long_enough).empty());
}

TEST_CASE("a stack of this process begins where its context was") {
  if (!symbols::stacks_unavailable().empty()) return;
  auto const stack = stack_here();
  REQUIRE(stack.size() > 2);
  auto const module = symbols::module_at(reinterpret_cast<void const*>(stack.front()));
  CHECK(has({symbols::function_of(module.path, stack.front() - module.base)}, "stack_here"));
}

TEST_CASE("a call chain leaves out what is no code of the program") {
  CHECK(symbols::calls_text({}) == "in no code that is known");
  CHECK(symbols::calls_text(std::array{Frame{.module = {}, .offset = 1}}) ==
        "in a call through a null pointer");
  std::array const stack{Frame{.module = "/lib/libc.so.6", .offset = 0x10},
                         Frame{.module = "/usr/lib/libm.so.6", .offset = 0x20},
                         Frame{.module = "/nowhere/program", .offset = 0x30}};
  CHECK(symbols::calls_text(stack) == "in libc.so.6+0x10, called by program+0x30");
}
