// SPDX-License-Identifier: BSD-3-Clause
/// Records a run, replays it, and compares what both printed and how both ended.
///
/// usage: record_replay [--times N] [--status N] [--send HOW] [--keep minimal] [--record-on
/// BACK-END] [--replay-on BACK-END]
///                      EARL PROCESSES PROGRAM [ARGUMENT...]
/// TESTS_REPLAYS: at most so many replays. Exit status 77: the program is not installed.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>

#include "tests/runner/command.hpp"

namespace earl::test {

namespace {

constexpr double seconds_for_a_run = 60;
constexpr int skipped = 77;

struct Wanted {
  int times = 3;
  int status = 0;
  std::vector<std::string> send;
  std::vector<std::string> keep{};
  std::string record_on = "shm";
  std::string replay_on = "shm";
  std::string earl;
  std::vector<std::string> program;  ///< with `-n PROCESSES` before it
};

Wanted parse(std::vector<std::string> const& arguments) {
  Wanted wanted;
  std::size_t at = 0;
  for (; at + 1 < arguments.size() && arguments[at].starts_with("--"); at += 2) {
    std::string const& option = arguments[at];
    std::string const& value = arguments[at + 1];
    if (option == "--times") {
      wanted.times = std::stoi(value);
    } else if (option == "--status") {
      wanted.status = std::stoi(value);
    } else if (option == "--send") {
      wanted.send = {"--send", value};
    } else if (option == "--keep" && value == "minimal") {
      wanted.keep = {"--minimal"};
    } else if (option == "--record-on") {
      wanted.record_on = value;
    } else if (option == "--replay-on") {
      wanted.replay_on = value;
    } else {
      throw std::invalid_argument("unknown option " + option);
    }
  }
  if (at + 3 > arguments.size())
    throw std::invalid_argument("EARL, PROCESSES and PROGRAM are needed");
  wanted.earl = absolute(arguments[at]);
  wanted.program = {"-n", arguments[at + 1]};
  for (at += 2; at < arguments.size(); ++at) wanted.program.push_back(absolute(arguments[at]));
  if (char const* most = std::getenv("TESTS_REPLAYS"))
    wanted.times = std::min(wanted.times, std::stoi(most));
  return wanted;
}

/// Lines of different processes mix as they come; those of one keep their order in both.
std::vector<std::string> sorted_lines(std::string const& text) {
  std::vector<std::string> lines = lines_of(text);
  std::sort(lines.begin(), lines.end());
  return lines;
}

std::string difference(Ended const& then, Ended const& now) {
  if (now.status != then.status)
    return "ended with " + std::to_string(now.status) + ", the recorded run with " +
           std::to_string(then.status);
  if (sorted_lines(now.out) != sorted_lines(then.out))
    return "printed something else than the recorded run";
  if (now.err.find("diverged") != std::string::npos) return "diverged";
  return {};
}

Ended earl(Wanted const& wanted, std::vector<std::string> arguments,
           TemporaryFolder const& folder) {
  arguments.insert(arguments.begin(), wanted.earl);
  arguments.insert(arguments.end(), wanted.program.begin(), wanted.program.end());
  return run(arguments, folder.path(), seconds_for_a_run);
}

int check(Wanted const& wanted) {
  const TemporaryFolder folder;
  const std::string trace = folder.path() / "t.earl";
  std::vector<std::string> record{"record", "--on", wanted.record_on, "-o", trace};
  record.insert(record.end(), wanted.send.begin(), wanted.send.end());
  record.insert(record.end(), wanted.keep.begin(), wanted.keep.end());
  const Ended then = earl(wanted, record, folder);
  if (then.status != wanted.status) {
    std::printf("the recorded run ended with %d, not %d\n%s\n", then.status, wanted.status,
                then.err.c_str());
    return 1;
  }
  for (int n = 1; n <= wanted.times; ++n) {
    const Ended now =
        earl(wanted, {"run", "--on", wanted.replay_on, "--tool=replay=" + trace}, folder);
    const std::string wrong = difference(then, now);
    if (wrong.empty()) continue;
    std::printf("replay %d %s\n--- recorded\n%s\n--- replayed\n%s\n--- errors\n%s\n", n,
                wrong.c_str(), then.out.c_str(), now.out.c_str(), now.err.c_str());
    return 1;
  }
  return 0;
}

}  // namespace

}  // namespace earl::test

int main(int argc, char** argv) {
  try {
    const earl::test::Wanted wanted = earl::test::parse({argv + 1, argv + argc});
    std::string const& program = wanted.program[2];
    if (std::filesystem::exists(program)) return earl::test::check(wanted);
    std::printf("%s is not installed\n", program.c_str());
    return earl::test::skipped;
  } catch (std::exception const& error) {
    std::fprintf(stderr, "record_replay: %s\n", error.what());
    return 1;
  }
}
