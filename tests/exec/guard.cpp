// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/children/guard.hpp"

#include <poll.h>
#include <sys/wait.h>

#include <catch2/catch.hpp>
#include <csignal>

#include "generic/system/pipe.hpp"

using namespace earl;

TEST_CASE("a started guard holds no descriptor of EXEC's") {
  for (int i = 0; i < 50; ++i) {
    auto pipe = make_pipe("for a test");
    auto const guard = exec::start_guard("EARL_MARK=of-no-job");
    REQUIRE(guard > 0);
    pipe.write = {};
    pollfd end{.fd = pipe.read.get(), .events = POLLIN, .revents = 0};
    CHECK(::poll(&end, 1, 0) == 1);
    CHECK((end.revents & POLLHUP) != 0);
    ::kill(guard, SIGKILL);
    ::waitpid(guard, nullptr, 0);
  }
}
