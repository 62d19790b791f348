#include "exec/hosts/host_list.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>

#include "exec/plan.hpp"
#include "generic/id_table.hpp"
#include "generic/number.hpp"

namespace earl::exec {

namespace {

constexpr std::size_t most_hosts = 4096;

std::uint32_t slots_from(std::string_view text, std::string_view whole) {
  auto const slots = number_from<std::uint32_t>(text);
  if (!slots || *slots == 0 || *slots > most_ranks)
    throw UsageError("\"{}\": after the host a number of processes is needed, as in {}", whole,
                     "a:2");
  return *slots;
}

/// Names go into a launcher's command line: nothing there may take one for an option.
void check_name(std::string_view name, std::string_view whole) {
  if (name.empty()) throw UsageError("\"{}\": a host's name is needed, as in a:2,b:2", whole);
  bool const fine = name.front() != '-' && std::ranges::all_of(name, [](char letter) {
    return letter > ' ' && letter != 0x7f && letter != '\'' && letter != '"' && letter != '`' &&
           letter != '$' && letter != ';' && letter != '&' && letter != '|' && letter != '\\';
  });
  if (!fine) throw UsageError("\"{}\" is no host's name", name);
}

HostWish parse_host(std::string_view text) {
  auto const colon = std::min(text.find(':'), text.size());
  HostWish host{.name = std::string(text.substr(0, colon))};
  check_name(host.name, text);
  if (colon < text.size()) host.slots = slots_from(text.substr(colon + 1), text);
  return host;
}

HostWish parse_line(std::string const& line) {
  std::istringstream words(line);
  std::string word;
  words >> word;
  auto host = parse_host(word);
  while (words >> word) {
    if (!word.starts_with("slots="))
      throw UsageError("\"{}\": a host, or a host and slots=N is needed", line);
    host.slots = slots_from(std::string_view{word}.substr(6), line);
  }
  return host;
}

bool blank(std::string const& line) {
  return line.find_first_not_of(" \t\r") == std::string::npos;
}

void check_list(std::vector<HostWish> const& hosts) {
  if (hosts.empty()) throw UsageError("at least one host is needed, as in a:2,b:2");
  if (hosts.size() > most_hosts)
    throw UsageError("{} hosts; a job has at most {}", hosts.size(), most_hosts);
  for (auto one = hosts.begin(); one != hosts.end(); ++one)
    if (std::find_if(hosts.begin(), one, [&](auto const& other) {
          return other.name == one->name;
        }) != one)
      throw UsageError("host {} is named twice; {}:2 gives it two processes", one->name,
                       one->name);
}

}  // namespace

std::vector<HostWish> parse_hosts(std::string_view text) {
  std::vector<HostWish> hosts;
  while (true) {
    auto const comma = text.find(',');
    hosts.push_back(parse_host(text.substr(0, comma)));
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
  }
  check_list(hosts);
  return hosts;
}

std::vector<HostWish> read_host_file(std::string const& path) {
  std::ifstream file(path);
  if (!file) throw UsageError("{} cannot be read", path);
  std::vector<HostWish> hosts;
  for (std::string line; std::getline(file, line);) {
    line = line.substr(0, line.find('#'));
    if (!blank(line)) hosts.push_back(parse_line(line));
  }
  check_list(hosts);
  return hosts;
}

std::uint32_t slots_of(std::vector<HostWish> const& hosts) {
  std::uint64_t slots = 0;
  for (auto const& host : hosts) slots += host.slots;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(slots, most_ranks));
}

std::uint32_t host_for(std::vector<HostWish> const& hosts, std::uint32_t n) {
  n %= slots_of(hosts);
  std::uint32_t host = 0;
  while (n >= hosts[host].slots) n -= hosts[host++].slots;
  return host;
}

bool is_this_host(std::string_view name) {
  std::array<char, 256> own{};
  if (::gethostname(own.data(), own.size() - 1) != 0) own[0] = '\0';
  return name == "localhost" || name == own.data();
}

std::vector<std::string> launch_command(std::string_view launcher, std::string const& name,
                                        std::vector<std::string> const& words) {
  std::istringstream parts{std::string(launcher)};
  std::vector<std::string> command;
  bool names_host = false;
  for (std::string part; parts >> part;) {
    for (auto at = part.find("%h"); at != std::string::npos; at = part.find("%h", at)) {
      part.replace(at, 2, name);
      at += name.size();
      names_host = true;
    }
    command.push_back(std::move(part));
  }
  if (!command.empty() && !names_host) command.push_back(name);
  if (command.empty()) throw UsageError("a command is needed, as in 'ssh %h'");
  command.insert(command.end(), words.begin(), words.end());
  return command;
}

}  // namespace earl::exec
