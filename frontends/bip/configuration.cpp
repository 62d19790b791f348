// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/bip/configuration.hpp"

#include <cerrno>

#include "generic/base/error.hpp"
#include "generic/base/number.hpp"
#include "generic/system/read_file.hpp"

namespace earl::bip {

namespace {

constexpr std::size_t most_switches = 4;
constexpr int most_nodes = 4096;
constexpr std::size_t most_ports = 256;

struct Line {
  std::size_t number = 0;  ///< in the file, from 1
  std::vector<std::string> words{};
};

std::vector<std::string> words_in(std::string_view line) {
  std::vector<std::string> words;
  for (std::size_t at = 0; (at = line.find_first_not_of(" \t\r", at)) != line.npos;) {
    auto const end = std::min(line.find_first_of(" \t\r", at), line.size());
    words.emplace_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

/// Without blank lines and comments.
std::vector<Line> lines_in(std::string_view text) {
  std::vector<Line> lines;
  for (std::size_t at = 0, number = 1; at < text.size(); ++number) {
    auto const end = std::min(text.find('\n', at), text.size());
    auto words = words_in(text.substr(at, end - at));
    if (!words.empty() && !words.front().starts_with('#'))
      lines.push_back({number, std::move(words)});
    at = end + 1;
  }
  return lines;
}

class Parser {
 public:
  Parser(std::string_view text, std::string_view name) : lines_(lines_in(text)), name_(name) {}

  Configuration parse() {
    if (lines_.empty()) throw Error("{} is empty: its first line is the number of nodes", name_);
    count_ = number_of_nodes();
    auto const expected = 1 + count_ * (1 + count_);
    if (lines_.size() != expected)
      throw Error(
          "{} has {} lines that count, and {} nodes need {}: one with their number, then for "
          "each node one with its host and {} with its routes",
          name_, lines_.size(), count_, expected, count_);
    Configuration all;
    for (std::size_t node = 0; node < count_; ++node) all.nodes.push_back(parse_node(node));
    return all;
  }

 private:
  template <class... Args>
  [[noreturn]] void fail(Line const& line, fmt::format_string<Args...> format, Args&&... args) {
    throw Error("{}, line {}: {}", name_, line.number,
                fmt::format(format, std::forward<Args>(args)...));
  }

  std::size_t number_of_nodes() {
    Line const& line = lines_.front();
    int const count = number(line, line.words.front());
    if (line.words.size() != 1 || count < 1 || count > most_nodes)
      fail(line, "this is the number of nodes, 1 to {}, and nothing else", most_nodes);
    return static_cast<std::size_t>(count);
  }

  ConfiguredNode parse_node(std::size_t node) {
    auto const first = 1 + node * (1 + count_);
    Line const& line = lines_[first];
    if (line.words.size() > 2) fail(line, "this is a host and the unit of its board, no more");
    ConfiguredNode made{.host = line.words[0]};
    if (line.words.size() == 2) made.unit = number(line, line.words[1]);
    for (std::size_t to = 0; to < count_; ++to)
      made.routes.push_back(parse_route(lines_[first + 1 + to]));
    return made;
  }

  std::vector<int> parse_route(Line const& line) {
    std::vector<int> route;
    for (auto const& word : line.words) route.push_back(number(line, word));
    if (route.size() > most_switches)
      fail(line, "a route of {} switches: two machines are at most {} apart", route.size(),
           most_switches);
    for (int const byte : route) {
      if (byte < 0 || byte > no_switch)
        fail(line, "{} is no byte of a route: 0 to 255, or 256", byte);
      if (byte == no_switch && route.size() > 1)
        fail(line, "256 means no switch, and stands alone");
    }
    return route;
  }

  int number(Line const& line, std::string_view word) {
    bool const hexadecimal = word.starts_with("0x") || word.starts_with("0X");
    auto const digits = hexadecimal ? word.substr(2) : word;
    auto const value = number_from<int>(digits, hexadecimal ? 16 : 10);
    if (!value) fail(line, "'{}' is no number", word);
    return *value;
  }

  std::vector<Line> lines_;
  std::string name_;
  std::size_t count_ = 0;
};

std::string_view short_name(std::string_view host) { return host.substr(0, host.find('.')); }

}  // namespace

Configuration parse_configuration(std::string_view text, std::string_view name) {
  return Parser{text, name}.parse();
}

Configuration read_configuration(std::string const& file) {
  auto const text = read_file(file);
  if (!text)
    throw Error("{}: {}; bipconf makes it: bipconf host host ...", file, system_message(errno));
  return parse_configuration(*text, file);
}

Configuration on_one_switch(std::vector<std::string> const& hosts) {
  if (hosts.size() > most_ports)
    throw Error("{} hosts, and a switch has {} ports at most", hosts.size(), most_ports);
  Configuration all;
  for (std::size_t from = 0; from < hosts.size(); ++from) {
    ConfiguredNode node{.host = hosts[from]};
    for (std::size_t to = 0; to < hosts.size(); ++to)
      node.routes.push_back({to == from ? no_switch : static_cast<int>(to)});
    all.nodes.push_back(std::move(node));
  }
  return all;
}

std::string text_of(Configuration const& configuration) {
  auto text = fmt::format("# a BIP configuration: the nodes, and the routes from each to all\n{}\n",
                          configuration.nodes.size());
  for (auto const& node : configuration.nodes) {
    text += fmt::format("{} {}\n", node.host, node.unit);
    for (auto const& route : node.routes) text += fmt::format("{}\n", fmt::join(route, " "));
  }
  return text;
}

int node_of_host(Configuration const& configuration, int nodes, std::string_view host,
                 std::string_view name) {
  std::vector<std::string> hosts;
  std::vector<int> full, partly;
  for (int i = 0; i < nodes; ++i) {
    auto const& known = configuration.nodes[static_cast<std::size_t>(i)].host;
    hosts.push_back(known);
    if (known == host) full.push_back(i);
    if (short_name(known) == short_name(host)) partly.push_back(i);
  }
  auto const& found = full.empty() ? partly : full;
  if (found.empty())
    throw Error("this host is {}, which {} does not name: it names {}", host, name,
                fmt::join(hosts, ", "));
  if (found.size() > 1)
    throw Error("this host, {}, is {} nodes in {}: EARL_BIP_NODE says which this process is", host,
                found.size(), name);
  return found.front();
}

}  // namespace earl::bip
