// SPDX-License-Identifier: BSD-3-Clause
#include "backends/pvm/hosts.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <sstream>

#include "backends/pvm/module.hpp"
#include "generic/base/error.hpp"
#include "generic/system/child.hpp"
#include "generic/system/host_name.hpp"
#include "generic/system/pipe.hpp"

namespace earl::pvm_backend {

namespace {

/// A line for each.
std::string ask(earl_pvm_native const& native, std::string const& socket) {
  std::string lines;
  if (native.enrol(socket.c_str(), 0, 0) < 0) return lines;
  earl_pvm_host host{};
  for (int n = 0; native.host(n, &host) > 0; ++n)
    lines += (host.is_ours != 0 ? host_name() : host.name) + std::string{"\n"};
  native.leave();
  return lines;
}

/// A process that has been a task of PVM's is never quite rid of it, so a process of its own asks.
[[noreturn]] void answer(int to, pid_t parent, earl_pvm_native const& native,
                         std::string const& socket) {
  end_with_parent(parent);
  auto const lines = ask(native, socket);
  auto const written = ::write(to, lines.data(), lines.size());
  ::_exit(written == static_cast<ssize_t>(lines.size()) ? 0 : 1);
}

std::string all_from(int pipe) {
  std::string text;
  std::array<char, 4096> piece{};
  ssize_t got = 0;
  while ((got = ::read(pipe, piece.data(), piece.size())) > 0 || (got < 0 && errno == EINTR))
    text.append(piece.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  return text;
}

}  // namespace

std::vector<std::string> hosts_of(std::string const& socket) {
  auto const& native = load_module(find_module());
  auto pipe = make_pipe("to ask PVM for its hosts");
  auto const parent = ::getpid();
  auto const asker = ::fork();
  if (asker == 0) answer(pipe.write.get(), parent, native, socket);
  if (asker < 0)
    throw Error("cannot ask PVM for its hosts: no process for it: {}", system_message(errno));
  pipe.write.close();
  std::istringstream lines(all_from(pipe.read.get()));
  ::waitpid(asker, nullptr, 0);
  std::vector<std::string> names;
  for (std::string line; std::getline(lines, line);) names.push_back(line);
  if (names.empty())
    throw Error(
        "cannot list the hosts of the PVM daemon at {}: it did not answer; end it (`pvm`, halt) "
        "and start it again",
        socket);
  return names;
}

}  // namespace earl::pvm_backend
