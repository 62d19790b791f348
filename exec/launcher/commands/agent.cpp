// SPDX-License-Identifier: BSD-3-Clause
/// `earl agent`: a launcher starts it on each host of a job; not for users.
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>

#include "exec/launcher/agent/agent.hpp"
#include "exec/launcher/commands/commands.hpp"
#include "exec/launcher/hosts/call.hpp"
#include "exec/launcher/plan.hpp"

namespace earl::exec {

namespace {

constexpr int first_line_timeout_ms = 30'000;
constexpr std::size_t longest_line = 4096;

/// The first line of standard input, and no byte more. Empty: there is none.
std::string first_line() {
  std::string line;
  for (char letter = 0; line.size() < longest_line;) {
    pollfd input{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
    if (::poll(&input, 1, first_line_timeout_ms) <= 0 || ::read(STDIN_FILENO, &letter, 1) != 1)
      return {};
    if (letter == '\n') return line;
    line += letter;
  }
  return {};
}

/// The launcher's input is not used any more.
void close_input() {
  Descriptor const nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  ::dup2(nothing.get(), STDIN_FILENO);
}

}  // namespace

int agent_command(std::vector<std::string> const& arguments) {
  if (!arguments.empty()) throw UsageError("earl agent takes no arguments");
  auto const request = connect_request_from(first_line());
  if (!request)
    throw UsageError(
        "earl agent is started by `earl run --hosts` on other hosts, and finds on its standard "
        "input the address to call");
  close_input();
  Agent agent(call_back(*request));
  agent.run();
  return 0;
}

}  // namespace earl::exec
