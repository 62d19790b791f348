// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/hosts/host_list.hpp"
#include <algorithm>
#include <fstream>
#include <sstream>

#include "exec/launcher/plan.hpp"
#include "generic/base/id_table.hpp"
#include "generic/base/number.hpp"
#include "generic/system/host_name.hpp"

namespace earl::exec {

namespace {

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
                      return letter > ' ' && letter < 0x7f && letter != '\'' && letter != '"' &&
                             letter != '`' && letter != '$' && letter != ';' && letter != '&' &&
                             letter != '|' && letter != '\\';
                    });
  if (!fine)
    throw UsageError("\"{}\" is no host's name: letters, digits, '.', '-' and the like make one",
                     name);
}

RequestedHost parse_host(std::string_view text) {
  auto const colon = std::min(text.find(':'), text.size());
  RequestedHost host{.name = std::string(text.substr(0, colon))};
  check_name(host.name, text);
  if (colon < text.size()) host.slots = slots_from(text.substr(colon + 1), text);
  return host;
}

RequestedHost parse_line(std::string const& line) {
  std::istringstream fields(line);
  std::string word;
  fields >> word;
  auto host = parse_host(word);
  while (fields >> word) {
    if (!word.starts_with("slots="))
      throw UsageError("\"{}\": a host, or a host and slots=N is needed", line);
    host.slots = slots_from(std::string_view{word}.substr(6), line);
  }
  return host;
}

bool blank(std::string const& line) { return line.find_first_not_of(" \t\r") == std::string::npos; }

}  // namespace

void check_hosts(std::vector<RequestedHost> const& hosts) {
  for (auto const& host : hosts) check_name(host.name, host.name);
  if (hosts.empty()) throw UsageError("at least one host is needed, as in a:2,b:2");
  if (hosts.size() > most_hosts)
    throw UsageError("{} hosts; a job has at most {}", hosts.size(), most_hosts);
  for (auto one = hosts.begin(); one != hosts.end(); ++one)
    if (std::find_if(hosts.begin(), one,
                     [&](auto const& other) { return other.name == one->name; }) != one)
      throw UsageError("host {} is named twice; {}:2 gives it two processes", one->name, one->name);
}

std::vector<RequestedHost> parse_hosts(std::string_view text) {
  std::vector<RequestedHost> hosts;
  while (true) {
    auto const comma = text.find(',');
    hosts.push_back(parse_host(text.substr(0, comma)));
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
  }
  check_hosts(hosts);
  return hosts;
}

std::vector<RequestedHost> read_host_file(std::string const& path) {
  std::ifstream file(path);
  if (!file) throw UsageError("{} cannot be read", path);
  std::vector<RequestedHost> hosts;
  for (std::string line; std::getline(file, line);) {
    line = line.substr(0, line.find('#'));
    if (!blank(line)) hosts.push_back(parse_line(line));
  }
  check_hosts(hosts);
  return hosts;
}

std::uint32_t slots_of(std::vector<RequestedHost> const& hosts) {
  std::uint64_t slots = 0;
  for (auto const& host : hosts) slots += host.slots;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(slots, most_ranks));
}

std::uint32_t host_for(std::vector<RequestedHost> const& hosts, std::uint32_t n) {
  n %= slots_of(hosts);
  std::uint32_t host = 0;
  while (n >= hosts[host].slots) n -= hosts[host++].slots;
  return host;
}

bool is_this_host(std::string_view name) {
  auto const own = host_name();
  const std::string_view here = own;
  // One may say the domain and the other not.
  auto const shorter = std::min(name.size(), here.size());
  auto const same = shorter != 0 && name.substr(0, shorter) == here.substr(0, shorter);
  auto const ends = [&](std::string_view whole) {
    return whole.size() == shorter || whole[shorter] == '.';
  };
  return name == "localhost" || (same && ends(name) && ends(here));
}

}  // namespace earl::exec
