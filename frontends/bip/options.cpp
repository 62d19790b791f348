// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/bip/options.hpp"

#include <charconv>
#include <cstdlib>

#include "generic/base/error.hpp"
#include "generic/base/number.hpp"

namespace earl::bip {

namespace {

std::string_view variable(char const* name) {
  char const* value = std::getenv(name);
  return value ? value : "";
}

/// Empty: the variable says nothing.
std::optional<int> number_in(char const* name) {
  auto const text = variable(name);
  if (text.empty()) return {};
  auto const value = number_from<int>(text);
  if (!value || *value < 0)
    throw Error("{}={} is no number: give one from 0 on, or unset it", name, text);
  return value;
}

Strictness strictness() {
  auto const mode = variable("EARL_BIP_MODE");
  if (mode.empty() || mode == "relaxed") return Strictness::relaxed;
  if (mode == "strict") return Strictness::strict;
  if (mode == "faithful") return Strictness::faithful;
  throw Error("EARL_BIP_MODE={}: there is relaxed, strict and faithful", mode);
}

}  // namespace

void read_letters(Options& options, std::string_view letters) {
  for (std::size_t i = 0; i < letters.size(); ++i) {
    if (letters[i] == 'q') {
      options.quiet = true;
    } else if (letters[i] == 'n') {
      auto const* begin = letters.data() + i + 1;
      auto const [end, wrong] =
          std::from_chars(begin, letters.data() + letters.size(), options.nodes);
      if (wrong != std::errc{} || options.nodes < 1)
        throw Error("BIP_OPTS={}: after n comes how many nodes to use, from 1 on", letters);
      i += static_cast<std::size_t>(end - begin);
    } else {
      options.unknown += letters[i];
    }
  }
}

Options options_from_environment() {
  Options options;
  options.strictness = strictness();
  options.long_eager = variable("EARL_BIP_LONG") == "eager";
  if (options.strict()) options.sends = 1;
  if (auto const sends = number_in("EARL_BIP_SENDS"))
    options.sends = static_cast<std::size_t>(*sends);
  if (variable("EARL_BIP_STEST") == "-1") options.pending = -1;
  if (options.strictness == Strictness::faithful)
    options.drop_after = std::int64_t{1'000'000} * number_in("EARL_BIP_DROP_MS").value_or(50);
  options.node = number_in("EARL_BIP_NODE");
  read_letters(options, variable("BIP_OPTS"));
  options.file = variable("BIPCONF");
  options.file_named = !options.file.empty();
  if (!options.file_named && !variable("HOME").empty())
    options.file = std::string(variable("HOME")) + "/.bip/bipconf";
  return options;
}

}  // namespace earl::bip
