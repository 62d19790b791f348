// SPDX-License-Identifier: BSD-3-Clause
// A writer that is killed, and a disk that is full.
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <random>

#include "tests/debug/helpers.hpp"
#include "tests/sanitized.hpp"

using namespace earl;
using namespace earl::trace;

namespace {

/// Counts the writer's commits, where the test can see them.
class SharedCount {
 public:
  SharedCount()
      : memory_(mmap(nullptr, sizeof(Value), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
                     0)) {
    REQUIRE(memory_ != MAP_FAILED);
    new (memory_) Value(0);
  }
  ~SharedCount() { munmap(memory_, sizeof(Value)); }
  std::atomic<std::uint64_t>& value() { return *static_cast<Value*>(memory_); }

 private:
  using Value = std::atomic<std::uint64_t>;
  void* memory_;
};

Outcome nth(std::uint64_t n) { return receive_of(n, static_cast<std::int32_t>(n * n % 7), n / 7); }

[[noreturn]] void write_for_ever(std::string const& path, std::atomic<std::uint64_t>& committed) {
  auto options = options_for(path);
  options.tail_room = 512;  // a frame every few hundred receives: kills hit those moments, too
  TraceWriter writer(options);
  for (std::uint64_t n = 0;; ++n) {
    writer.event(nth(n).event);
    put(writer, nth(n));
    committed.store(n + 1);
  }
}

}  // namespace

TEST_CASE("SIGKILL of the writer loses nothing committed") {
  TemporaryFolder const folder;
  std::mt19937 random(11);
  for (int trial = 0; trial < testing::times(30, 8); ++trial) {
    auto const path = folder / std::to_string(trial);
    SharedCount committed;
    auto const target = 1 + random() % 20'000;
    auto const child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      alarm(20);
      write_for_ever(path, committed.value());
    }
    while (committed.value().load() < target && waitpid(child, nullptr, WNOHANG) == 0) {
    }
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    auto const reported = committed.value().load();
    REQUIRE(reported >= target);
    auto const back = read_back(path);
    INFO("trial " << trial << ", " << reported << " reported");
    REQUIRE(back.outcomes.size() >= reported);
    REQUIRE(back.outcomes.size() <= reported + 1);
    for (std::uint64_t n = 0; n < back.outcomes.size(); ++n) REQUIRE(back.outcomes[n] == nth(n));
    REQUIRE_FALSE(back.ending.complete);
    REQUIRE(back.ending.gaps.empty());
  }
}

TEST_CASE("no more room for the file: the record ends with a reason, nothing committed is lost") {
  TemporaryFolder const folder;
  auto const path = folder / "r";
  auto const child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    alarm(20);
    signal(SIGXFSZ, SIG_IGN);
    rlimit const limit{.rlim_cur = 100'000, .rlim_max = 100'000};
    setrlimit(RLIMIT_FSIZE, &limit);
    if (freopen((folder / "errors").c_str(), "w", stderr) == nullptr) _exit(1);
    TraceWriter writer(options_for(path));
    std::mt19937 source(1);
    std::uint64_t n = 0;
    for (; n < 10'000'000 && writer.is_open(); ++n) {
      writer.event(2 * n + 1);
      put(writer, receive_of(n, static_cast<std::int32_t>(source() % 64), n));
    }
    _exit(n > 10'000 && n < 10'000'000 ? 0 : 2);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(status == 0);
  auto const back = read_back(path);
  CHECK_FALSE(back.ending.complete);
  CHECK(back.outcomes.size() > 10'000);
  for (std::uint64_t n = 0; n < back.outcomes.size(); ++n) REQUIRE(back.outcomes[n].post == n);
  using Catch::Matchers::Contains;
  CHECK_THAT(contents_of(folder / "errors"), Contains("the run goes on unrecorded"));
  CHECK_THAT(back.ending.note, Contains("no more room in " + path));
  CHECK(back.ending.gaps.empty());
}

TEST_CASE("no room at the start is an error that names the file") {
  TemporaryFolder const folder;
  auto const child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    rlimit const limit{.rlim_cur = 1000, .rlim_max = 1000};
    setrlimit(RLIMIT_FSIZE, &limit);
    try {
      TraceWriter const writer(options_for(folder / "r"));
    } catch (Error const& error) {
      auto const sentence = std::string_view{error.what()};
      _exit(sentence.find(folder / "r") != sentence.npos &&
                    sentence.find("no room") != sentence.npos
                ? 0
                : 2);
    }
    _exit(1);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  CHECK_FALSE(std::filesystem::exists(folder / "r"));
}
