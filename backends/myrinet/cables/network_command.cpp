// SPDX-License-Identifier: BSD-3-Clause
/// earl-myrinet NAME TOPOLOGY: keeps a network of switches that jobs may use, one after the other,
/// until it is asked to end or a switch does.
#include <poll.h>
#include <sys/signalfd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <string_view>

#include "backends/myrinet/cables/attaching.hpp"
#include "backends/myrinet/cables/running_network.hpp"
#include "generic/base/error.hpp"

namespace earl::myrinet::cables {
namespace {

constexpr int usage_error = 2;
constexpr auto usage =
    "usage: earl-myrinet NAME TOPOLOGY\n"
    "Starts the switches of a network and keeps them until it is interrupted; with\n"
    "EARL_MYRINET_NETWORK=NAME `earl run --on myrinet` and biproute use it.\n";

Descriptor interrupts() {
  sigset_t set{};
  ::sigemptyset(&set);
  for (int const number : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&set, number);
  ::sigprocmask(SIG_BLOCK, &set, nullptr);
  Descriptor file(::signalfd(-1, &set, SFD_CLOEXEC));
  if (!file) throw Error("no descriptor for interrupts: {}", system_message(errno));
  return file;
}

class SessionServer {
 public:
  SessionServer(std::string name, std::string const& file)
      : name_(std::move(name)),
        topology_(read_topology(file)),
        interrupts_(interrupts()),
        listener_(listen_as_network(name_)) {
    start({.topology = topology_});
    std::printf("network %s: %zu switches, %zu hosts\n", name_.c_str(), topology_.switches.size(),
                topology_.hosts.size());
    std::fflush(stdout);
  }

  /// Returns the exit code.
  int run() {
    for (;;) {
      std::array files{pollfd{.fd = interrupts_.get(), .events = POLLIN, .revents = 0},
                       pollfd{.fd = network_->ended_fd(), .events = POLLIN, .revents = 0},
                       pollfd{.fd = listener_.get(), .events = POLLIN, .revents = 0},
                       pollfd{.fd = user_.get(), .events = POLLIN, .revents = 0}};
      if (::poll(files.data(), files.size(), -1) < 0) continue;
      if (files[0].revents != 0) return end(0, fmt::format("network {} was asked to end", name_));
      if (files[1].revents != 0) return end(1, network_->error_summary());
      if (files[3].revents != 0) dismiss();
      if (files[2].revents != 0) admit();
    }
  }

 private:
  void start(ConfiguredNetwork const& network) {
    network_.reset();
    network_ = start_network(static_cast<std::uint32_t>(network.topology.hosts.size()), network,
                             switch_program(EARL_LIBRARIES));
  }

  int end(int code, std::string const& text) {
    if (user_) send_message(user_.get(), text);
    if (code != 0) std::fprintf(stderr, "network %s: %s\n", name_.c_str(), text.c_str());
    return code;
  }

  /// Its switches restart, so that no packet under way reaches another job.
  void dismiss() {
    user_.close();
    start({.topology = topology_});
  }

  void admit() {
    auto caller = accept_same_user(listener_.get());
    auto const request = caller ? receive_message(caller.get()) : std::nullopt;
    if (!request) return;
    if (user_) return send_message(caller.get(), "a job uses it already");
    try {
      attach(caller, request->text);
    } catch (Error const& error) {
      send_message(caller.get(), error.what());
      if (!network_) throw;
    }
  }

  void attach(Descriptor& caller, std::string const& configuration) {
    if (!configuration.empty()) start(configure(topology_, configuration));
    std::array const files{network_->memory().descriptor(), network_->board().descriptor()};
    send_message(caller.get(), "ok", files);
    user_ = std::move(caller);
  }

  std::string const name_;
  Topology const topology_;
  Descriptor interrupts_;
  Descriptor listener_;
  std::unique_ptr<RunningNetwork> network_{};
  Descriptor user_{};
};

}  // namespace
}  // namespace earl::myrinet::cables

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view{argv[1]} == "-h") {
    std::fputs(earl::myrinet::cables::usage, stdout);
    return 0;
  }
  if (argc != 3) {
    std::fputs(earl::myrinet::cables::usage, stderr);
    return earl::myrinet::cables::usage_error;
  }
  try {
    return earl::myrinet::cables::SessionServer{argv[1], argv[2]}.run();
  } catch (earl::Error const& error) {
    std::fprintf(stderr, "earl-myrinet: %s\n", error.what());
    return earl::myrinet::cables::usage_error;
  }
}
