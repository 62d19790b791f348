// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/hosts/batch.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "exec/launcher/hosts/host_list.hpp"
#include "exec/launcher/hosts/launchers.hpp"
#include "exec/launcher/plan.hpp"
#include "generic/base/number.hpp"

namespace earl::exec {

namespace {

using Names = std::vector<std::string>;
using HostList = std::vector<RequestedHost>;

constexpr std::size_t most_names = 65'536;
constexpr std::size_t longest_number = 9;

std::string variable(char const* name) {
  char const* const value = std::getenv(name);
  return value ? value : "";
}

/// A host that is named again has a place more.
void add(HostList& hosts, std::string const& name, std::uint32_t slots) {
  auto const known = std::ranges::find(hosts, name, &RequestedHost::name);
  if (known == hosts.end())
    hosts.push_back({.name = name, .slots = slots});
  else
    known->slots += slots;
}

// --- Slurm

/// The parts between commas that are in no brackets.
std::optional<std::vector<std::string_view>> split_host(std::string_view text) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  bool inside = false;
  for (std::size_t at = 0; at <= text.size(); ++at) {
    if (at == text.size() || (text[at] == ',' && !inside)) {
      parts.push_back(text.substr(begin, at - begin));
      begin = at + 1;
    } else if (text[at] == '[' || text[at] == ']') {
      if (inside == (text[at] == '[')) return std::nullopt;
      inside = !inside;
    }
  }
  return inside ? std::nullopt : std::optional{parts};
}

/// "1-3" or "07": with the zeros that its first number begins with.
bool add_range(Names& numbers, std::string_view range) {
  auto const first = range.substr(0, range.find('-'));
  auto const last = first.size() == range.size() ? first : range.substr(first.size() + 1);
  auto const from = number_from<std::uint32_t>(first);
  auto const to = number_from<std::uint32_t>(last);
  if (!from || !to || *to < *from || *to - *from >= most_names || first.size() > longest_number)
    return false;
  for (auto n = *from; n <= *to; ++n) numbers.push_back(fmt::format("{:0{}}", n, first.size()));
  return true;
}

/// The expansion of one part: each number in its first brackets with each expansion of the rest.
std::optional<Names> names_of(std::string_view part) {
  auto const open = part.find('[');
  if (open == std::string_view::npos) return Names{std::string(part)};
  auto const close = part.find(']');
  auto inside = part.substr(open + 1, close - open - 1);
  Names numbers;
  for (bool more = true; more;) {
    auto const comma = inside.find(',');
    if (!add_range(numbers, inside.substr(0, comma))) return std::nullopt;
    more = comma != std::string_view::npos;
    if (more) inside.remove_prefix(comma + 1);
  }
  auto const rest = names_of(part.substr(close + 1));
  if (!rest || numbers.size() * rest->size() > most_names) return std::nullopt;
  Names names;
  for (auto const& number : numbers)
    for (auto const& end : *rest)
      names.push_back(fmt::format("{}{}{}", part.substr(0, open), number, end));
  return names;
}

HostList slurm_hosts(std::string const& list) {
  auto const names = slurm_names(list);
  auto tasks = variable("SLURM_TASKS_PER_NODE");
  if (tasks.empty()) tasks = variable("SLURM_JOB_CPUS_PER_NODE");
  auto const counts = slurm_counts(tasks);
  HostList hosts;
  for (std::size_t i = 0; names && i < names->size(); ++i)
    add(hosts, (*names)[i], counts && i < counts->size() ? (*counts)[i] : 1);
  return hosts;
}

// --- the others

/// A file with a host on each line, and maybe how many processes it takes: PBS and OAR name a host
/// once for each.
HostList hosts_in_file(std::string const& path) {
  std::ifstream file(path);
  HostList hosts;
  for (std::string line; std::getline(file, line);) {
    std::istringstream fields(line);
    std::string name;
    std::string count;
    fields >> name >> count;
    if (!name.empty()) add(hosts, name, number_from<std::uint32_t>(count).value_or(1));
  }
  return hosts;
}

/// "a 2 b 4".
HostList hosts_text(std::string const& text) {
  std::istringstream fields(text);
  HostList hosts;
  std::string name;
  for (std::uint32_t count = 0; fields >> name >> count;) add(hosts, name, count);
  return hosts;
}

struct System {
  char const* name;
  char const* variable;  ///< where it is, this system's job is around this process
  HostList (*hosts)(std::string const& value);
  char const* launcher;
};

constexpr std::array systems{
    System{"Slurm", "SLURM_JOB_NODELIST", slurm_hosts, "srun"},
    System{"OAR", "OAR_NODEFILE", hosts_in_file, "oarsh"},
    System{"PBS", "PBS_NODEFILE", hosts_in_file, "ssh"},
    System{"LSF", "LSB_MCPU_HOSTS", hosts_text, "blaunch"},
    System{"Grid Engine", "PE_HOSTFILE", hosts_in_file, "qrsh"},
};

}  // namespace

std::optional<std::vector<std::string>> slurm_names(std::string_view text) {
  auto const parts = split_host(text);
  if (!parts) return std::nullopt;
  Names all;
  for (auto const part : *parts) {
    auto const names = names_of(part);
    if (!names || part.empty() || all.size() + names->size() > most_names) return std::nullopt;
    all.insert(all.end(), names->begin(), names->end());
  }
  return all;
}

std::optional<std::vector<std::uint32_t>> slurm_counts(std::string_view text) {
  std::vector<std::uint32_t> counts;
  auto const parts = split_host(text);
  if (!parts) return std::nullopt;
  for (auto const part : *parts) {
    auto const open = std::min(part.find("(x"), part.size());
    auto const count = number_from<std::uint32_t>(part.substr(0, open));
    auto times = std::optional<std::uint32_t>{1};
    if (open < part.size()) {
      auto const end = part.find(')');
      times = number_from<std::uint32_t>(part.substr(open + 2, end - open - 2));
      if (end + 1 != part.size()) return std::nullopt;
    }
    if (!count || *count == 0 || !times || counts.size() + *times > most_names) return std::nullopt;
    counts.insert(counts.end(), *times, *count);
  }
  return counts;
}

std::optional<Allocation> find_allocation() {
  for (auto const& [name, key, hosts_of, launcher] : systems) {
    auto const value = variable(key);
    if (value.empty()) continue;
    auto hosts = hosts_of(value);
    try {
      check_hosts(hosts);
    } catch (UsageError const& error) {
      throw UsageError(
          "{}={} names no hosts ({}); --hosts does, and --hosts none stays on this one", key, value,
          error.what());
    }
    return Allocation{
        .system = name, .hosts = std::move(hosts), .launcher = full_launcher(launcher)};
  }
  return std::nullopt;
}

}  // namespace earl::exec
