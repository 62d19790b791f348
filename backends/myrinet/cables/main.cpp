// SPDX-License-Identifier: BSD-3-Clause
/// earl-myrisw MEMORY BOARD LISTENER SWITCH: one switch of a job, which Earl starts with those
/// descriptors.
#include <unistd.h>

#include <cstdio>
#include <optional>

#include "backends/myrinet/cables/running_switch.hpp"
#include "generic/base/error.hpp"
#include "generic/base/number.hpp"

namespace earl::myrinet::cables {
namespace {

constexpr int usage_error = 2;

int argument(char** arguments, int which) {
  auto const value = number_from<int>(arguments[which]);
  if (!value || *value < 0)
    throw Error("earl-myrisw: '{}' is no number; jobs start their switches themselves",
                arguments[which]);
  return *value;
}

/// Not one of the three on which errors are said and that this process would close.
Descriptor descriptor(char** arguments, int which) {
  int const number = argument(arguments, which);
  if (number <= STDERR_FILENO)
    throw Error("earl-myrisw: descriptor {} is not of a job; jobs start their switches themselves",
                number);
  return Descriptor(number);
}

[[noreturn]] void run(char** arguments) {
  Memory memory{descriptor(arguments, 1)};
  tcp::Board board{descriptor(arguments, 2)};
  auto const number = static_cast<std::uint32_t>(argument(arguments, 4));
  if (number >= memory.head().switches)
    throw Error("unknown switch {}: the job has {}; start earl-myrisw through `earl run` only",
                number, memory.head().switches);
  try {
    for (RunningSwitch box{memory, board, descriptor(arguments, 3), number};;)
      if (!box.turn()) box.sleep(never);
  } catch (Error const& error) {
    throw Error("switch {}: {}", memory.box(number).name, error.what());
  }
}

}  // namespace
}  // namespace earl::myrinet::cables

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fputs(
        "earl-myrisw: a switch of Earl's Myrinet; jobs start theirs: EARL_MYRINET_LINK=cables earl "
        "run --on myrinet\n",
        stderr);
    return earl::myrinet::cables::usage_error;
  }
  try {
    earl::myrinet::cables::run(argv);
  } catch (earl::Error const& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
