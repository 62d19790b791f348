// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/commands/options.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>

#include "exec/launcher/resources/processors.hpp"
#include "exec/launcher/settings/environment.hpp"

using namespace earl::exec;

namespace {

Plan parse(std::vector<std::string> const& arguments) {
  return parse_job({.command = "earl run", .summary = "Run."}, arguments);
}

std::string complaint(std::vector<std::string> const& arguments) {
  try {
    static_cast<void>(parse(arguments));
  } catch (UsageError const& error) {
    return error.what();
  }
  return "none";
}

using Arguments = std::vector<std::string>;

}  // namespace

TEST_CASE("without -n there is one process") {
  auto const plan = parse({"./a"});
  REQUIRE(plan.apps.size() == 1);
  CHECK(plan.apps[0].count == 1);
  CHECK(plan.apps[0].command == Arguments{"./a"});
  CHECK(plan.back_end == "shm");
}

TEST_CASE("the program's own options are its own") {
  auto const plan = parse({"-n", "3", "./a", "-n", "9", "--on", "-v", "--"});
  CHECK(plan.apps[0].count == 3);
  CHECK(plan.apps[0].command == Arguments{"./a", "-n", "9", "--on", "-v", "--"});
  CHECK_FALSE(plan.verbose);
}

TEST_CASE("a colon starts another program of the same job") {
  auto const plan = parse({"-n", "2", "./a", "x", ":", "-n", "6", "./b", ":", "./c"});
  REQUIRE(plan.apps.size() == 3);
  CHECK(plan.apps[1].count == 6);
  CHECK(plan.apps[1].command == Arguments{"./b"});
  CHECK(plan.apps[2].count == 1);
  CHECK(processes_in(plan) == 9);
  CHECK(command_of(plan) ==
        Arguments{"-n", "2", "./a", "x", ":", "-n", "6", "./b", ":", "-n", "1", "./c"});
}

TEST_CASE("the description of a job of one program is its command alone") {
  CHECK(command_of(parse({"-n", "4", "./a", "x"})) == Arguments{"./a", "x"});
}

TEST_CASE("each wrong command line gets its sentence") {
  CHECK(complaint({}) == "no program is named; for example: earl run -n 4 ./prog");
  CHECK(complaint({"-n", "0", "./a"}) == "-n 0: a job has at least one process");
  CHECK(complaint({"-n", "65537", "./a"}) == "-n 65537: a job has at most 65536 processes");
  CHECK(complaint({"-n", "99999999999999999999", "./a"}) ==
        "-n 99999999999999999999: a job has at most 65536 processes");
  CHECK(complaint({"-n", "4x", "./a"}) == "-n 4x: a number of processes is needed");
  CHECK(complaint({"-n", "./a"}) == "-n ./a: a number of processes is needed, as in -n 4 ./a");
  CHECK(complaint({"-n", "-1", "./a"}) == "-n -1: a number of processes is needed");
  CHECK(complaint({"-n", "60000", "./a", ":", "-n", "60000", "./b"}) ==
        "-n: 120000 processes together; a job has at most 65536");
  CHECK(complaint({"--bogus", "./a"}) ==
        "there is no option --bogus; `earl run -h` lists the options");
  CHECK(complaint({"--timout=3", "./a"}) ==
        "there is no option --timout; did you mean --timeout?; `earl run -h` lists the options");
  CHECK(complaint({"--timeout", "0", "./a"}) ==
        "--timeout 0: a duration above 0 is needed: seconds, or a number with s, m or h behind it, "
        "as in 90 or 1.5m; or none");
  CHECK_THAT(complaint({"--on", "moon", "./a"}), Catch::Contains("--on moon: there is no such"));
  CHECK_THAT(complaint({"--tool", "x", "./a"}), Catch::Contains("--tool x: there is no such"));
}

TEST_CASE("a misspelt option is named, for any next word") {
  const Arguments long_names{
      "hostfile",   "hosts",         "launcher",       "timeout", "stdin", "tag-output", "stack",
      "output-dir", "max-processes", "message-memory", "seed",    "time",  "deadlock",   "send",
      "verbose",    "tool",          "dry-run",        "wdir",    "cpus"};
  const std::vector<Arguments> followers{{},
                                         {"-n", "2"},
                                         {"-n2"},
                                         {"-v"},
                                         {"-np", "2"},
                                         {"--timeout", "3"},
                                         {"-x", "A="},
                                         {"--tag-output"},
                                         {
                                             "--",
                                         },
                                         {"--timeout=3", "-v"},
                                         {"3"},
                                         {"--nonsense"}};
  int combinations = 0;
  for (auto const& name : long_names) {
    auto misspelt = "--" + name;
    std::swap(misspelt[misspelt.size() - 2], misspelt[misspelt.size() - 1]);
    for (auto const& follower : followers) {
      Arguments arguments{misspelt};
      arguments.insert(arguments.end(), follower.begin(), follower.end());
      arguments.emplace_back("./a");
      INFO(misspelt << " before " << arguments[1]);
      CHECK_THAT(complaint(arguments),
                 Catch::StartsWith("there is no option " + misspelt + "; did you mean --"));
      ++combinations;
    }
  }
  CHECK(combinations >= 200);
}

TEST_CASE("a seed is for processes that Earl schedules") {
  CHECK(parse({"--on", "fibers", "--seed", "3", "./a"}).seed == 3);
  CHECK_THAT(complaint({"--seed", "3", "./a"}),
             Catch::StartsWith("--seed 3: on shm the system schedules the processes"));
}

TEST_CASE("a letter alone is never guessed at") {
  CHECK(complaint({"-z", "./a"}) == "there is no option -z; `earl run -h` lists the options");
  CHECK(complaint({"-vz", "./a"}) == "there is no option -z; `earl run -h` lists the options");
}

TEST_CASE("a long option after a single dash is named") {
  CHECK(complaint({"-hostfile", "x", "./a"}) ==
        "there is no option -hostfile; did you mean --hostfile?; `earl run -h` lists the options");
  CHECK_THAT(complaint({"-verbose", "./a"}), Catch::StartsWith("there is no option -verbose; did"));
  CHECK(parse({"-xhost=1", "./a"}).apps[0].assignments == Arguments{"host=1"});
}

TEST_CASE("options of Earl's after the program are kept in mind") {
  CHECK(parse({"./a", "-n", "4", "--on=fibers", "--own", "-v", "--on"}).late_options ==
        Arguments{"-n", "--on"});
  CHECK(parse({"-n", "2", "./a", "-n", "4", ":", "-n", "1", "./b", "--seed"}).late_options ==
        Arguments{"--seed"});
  CHECK(parse({"-v", "./a", "--", "on"}).late_options.empty());
}

TEST_CASE("an option without its value is named") {
  CHECK(complaint({"-n"}) == "-n needs a value; `earl run -h` lists the options");
  CHECK(complaint({"--timeout", "--on", "shm", "./a"}) ==
        "--timeout needs a value, not --on; `earl run -h` lists the options");
  CHECK(complaint({"-vn"}) == "-n needs a value; `earl run -h` lists the options");
}

TEST_CASE("a value after an equals sign is named where it is missing or too much") {
  CHECK(complaint({"--timeout=", "./a"}) ==
        "--timeout needs a value; `earl run -h` lists the options");
  CHECK(complaint({"--tag-output=", "./a"}) ==
        "--tag-output needs a value; `earl run -h` lists the options");
  CHECK(complaint({"--dry-run=maybe", "./a"}) ==
        "--dry-run takes no value; `earl run -h` lists the options");
  CHECK(complaint({"-v=3", "./a"}) == "-v takes no value; `earl run -h` lists the options");
  CHECK(parse({"--on=shm", "-x", "A=", "./a"}).apps[0].assignments == Arguments{"A="});
}

TEST_CASE("each program has surroundings of its own") {
  auto const plan = parse({"-np", "2", "-wdir", "/tmp", "-x", "A=1", "-x", "B=", "./a", "-wdir",
                           "-np", ":", "--env", "none", "--cpus", "0-1,3", "./b"});
  REQUIRE(plan.apps.size() == 2);
  CHECK(plan.apps[0].count == 2);
  CHECK(plan.apps[0].folder == "/tmp");
  CHECK(plan.apps[0].assignments == Arguments{"A=1", "B="});
  CHECK(plan.apps[0].command == Arguments{"./a", "-wdir", "-np"});
  CHECK_FALSE(plan.apps[0].bare_environment);
  CHECK(plan.apps[1].folder.empty());
  CHECK(plan.apps[1].bare_environment);
  CHECK(plan.apps[1].processors == "0-1,3");
  CHECK(command_of(plan) == Arguments{"-n", "2", "--wdir", "/tmp", "-x", "A=1", "-x", "B=", "./a",
                                      "-wdir", "-np", ":", "-n", "1", "--env", "none", "--cpus",
                                      "0-1,3", "./b"});
}

TEST_CASE("a variable named alone brings its value") {
  ::setenv("EARL_TEST_X", "here", 1);
  CHECK(parse({"-x", "EARL_TEST_X", "./a"}).apps[0].assignments == Arguments{"EARL_TEST_X=here"});
  ::unsetenv("EARL_TEST_X");
  CHECK(complaint({"-x", "EARL_TEST_X", "./a"}) ==
        "-x EARL_TEST_X: there is no such variable here; -x EARL_TEST_X=VALUE gives one");
  CHECK(complaint({"-x", "=1", "./a"}) == "-x =1: NAME or NAME=VALUE is needed");
}

TEST_CASE("a program with no environment gets the variables of -x") {
  auto const plan = parse({"--env", "none", "-x", "A=1", "./a"});
  CHECK(environment_of(plan.apps[0], plan) == Arguments{"A=1"});
  auto const whole = parse({"./a"});
  CHECK(environment_of(whole.apps[0], whole) == own_environment());
}

TEST_CASE("standard input goes to one process, or to none") {
  CHECK(parse({"./a"}).reader == earl::Rank{0});
  CHECK(parse({"--stdin", "2", "-n", "3", "./a"}).reader == earl::Rank{2});
  CHECK_FALSE(parse({"--stdin", "none", "./a"}).reader);
  CHECK(complaint({"--stdin", "3", "-n", "3", "./a"}) ==
        "stdin: there is no rank 3; this job has ranks 0 to 2");
}

TEST_CASE("options of the whole job come first") {
  CHECK(complaint({"./a", ":", "--timeout", "3", "./b"}) ==
        "--timeout concerns the whole job: it belongs before the first program");
  CHECK(complaint({"./a", ":", "--tool=x", "./b"}) ==
        "--tool concerns the whole job: it belongs before the first program");
  CHECK(complaint({"--max-processes", "2", "-n", "3", "./a"}) ==
        "-n: 3 processes together; max-processes allows 2");
  CHECK(complaint({"--env", "some", "./a"}) == "--env some: all or none is needed");
}

TEST_CASE("the command line goes over the other layers") {
  Settings settings;
  settings.put(*find_setting("tag-output"), "yes", "a file", "a file");
  settings.put(*find_setting("timeout"), "3", "a file", "a file");
  Arguments const arguments{"--tag-output=no", "./a"};
  auto const plan = parse_job({.command = "earl run", .summary = "Run."}, arguments, settings);
  CHECK_FALSE(plan.tag_output);
  CHECK(plan.timeout->count() == 3);
  CHECK(parse({"--tag-output", "-v", "./a"}).tag_output);
  CHECK(parse({"--tag-output", "-v", "./a"}).verbose);
}

TEST_CASE("processors are numbers and ranges of them") {
  for (auto const* list : {"0", "0-3", "0-1,3", "5,7-9,1023"})
    CHECK(to_text(parse_processors(list)) == list);
  CHECK(to_text(parse_processors("3,1,2")) == "1-3");
  for (auto const* list : {"", "x", "1-", "3-1", "-1", "0,", "1024", "0-99999999999", "1 2"})
    CHECK_THROWS_AS(parse_processors(list), UsageError);
}

TEST_CASE("help is not an error") { CHECK_THROWS_AS(parse({"-h"}), HelpWanted); }

TEST_CASE("a debugger has a name and perhaps an argument") {
  CHECK(parse_tool("record") == earl::control::ToolUse{"record", ""});
  CHECK(parse_tool("record=/a=b") == earl::control::ToolUse{"record", "/a=b"});
}

TEST_CASE("an assignment replaces the one before it") {
  Arguments environment{"A=1", "AB=2", "ODD"};
  set(environment, "A=3");
  CHECK(environment == Arguments{"AB=2", "ODD", "A=3"});
  CHECK(value_of(environment, "AB") == "2");
  CHECK_FALSE(value_of(environment, "ODD"));
  set(environment, "nonsense");
  CHECK(environment.size() == 3);
}
