// SPDX-License-Identifier: BSD-3-Clause
/// Runs a command in a folder of its own and checks how it ends: exit status, lines on standard
/// output, texts on either.
///
/// usage: expect [--status N] [--ok N] [--says TEXT] [--never TEXT] [--seconds N] -- COMMAND...
///   --status  the exit status (0); --ok: how many times EARL-OK must be printed; --says, --never:
///   a text that must appear, must not appear (each as often as wanted); --seconds: the most it may
///   take (60)
#include <algorithm>
#include <cstdio>
#include <exception>
#include <optional>
#include <stdexcept>

#include "tests/runner/command.hpp"

namespace earl::test {

namespace {

struct Expected {
  int status = 0;
  std::optional<long> ok;
  std::vector<std::string> says;
  std::vector<std::string> never;
  double seconds = 60;
  std::vector<std::string> command;
};

Expected parse(std::vector<std::string> const& arguments) {
  Expected expected;
  std::size_t at = 0;
  for (; at + 1 < arguments.size() && arguments[at] != "--"; at += 2) {
    std::string const& option = arguments[at];
    std::string const& value = arguments[at + 1];
    if (option == "--status") {
      expected.status = std::stoi(value);
    } else if (option == "--ok") {
      expected.ok = std::stol(value);
    } else if (option == "--says") {
      expected.says.push_back(value);
    } else if (option == "--never") {
      expected.never.push_back(value);
    } else if (option == "--seconds") {
      expected.seconds = std::stod(value);
    } else {
      throw std::invalid_argument("unknown option " + option);
    }
  }
  if (at + 1 >= arguments.size()) throw std::invalid_argument("no command after --");
  for (++at; at < arguments.size(); ++at) expected.command.push_back(absolute(arguments[at]));
  return expected;
}

/// The conditions that do not hold, a line each; empty: all holds.
std::string differences(Expected const& expected, Ended const& ended) {
  const std::string said = ended.out + ended.err;
  std::string wrong;
  if (ended.status != expected.status)
    wrong += "exit status " + std::to_string(ended.status) + ", expected " +
             std::to_string(expected.status) + "\n";
  auto const lines = lines_of(ended.out);
  long const ok = std::count(lines.begin(), lines.end(), "EARL-OK");
  if (expected.ok && ok != *expected.ok)
    wrong +=
        "EARL-OK " + std::to_string(ok) + " times, expected " + std::to_string(*expected.ok) + "\n";
  for (std::string const& text : expected.says)
    if (said.find(text) == std::string::npos) wrong += "does not say: " + text + "\n";
  for (std::string const& text : expected.never)
    if (said.find(text) != std::string::npos) wrong += "says: " + text + "\n";
  return wrong;
}

int check_command(std::vector<std::string> const& arguments) {
  const Expected expected = parse(arguments);
  const TemporaryFolder folder;
  const Ended ended = run(expected.command, folder.path(), expected.seconds);
  const std::string wrong = differences(expected, ended);
  if (wrong.empty()) return 0;
  std::fprintf(stderr, "%s--- stdout\n%s\n--- stderr\n%s\n", wrong.c_str(), ended.out.c_str(),
               ended.err.c_str());
  return 1;
}

}  // namespace

}  // namespace earl::test

int main(int argc, char** argv) {
  try {
    return earl::test::check_command({argv + 1, argv + argc});
  } catch (std::exception const& error) {
    std::fprintf(stderr, "expect: %s\n", error.what());
    return 1;
  }
}
