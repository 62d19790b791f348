// SPDX-License-Identifier: BSD-3-Clause
/// The file that describes a network.
#include <algorithm>
#include <cerrno>
#include <map>

#include "backends/myrinet/route.hpp"
#include "backends/myrinet/topology.hpp"
#include "generic/base/error.hpp"
#include "generic/base/number.hpp"
#include "generic/system/read_file.hpp"

namespace earl::myrinet {

namespace {

using Tokens = std::vector<std::string_view>;

/// Up to a comment.
Tokens tokens_in(std::string_view line) {
  constexpr auto blanks = " \t\r";
  Tokens tokens;
  line = line.substr(0, line.find('#'));
  for (std::size_t at = 0; (at = line.find_first_not_of(blanks, at)) != line.npos;) {
    auto const end = std::min(line.find_first_of(blanks, at), line.size());
    tokens.push_back(line.substr(at, end - at));
    at = end;
  }
  return tokens;
}

class Parser {
 public:
  explicit Parser(std::string_view name) : name_(name) {}

  void line(std::string_view text) {
    ++number_;
    auto const tokens = tokens_in(text);
    if (tokens.empty()) return;
    for (auto const word : tokens) check_letters(word);
    if (tokens[0] == "switch")
      add_switch(tokens);
    else if (tokens[0] == "cable")
      add_cable(tokens);
    else if (tokens[0] == "host")
      add_host(tokens);
    else
      fail("'{}' is none of switch, cable, host", tokens[0]);
  }

  Topology finish() {
    if (all_.hosts.empty())
      throw Error("{} names no host: add lines `host NAME SWITCH:PORT`", name_);
    return std::move(all_);
  }

 private:
  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) {
    throw Error("{}, line {}: {}", name_, number_,
                fmt::format(format, std::forward<Args>(args)...));
  }

  /// Names are printed, and compared with those of hosts.
  void check_letters(std::string_view word) {
    for (char const letter : word)
      if (letter <= ' ' || letter >= 0x7f)
        fail("byte {:#04x} in a name: use printable ASCII", static_cast<unsigned char>(letter));
  }

  void add_switch(Tokens const& tokens) {
    if (tokens.size() != 3) fail("expected: switch NAME PORTS");
    unsigned const ports = number(tokens[2]);
    if (ports < 1 || ports > most_ports)
      fail("a switch has 1 to {} ports, not {}", most_ports, ports);
    auto const place = static_cast<std::uint32_t>(all_.switches.size());
    if (!switches_.emplace(tokens[1], place).second)
      fail("switch {} is defined twice: choose another name", tokens[1]);
    all_.switches.push_back({std::string(tokens[1]), std::vector<Plug>(ports)});
  }

  void add_cable(Tokens const& tokens) {
    if (tokens.size() != 3) fail("expected: cable SWITCH:PORT SWITCH:PORT");
    Plug const a = plug(tokens[1]);
    Plug const b = plug(tokens[2]);
    if (a == b) fail("cable from {} to itself: name two ports", all_.text_for(a));
    all_.cable(a, b);
  }

  void add_host(Tokens const& tokens) {
    if (tokens.size() != 3 && tokens.size() != 4) fail("expected: host NAME [UNIT] SWITCH:PORT");
    int const unit = tokens.size() == 4 ? static_cast<int>(number(tokens[2])) : 0;
    for (auto const& known : all_.hosts)
      if (known.name == tokens[1] && known.unit == unit)
        fail("host {} with board {} is defined twice: choose another UNIT", tokens[1], unit);
    Plug const at = plug(tokens.back());
    auto const place = static_cast<std::uint32_t>(all_.hosts.size());
    all_.hosts.push_back({.name = std::string(tokens[1]), .unit = unit});
    all_.cable({End::a_host, place, 0}, at);
  }

  /// SWITCH:PORT, where nothing is plugged in yet.
  Plug plug(std::string_view word) {
    auto const colon = word.rfind(':');
    if (colon == word.npos) fail("'{}' is no port of a switch: expected SWITCH:PORT", word);
    auto const known = switches_.find(std::string(word.substr(0, colon)));
    if (known == switches_.end())
      fail("unknown switch {0}: define it above, as `switch {0} PORTS`", word.substr(0, colon));
    Plug const at{End::a_switch, known->second, number(word.substr(colon + 1))};
    auto const& box = all_.switches[at.number];
    if (at.port >= box.ports.size())
      fail("switch {} has no port {}: its ports are 0 to {}", box.name, at.port,
           box.ports.size() - 1);
    if (auto const& there = box.ports[at.port]; there.end != End::nothing)
      fail("{} is cabled to {} already: choose another port", all_.text_for(at),
           all_.text_for(there));
    return at;
  }

  unsigned number(std::string_view word) {
    auto const value = number_from<unsigned>(word);
    if (!value || *value > 1'000'000) fail("'{}' is no number from 0 to 1000000", word);
    return *value;
  }

  Topology all_;
  std::map<std::string, std::uint32_t, std::less<>> switches_;
  std::string name_;
  std::size_t number_ = 0;
};

}  // namespace

Topology parse_topology(std::string_view text, std::string_view name) {
  Parser parser{name};
  for (std::size_t at = 0; at < text.size();) {
    auto const end = std::min(text.find('\n', at), text.size());
    parser.line(text.substr(at, end - at));
    at = end + 1;
  }
  return parser.finish();
}

Topology read_topology(std::string const& file) {
  auto const text = read_file(file);
  if (!text) throw Error("{}: {}", file, system_message(errno));
  return parse_topology(*text, file);
}

}  // namespace earl::myrinet
