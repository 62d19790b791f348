// SPDX-License-Identifier: BSD-3-Clause
/// The back end's half in EXEC, from its events to its end.
#include "exec/launcher/job/job_back_end.hpp"

#include <unistd.h>

#include <catch2/catch.hpp>

#include "generic/system/pipe.hpp"

using namespace earl;
using namespace earl::exec;

namespace {

/// Fails at the second event.
class PreparedHalf final : public PreparedJob {
 public:
  PreparedHalf(int fd, int& events, bool& gone) : fd_(fd), events_(events), gone_(gone) {}
  ~PreparedHalf() override { gone_ = true; }
  std::vector<int> descriptors(Rank) override { return {}; }
  void notify_control(Rank) override {}
  void ended(Rank) override {}
  int wait_fd() const override { return fd_; }
  void handle_event() override {
    if (++events_ == 2) throw Error("the fabric has failed");
  }

 private:
  int fd_;
  int& events_;
  bool& gone_;
};

}  // namespace

TEST_CASE("a back end acts on its events until it fails or is closed") {
  Loop loop;
  JobBackEnd back_end(loop);
  auto pipe = make_pipe("for a test");
  int events = 0;
  bool gone = false;
  std::vector<std::string> failures;
  back_end.prepare(std::make_unique<PreparedHalf>(pipe.read.get(), events, gone));
  back_end.watch([&](Error const& error) { failures.emplace_back(error.what()); });
  REQUIRE(::write(pipe.write.get(), "x", 1) == 1);
  loop.turn();
  CHECK(events == 1);
  CHECK(failures.empty());
  loop.turn();
  CHECK(failures == std::vector<std::string>{"the fabric has failed"});
  back_end.close();
  CHECK(gone);
  CHECK(back_end->descriptors(Rank{0}).empty());
}
