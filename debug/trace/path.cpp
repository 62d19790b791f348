// SPDX-License-Identifier: BSD-3-Clause
#include "debug/trace/path.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "generic/base/error.hpp"
#include "generic/base/number.hpp"

namespace earl::trace {

namespace {

template <class Number>
Number number_in(std::string_view step, std::string_view text) {
  auto const value = number_from<Number>(text);
  if (!value || *value < Number{0})
    throw Error("path step {}: RANK:RECEIVE=SOURCE#MESSAGE is needed, as in 0:3=2#5", step);
  return *value;
}

PathStep parse_step(std::string_view step) {
  auto const mark = std::min(step.find_first_of(":@"), step.size());
  auto const equals = std::min(step.find('='), step.size());
  PathStep parsed{.rank = Rank{number_in<std::int32_t>(step, step.substr(0, mark))}};
  parsed.frees_rank = mark < step.size() && step[mark] == '@';
  auto const begin = std::min(mark + 1, step.size());
  parsed.number =
      number_in<std::uint64_t>(step, step.substr(begin, std::max(equals, begin) - begin));
  if (parsed.frees_rank || equals + 1 == step.size()) return parsed;
  auto const message = step.substr(std::min(equals + 1, step.size()));
  auto const hash = std::min(message.find('#'), message.size());
  parsed.message = MessageId{.source = Rank{number_in<std::int32_t>(step, message.substr(0, hash))},
                             .sequence = number_in<std::uint64_t>(
                                 step, message.substr(std::min(hash + 1, message.size())))};
  return parsed;
}

}  // namespace

Path parse_path(std::string_view text) {
  Path path;
  for (std::size_t at = 0; at <= text.size();) {
    auto const end = std::min(text.find(',', at), text.size());
    path.push_back(parse_step(text.substr(at, end - at)));
    at = end + 1;
  }
  return path;
}

std::string in_words(Path const& path) {
  std::string words;
  for (auto const& step : path) {
    words += fmt::format("{}{}{}{}", words.empty() ? "" : ",", number(step.rank),
                         step.frees_rank ? '@' : ':', step.number);
    if (step.message)
      words += fmt::format("={}#{}", number(step.message->source), step.message->sequence);
    else if (!step.frees_rank)
      words += '=';
  }
  return words;
}

}  // namespace earl::trace
