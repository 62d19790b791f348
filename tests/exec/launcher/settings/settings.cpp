// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/settings/settings_file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "exec/launcher/nearest.hpp"
#include "exec/launcher/resources/memory.hpp"

using namespace earl::exec;

namespace {

/// A file with `text`, gone at the end of the test.
class File {
 public:
  explicit File(std::string_view text) {
    std::string name = std::filesystem::temp_directory_path() / "earl-settings-XXXXXX";
    ::close(::mkstemp(name.data()));
    path = name;
    std::ofstream(path) << text;
  }
  ~File() { ::unlink(path.c_str()); }
  File(File const&) = delete;
  File& operator=(File const&) = delete;

  std::string path;
};

/// The error for a file with `text`, without the file's name.
std::string complaint(std::string_view text) {
  File const file(text);
  Settings settings;
  try {
    put_file(settings, file.path);
  } catch (UsageError const& error) {
    return std::string(error.what()).substr(file.path.size());
  }
  return "none";
}

std::string value(Settings const& settings, std::string_view key) {
  return settings.at(*find_setting(key)).text;
}

}  // namespace

TEST_CASE("the nearest word is found, a far one is not") {
  std::array<std::string, 4> const words{"record", "replay", "run", "--timeout"};
  CHECK(distance("abc", "abc") == 0);
  CHECK(distance("abc", "acb") == 1);
  CHECK(distance("", "abc") == 3);
  CHECK(nearest("recrod", words) == "record");
  CHECK(nearest("rpelay", words) == "replay");
  CHECK(nearest("rum", words) == "run");
  CHECK(nearest("rec", words) == "record");
  CHECK(nearest("RECORD", words) == "record");
  CHECK(nearest("--timout", words) == "--timeout");
  CHECK(nearest("frobnicate", words).empty());
  CHECK(nearest("-", words).empty());
  CHECK(nearest(std::string(100'000, 'r'), words).empty());
  CHECK(guess("rnu", words) == "; did you mean run?");
}

TEST_CASE("a file sets the settings that it names") {
  File const file("# mine\n\n  timeout = 2.5  \r\ntag-output=yes\noutput-dir = /tmp/a = b\n");
  Settings settings;
  CHECK(put_file(settings, file.path).read);
  CHECK(value(settings, "timeout") == "2.5");
  CHECK(settings.at(*find_setting("timeout")).origin == file.path + ":3");
  CHECK(value(settings, "output-dir") == "/tmp/a = b");
  CHECK(settings.at(*find_setting("on")).origin == "built in");
  Plan plan;
  settings.apply_to(plan);
  CHECK(plan.timeout->count() == 2.5);
  CHECK(plan.tag_output);
  CHECK(plan.back_end == "shm");
}

TEST_CASE("a later layer wins") {
  File const machine("timeout = 1\nstdin = 3\n");
  File const user("timeout = none\n");
  Settings settings;
  put_file(settings, machine.path);
  put_file(settings, user.path);
  Plan plan;
  settings.apply_to(plan);
  CHECK_FALSE(plan.timeout);
  CHECK(plan.reader == earl::Rank{3});
}

TEST_CASE("each bad line gets its sentence, with file and line") {
  CHECK(
      complaint("\ntimeuot = 3\n") ==
      ":2: there is no key 'timeuot'; did you mean timeout?; `earl config` shows those there are");
  CHECK(complaint("nonsense = 3") ==
        ":1: there is no key 'nonsense'; `earl config` shows those there are");
  CHECK(complaint("timeout = soon") ==
        ":1: timeout = soon: a duration above 0 is needed: seconds, or a number with s, m or h "
        "behind it, as in 90 or 1.5m; or none");
  CHECK(complaint("timeout") == ":1: 'timeout' is no line of the form key = value");
  CHECK(complaint("= 3") == ":1: there is no key ''; `earl config` shows those there are");
  CHECK(complaint("tag-output = perhaps") == ":1: tag-output = perhaps: yes or no is needed");
  CHECK(complaint("stdin = -1") ==
        ":1: stdin = -1: the rank that reads standard input is needed, or none");
  CHECK(complaint("max-processes = 0") ==
        ":1: max-processes = 0: a number of processes from 1 to 65536 is needed");
  CHECK_THAT(complaint("on = shn"), Catch::Contains("did you mean shm?"));
  CHECK(complaint(std::string_view("\x01\x02\0\xff = 1", 8)) ==
        ":1: there is no key '?\?\?\?'; `earl config` shows those there are");
  CHECK_THAT(complaint(std::string(70'000, '\n')), Catch::Contains("no settings file"));
  CHECK(complaint("") == "none");
}

TEST_CASE("memory is a number of bytes, with a suffix or without") {
  auto const bytes = [](std::string const& text) {
    Plan plan;
    find_setting("message-memory")->apply(plan, text);
    return plan.message_memory;
  };
  CHECK(Plan{}.message_memory == std::nullopt);
  CHECK(bytes("none") == 0U);
  CHECK(bytes("1048576") == 1U << 20);
  CHECK(bytes("2048K") == 2U << 20);
  CHECK(bytes("64M") == 64U << 20);
  CHECK(bytes("3G") == std::uint64_t{3} << 30);
  for (auto const* wrong : {"", "1", "1023K", "0", "-5M", "M", "64MB", "64m", "6 4M", "5000G",
                            "18446744073709551615", "18446744073709551616G"}) {
    INFO(wrong);
    CHECK_THROWS_WITH(bytes(wrong), Catch::Contains("a number of bytes from 1M to 4095G"));
  }
}

TEST_CASE("by default, messages may take a part of the memory that is available") {
  CHECK(available_memory("MemTotal:  8000 kB\nMemAvailable:     2048 kB\nBuffers: 1 kB\n") ==
        2U << 20);
  CHECK(available_memory("MemTotal:  8000 kB\n") == 0);
  CHECK(available_memory("MemAvailable: many kB\n") == 0);
  CHECK(usual_message_memory() >= std::uint64_t{64} << 20);
  CHECK(usual_message_memory() <= std::uint64_t{4} << 30);
}

TEST_CASE("a path that is no file") {
  Settings settings;
  CHECK_FALSE(put_file(settings, "/nowhere/at/all").read);
  CHECK_THROWS_AS(put_file(settings, "/"), UsageError);
}

TEST_CASE("a project's file counts when no other user can have written it") {
  File const file("timeout = 3\n");
  Settings settings;
  for (mode_t const mode : {0666U, 0660U}) {
    ::chmod(file.path.c_str(), mode);
    auto const report = put_project_file(settings, file.path);
    CHECK_FALSE(report.read);
    CHECK_THAT(report.refusal, Catch::Contains("can be written by others"));
  }
  CHECK(value(settings, "timeout") == "none");
  ::chmod(file.path.c_str(), 0644);
  CHECK(put_project_file(settings, file.path).read);
  CHECK(value(settings, "timeout") == "3");
  if (::geteuid() != 0 || ::chown(file.path.c_str(), 12345, 12345) != 0) return;
  CHECK_THAT(put_project_file(settings, file.path).refusal,
             Catch::Contains("belongs to another user (uid 12345)"));
}

TEST_CASE("every key has its variable") {
  CHECK(find_setting("tag-output")->variable() == "EARL_TAG_OUTPUT");
  ::setenv("EARL_TIMEOUT", "7", 1);
  Settings settings;
  put_environment(settings);
  CHECK(value(settings, "timeout") == "7");
  ::setenv("EARL_TIMEOUT", "x", 1);
  CHECK_THROWS_WITH(put_environment(settings),
                    "EARL_TIMEOUT=x: a duration above 0 is needed: seconds, or a number with s, m "
                    "or h behind it, as in 90 or 1.5m; or none");
  ::unsetenv("EARL_TIMEOUT");
}

TEST_CASE("a misspelt variable is mentioned, another one is not") {
  ::setenv("EARL_TIMOUT", "7", 1);
  ::setenv("EARL_TAG_OUTPUTS", "yes", 1);
  for (auto const* other : {"EARL_CUBE", "EARL_SHM_CMA", "EARL_RANK", "EARL_JOB", "EARL_WAIT"})
    ::setenv(other, "1", 1);
  auto sentences = misspelt_variables();
  std::ranges::sort(sentences);
  CHECK(sentences == std::vector<std::string>{
                         "EARL_TAG_OUTPUTS is no setting of Earl; did you mean EARL_TAG_OUTPUT?",
                         "EARL_TIMOUT is no setting of Earl; did you mean EARL_TIMEOUT?"});
  for (auto const* name : {"EARL_TIMOUT", "EARL_TAG_OUTPUTS", "EARL_CUBE", "EARL_SHM_CMA",
                           "EARL_RANK", "EARL_JOB", "EARL_WAIT"})
    ::unsetenv(name);
}
