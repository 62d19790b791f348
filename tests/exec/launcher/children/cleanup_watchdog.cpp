// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/children/cleanup_watchdog.hpp"

#include <poll.h>
#include <sys/wait.h>

#include <catch2/catch.hpp>
#include <csignal>

#include "generic/system/pipe.hpp"

using namespace earl;

TEST_CASE("a started watchdog holds no descriptor of EXEC's") {
  for (int i = 0; i < 50; ++i) {
    auto pipe = make_pipe("for a test");
    auto const watchdog = exec::start_cleanup_watchdog("EARL_MARK=of-no-job");
    REQUIRE(watchdog > 0);
    pipe.write = {};
    pollfd end{.fd = pipe.read.get(), .events = POLLIN, .revents = 0};
    CHECK(::poll(&end, 1, 0) == 1);
    CHECK((end.revents & POLLHUP) != 0);
    ::kill(watchdog, SIGKILL);
    ::waitpid(watchdog, nullptr, 0);
  }
}
