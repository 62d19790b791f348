// SPDX-License-Identifier: BSD-3-Clause
/// EXEC's half of a job of several hosts: the launcher, which reaches them through EXEC's agents.
#include <algorithm>

#include "backends/hosted/job.hpp"
#include "backends/hosted/places.hpp"
#include "backends/hosted/remote_command.hpp"
#include "generic/base/error.hpp"
#include "generic/system/installed_files.hpp"

namespace earl::hosted_backend {

namespace {

Launcher::Request launcher_request(Library const& library, std::span<std::uint32_t const> hosts) {
  auto const shell = find_part("backends/hosted", "earl-remote-shell");
  if (shell.empty()) throw Error("earl-remote-shell is missing; install Earl again");
  auto command = command_of(library);
  add(command, library.spread(shell, hosts));
  command.insert(command.end(), {"-n", std::to_string(hosts.size())});
  add(command, placeholder_of(library));
  auto settings = library.settings;
  add(settings, library.spread_settings);
  return {.command = std::move(command),
          .settings = std::move(settings),
          .socket = remote_commands_variable,
          .most = static_cast<int>(hosts.size())};
}

class SpanningLibraryJob final : public SpanningJob {
 public:
  SpanningLibraryJob(Library library, std::span<std::uint32_t const> hosts)
      : library_(std::move(library)),
        hosts_(hosts.begin(), hosts.end()),
        launcher_(launcher_request(library_, hosts)),
        commands_(take_commands(launcher_, library_, std::ranges::max(hosts) + 1, lines_)) {}

  std::string remote_command(std::uint32_t host) override {
    return in_bytes({.word = std::string{library_.word},
                     .spread = {.hosts = hosts_, .here = host},
                     .command = host < commands_.size() ? commands_[host] : std::string{}});
  }

  int wait_fd() const override { return launcher_.ended_fd(); }
  void handle_event() override { complain_of_end(library_, launcher_); }

 private:
  Library const library_;
  std::vector<std::uint32_t> const hosts_;  ///< by rank
  std::vector<Descriptor> lines_;           ///< to the launcher's replacements of ssh
  Launcher launcher_;
  std::vector<std::string> const commands_;  ///< by host
};

}  // namespace

std::unique_ptr<SpanningJob> span(Library library, std::span<std::uint32_t const> hosts) {
  check_processes(library, static_cast<std::uint32_t>(hosts.size()));
  return std::make_unique<SpanningLibraryJob>(std::move(library), hosts);
}

}  // namespace earl::hosted_backend
