// SPDX-License-Identifier: BSD-3-Clause
/// Where a job's reader reads: EXEC's standard input, a copy that is recorded, or a recording.
#include "exec/launcher/job/standard_input.hpp"

#include <catch2/catch.hpp>
#include <cstdio>

#include "tests/exec/launcher/job/launch_parts.hpp"

using namespace earl;
using namespace earl::exec;

namespace {

class Recorder final : public JobInterceptor, public InputListener {
 public:
  explicit Recorder(std::string& text) : text_(text) {}
  void input(Bytes piece) override {
    text_.append(reinterpret_cast<char const*>(piece.data()), piece.size());
  }

 private:
  std::string& text_;
};

class Player final : public JobInterceptor, public InputSource {
 public:
  Descriptor input() override {
    auto pipe = make_pipe("for a test");
    REQUIRE(::write(pipe.write.get(), "then", 4) == 4);
    return std::move(pipe.read);
  }
};

/// Standard input is this while it lives.
class GivenInput {
 public:
  explicit GivenInput(std::string_view text) : saved_(::dup(STDIN_FILENO)), file_(std::tmpfile()) {
    std::fwrite(text.data(), 1, text.size(), file_);
    std::rewind(file_);
    ::dup2(::fileno(file_), STDIN_FILENO);
  }
  ~GivenInput() {
    ::dup2(saved_, STDIN_FILENO);
    ::close(saved_);
    std::fclose(file_);
  }
  GivenInput(GivenInput const&) = delete;
  GivenInput& operator=(GivenInput const&) = delete;

 private:
  int saved_;
  std::FILE* file_;
};

std::string read_all(int fd) {
  std::string text(64, 0);
  auto const size = ::read(fd, text.data(), text.size());
  text.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
  return text;
}

struct StandardInputFixture final : LaunchParts {
  StandardInputFixture() { plan.reader = Rank{0}; }
};

}  // namespace

TEST_CASE("without debuggers the reader reads EXEC's own standard input") {
  const GivenInput given("now");
  StandardInputFixture job;
  job.input.choose();
  CHECK(job.input.fd() == STDIN_FILENO);
  CHECK_FALSE(job.input.is_terminal());
}

TEST_CASE("a file is recorded, and its reader finds all of it") {
  const GivenInput given("now");
  StandardInputFixture job;
  std::string recorded;
  job.interceptors.add(std::make_unique<Recorder>(recorded));
  job.input.choose();
  CHECK(recorded == "now");
  CHECK(read_all(job.input.fd()) == "now");
}

TEST_CASE("a replay reads the recorded input, and says so where other input is given") {
  const GivenInput given("now");
  StandardInputFixture job;
  job.interceptors.add(std::make_unique<Player>());
  SECTION("the recorded one") {
    job.input.choose();
    CHECK(read_all(job.input.fd()) == "then");
    CHECK(job.read_by_user().find("read the recorded standard input") != std::string::npos);
  }
  SECTION("--own-input") {
    job.plan.own_input = true;
    job.input.choose();
    CHECK(read_all(job.input.fd()) == "now");
    CHECK(job.read_by_user().find("the replay may diverge") != std::string::npos);
  }
}

TEST_CASE("where no process reads, nothing is recorded") {
  const GivenInput given("now");
  StandardInputFixture job;
  job.plan.reader.reset();
  std::string recorded;
  job.interceptors.add(std::make_unique<Recorder>(recorded));
  job.input.choose();
  CHECK(recorded.empty());
}
