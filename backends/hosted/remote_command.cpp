// SPDX-License-Identifier: BSD-3-Clause
#include "backends/hosted/remote_command.hpp"

#include <algorithm>

#include "backends/hosted/places.hpp"
#include "generic/base/error.hpp"
#include "generic/base/number.hpp"

namespace earl::hosted_backend {

namespace {

constexpr std::string_view host_name = "earl-";

struct Shell {
  std::size_t host = SIZE_MAX;
  std::string command;
};

/// Arguments of ssh: options, a host, and arguments that its shell reads as one line.
Shell shell_from(std::vector<std::string> const& arguments) {
  Shell shell;
  auto word =
      std::ranges::find_if(arguments, [](auto const& text) { return !text.starts_with('-'); });
  if (word == arguments.end() || !word->starts_with(host_name)) return shell;
  shell.host = number_from<std::size_t>(word->substr(host_name.size())).value_or(SIZE_MAX);
  for (++word; word != arguments.end(); ++word) shell.command += *word + " ";
  return shell;
}

}  // namespace

std::string in_bytes(RemoteCommand const& remote_command) {
  Writer to;
  to.text(remote_command.word);
  to.u32(remote_command.spread.here);
  to.u32(static_cast<std::uint32_t>(remote_command.spread.hosts.size()));
  for (auto const host : remote_command.spread.hosts) to.u32(host);
  to.text(remote_command.command);
  return {reinterpret_cast<char const*>(to.bytes().data()), to.bytes().size()};
}

RemoteCommand remote_command_from(std::string_view bytes) {
  Reader from(std::as_bytes(std::span{bytes}));
  RemoteCommand remote_command;
  remote_command.word = from.text();
  remote_command.spread.here = from.u32();
  for (auto left = from.u32(); left > 0; --left) remote_command.spread.hosts.push_back(from.u32());
  remote_command.command = from.text();
  if (!from.at_end()) throw Error("a remote command of another version of Earl");
  return remote_command;
}

std::string name_of_host(std::uint32_t number) { return fmt::format("{}{}", host_name, number); }

std::vector<std::string> take_commands(Launcher& launcher, Library const& library,
                                       std::size_t hosts, std::vector<Descriptor>& lines) {
  std::vector<std::string> commands(hosts);
  while (lines.size() < hosts) {
    auto line = launcher.next();
    auto const shell = line ? shell_from(read_texts(line.get())) : Shell{};
    if (shell.host >= hosts || !commands[shell.host].empty())
      throw Error("{} ({}) has not asked for {} hosts{}", library.launcher, library.title, hosts,
                  quoted(launcher));
    commands[shell.host] = shell.command;
    lines.push_back(std::move(line));
  }
  return commands;
}

}  // namespace earl::hosted_backend
