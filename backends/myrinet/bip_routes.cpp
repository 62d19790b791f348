// SPDX-License-Identifier: BSD-3-Clause
#include "backends/myrinet/bip_routes.hpp"

#include <algorithm>
#include <cerrno>
#include <sstream>

#include "backends/myrinet/routes.hpp"
#include "generic/base/error.hpp"
#include "generic/base/number.hpp"
#include "generic/system/read_file.hpp"

namespace earl::myrinet {

namespace {

using Words = std::vector<std::string>;

/// The tokens of each line that counts.
std::vector<Words> lines_of(std::string const& file) {
  auto const all = read_file(file);
  if (!all)
    throw Error("{}: {}; bipconf makes it: bipconf host host ...", file, system_message(errno));
  std::istringstream stream(*all);
  std::vector<Words> lines;
  for (std::string line; std::getline(stream, line);) {
    std::istringstream text(line);
    Words tokens;
    for (std::string word; text >> word;) tokens.push_back(word);
    if (!tokens.empty() && !tokens[0].starts_with('#')) lines.push_back(std::move(tokens));
  }
  return lines;
}

class Reader {
 public:
  Reader(Topology const& topology, std::string const& file)
      : topology_(topology), file_(file), lines_(lines_of(file)) {}

  ConfiguredNetwork read() {
    count_ = lines_.empty() ? 0 : static_cast<std::size_t>(number(lines_[0][0]));
    if (count_ == 0 || lines_.size() != 1 + count_ * (1 + count_)) fail();
    ConfiguredNetwork all{.topology = {.switches = topology_.switches}};
    for (auto& box : all.topology.switches)
      for (auto& plug : box.ports)
        if (plug.end == End::a_host) plug = {};
    for (std::size_t node = 0; node < count_; ++node) add_host(all.topology, lines_[line_of(node)]);
    for (std::size_t from = 0; from < count_; ++from)
      for (std::size_t to = 0; to < count_; ++to)
        all.routes.push_back(from == to ? Route{} : route(all.topology, from, to));
    return all;
  }

 private:
  /// BIP's own commands report the details of a fault in such files.
  [[noreturn]] void fail() const {
    throw Error("{} is no configuration of BIP: bipload reports the fault", file_);
  }
  std::size_t line_of(std::size_t node) const { return 1 + node * (1 + count_); }

  int number(std::string const& word) const {
    bool const hexadecimal = word.starts_with("0x") || word.starts_with("0X");
    auto const value =
        number_from<int>(std::string_view{word}.substr(hexadecimal ? 2 : 0), hexadecimal ? 16 : 10);
    if (!value || *value < 0 || *value > 4096) fail();
    return *value;
  }

  void add_host(Topology& all, Words const& tokens) const {
    int const unit = tokens.size() > 1 ? number(tokens[1]) : 0;
    auto const same = [&](HostBox const& host) {
      return host.name == tokens[0] && host.unit == unit;
    };
    auto const known = std::find_if(topology_.hosts.begin(), topology_.hosts.end(), same);
    if (known == topology_.hosts.end())
      throw Error("{} names host {} with board {}, which the network lacks: run bipconf again",
                  file_, tokens[0], unit);
    if (std::any_of(all.hosts.begin(), all.hosts.end(), same))
      throw Error("{} names host {} with board {} twice: each process needs a board", file_,
                  tokens[0], unit);
    all.hosts.push_back({.name = known->name, .unit = unit});
    all.cable({End::a_host, static_cast<std::uint32_t>(all.hosts.size() - 1), 0}, known->cabled_to);
  }

  Route route(Topology const& all, std::size_t from, std::size_t to) const {
    auto const& tokens = lines_[line_of(from) + 1 + to];
    Route found;
    for (auto const& word : tokens) {
      int const byte = number(word);
      if (byte == 256) continue;  // no switch
      if (byte > 255 || found.full()) fail();
      found.append(static_cast<std::uint8_t>(byte));
    }
    auto const end = follow(all, static_cast<std::uint32_t>(from), found);
    if (end != to)
      throw Error("{}: the route from {} to {} leads to {}", file_, all.hosts[from].name,
                  all.hosts[to].name, all.hosts[end].name);
    return found;
  }

  Topology const& topology_;
  std::string const& file_;
  std::vector<Words> lines_;
  std::size_t count_ = 0;
};

}  // namespace

ConfiguredNetwork configure(Topology const& topology, std::string const& file) {
  return Reader{topology, file}.read();
}

}  // namespace earl::myrinet
