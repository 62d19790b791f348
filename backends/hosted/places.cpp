// SPDX-License-Identifier: BSD-3-Clause
#include "backends/hosted/places.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <utility>

#include "generic/base/error.hpp"
#include "generic/base/number.hpp"
#include "generic/system/installed_files.hpp"
#include "generic/system/unix_socket.hpp"

namespace earl::hosted_backend {

namespace {

/// Settings that a launcher, or Earl, changes for its own purposes.
constexpr std::array<std::string_view, 10> private_variables{places_variable,
                                                             arguments_variable,
                                                             remote_commands_variable,
                                                             "LD_LIBRARY_PATH",
                                                             "LD_PRELOAD",
                                                             "OLDPWD",
                                                             "PWD",
                                                             "SHLVL",
                                                             "TMPDIR",
                                                             "_"};

/// Reads the placeholder's first byte, and the descriptor that may come with it.
bool greeted(int line, Descriptor& handed) {
  std::array<std::byte, 1> greeting{};
  auto packet = receive_packet(line, greeting, 0);
  if (!packet.descriptors.empty()) handed = std::move(packet.descriptors.front());
  return packet.what == ReceiveStatus::packet;
}

/// Whether the launcher has set it, for the library to see.
bool from_launcher(std::string const& variable) {
  auto const name = variable.substr(0, variable.find('='));
  if (std::ranges::find(private_variables, name) != private_variables.end()) return false;
  char const* const ours = std::getenv(name.c_str());
  return !ours || variable.size() == name.size() || variable.substr(name.size() + 1) != ours;
}

}  // namespace

Descriptor in_memory(std::vector<std::string> const& variables, Library const& library) {
  std::string all;
  for (auto const& variable : library.variables) all += variable + '\0';
  for (auto const& variable : variables)
    if (from_launcher(variable)) all += variable + '\0';
  Descriptor memory(::memfd_create("earl place", MFD_CLOEXEC));
  if (!memory || ::write(memory.get(), all.data(), all.size()) != static_cast<ssize_t>(all.size()))
    throw Error("no memory for a place in the library: {}", system_message(errno));
  return memory;
}

Rank rank_in(std::vector<std::string> const& variables, std::string_view name) {
  for (auto const& variable : variables)
    if (variable.starts_with(name) && variable.substr(name.size(), 1) == "=")
      if (auto const found = number_from<std::int32_t>(variable.substr(name.size() + 1)))
        return Rank{*found};
  return no_rank;
}

void check_processes(Library const& library, std::uint32_t initial) {
  if (initial == 0)
    throw Error(Fault::full,
                "a job on {} begins with all its processes: say how many (earl run -n), or use "
                "another back end",
                library.back_end);
}

void add(std::vector<std::string>& command, std::vector<std::string> const& arguments) {
  command.insert(command.end(), arguments.begin(), arguments.end());
}

std::vector<std::string> command_of(Library const& library) {
  std::vector<std::string> command{library.path};
  add(command, library.options);
  return command;
}

std::vector<std::string> placeholder_of(Library const& library) {
  auto arguments = library.wrapper;
  arguments.push_back(find_part("backends/hosted", "earl-place"));
  if (arguments.back().empty()) throw Error("earl-place is missing; install Earl again");
  arguments.emplace_back(library.handed);
  return arguments;
}

Reported read_report(Descriptor line) {
  Reported found{.place = {.line = std::move(line), .variables = {}, .handed = {}},
                 .variables = {}};
  if (greeted(found.place.line.get(), found.place.handed))
    found.variables = read_texts(found.place.line.get());
  return found;
}

Places take_places(Launcher& launcher, Library const& library, std::vector<Rank> const& ranks) {
  Places places;
  auto const fail = [&] {
    throw Error("{} ({}) failed: it started {} of {} processes{}", library.launcher, library.title,
                places.size(), ranks.size(), quoted(launcher));
  };
  while (places.size() < ranks.size()) {
    auto line = launcher.next();
    if (!line) fail();
    auto [place, variables] = read_report(std::move(line));
    auto const rank = rank_in(variables, library.rank);
    if (std::ranges::find(ranks, rank) == ranks.end() || places.contains(rank)) fail();
    place.variables = in_memory(variables, library);
    places.emplace(rank, std::move(place));
  }
  return places;
}

std::string quoted(Starter const& launcher) {
  auto const summary = launcher.error_summary();
  return summary.empty() ? summary : ": " + summary;
}

void complain_of_end(Library const& library, Starter const& launcher) {
  throw Error("{} ({}) has ended; the job cannot go on without it{}", library.launcher,
              library.title, quoted(launcher));
}

}  // namespace earl::hosted_backend
