// SPDX-License-Identifier: BSD-3-Clause
#include "debug/trace/path.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "generic/base/error.hpp"
#include "generic/base/number.hpp"

namespace earl::trace {

namespace {

template <class Number>
Number number_in(std::string_view step, std::string_view text) {
  auto const value = number_from<Number>(text);
  if (!value || *value < Number{0})
    throw Error(
        "path step {}: RANK:RECEIVE=SOURCE#MESSAGE is needed, as in 0:3=2#5, or "
        "RANK?QUESTION=ANSWER, as in 0?3=no",
        step);
  return *value;
}

MessageId message_in(std::string_view step, std::string_view text) {
  auto const hash = std::min(text.find('#'), text.size());
  return {.source = Rank{number_in<std::int32_t>(step, text.substr(0, hash))},
          .sequence = number_in<std::uint64_t>(step, text.substr(std::min(hash + 1, text.size())))};
}

void parse_answer(std::string_view step, std::string_view text, PathStep& parsed) {
  parsed.answer = text == "no" ? PathStep::Answer::no : PathStep::Answer::yes;
  if (text == "yes" || text == "no") return;
  if (text.find('#') != std::string_view::npos) {
    parsed.message = message_in(step, text);
    return;
  }
  for (std::size_t at = 0; at <= text.size();) {
    auto const end = std::min(text.find('+', at), text.size());
    parsed.positions.push_back(number_in<std::uint32_t>(step, text.substr(at, end - at)));
    at = end + 1;
  }
}

PathStep parse_step(std::string_view step) {
  auto const mark = std::min(step.find_first_of(":@?"), step.size());
  auto const equals = std::min(step.find('='), step.size());
  PathStep parsed{.rank = Rank{number_in<std::int32_t>(step, step.substr(0, mark))}};
  if (mark < step.size() && step[mark] == '@') parsed.of = PathStep::Of::call;
  if (mark < step.size() && step[mark] == '?') parsed.of = PathStep::Of::question;
  auto const begin = std::min(mark + 1, step.size());
  parsed.number =
      number_in<std::uint64_t>(step, step.substr(begin, std::max(equals, begin) - begin));
  auto const value = step.substr(std::min(equals + 1, step.size()));
  if (parsed.of == PathStep::Of::question)
    parse_answer(step, value, parsed);
  else if (parsed.of == PathStep::Of::receive && equals + 1 != step.size())
    parsed.message = message_in(step, value);
  return parsed;
}

char mark_of(PathStep::Of of) {
  if (of == PathStep::Of::call) return '@';
  return of == PathStep::Of::question ? '?' : ':';
}

std::string value_text(PathStep const& step) {
  if (step.of == PathStep::Of::call) return "";
  if (step.message)
    return fmt::format("={}#{}", number(step.message->source), step.message->sequence);
  if (!step.positions.empty()) return fmt::format("={}", fmt::join(step.positions, "+"));
  if (step.of == PathStep::Of::receive) return "=";
  return step.answer == PathStep::Answer::no ? "=no" : "=yes";
}

}  // namespace

CallPlace parse_call_place(std::string_view option, std::string_view text) {
  auto const at = std::min(text.find('@'), text.size());
  auto const rank = number_from<std::int32_t>(text.substr(0, at));
  auto const event = number_from<std::uint64_t>(text.substr(std::min(at + 1, text.size())));
  if (!rank || *rank < 0 || !event || *event == 0)
    throw Error("{} {}: RANK@EVENT is needed, as in 3@120; events count from 1", option, text);
  return {.rank = Rank{*rank}, .event = *event};
}

Path parse_path(std::string_view text) {
  Path path;
  for (std::size_t at = 0; at <= text.size();) {
    auto const end = std::min(text.find(',', at), text.size());
    path.push_back(parse_step(text.substr(at, end - at)));
    at = end + 1;
  }
  return path;
}

std::string to_text(PathStep const& step) {
  return fmt::format("{}{}{}{}", number(step.rank), mark_of(step.of), step.number,
                     value_text(step));
}

std::string to_text(Path const& path) {
  std::string text;
  for (auto const& step : path) text += (text.empty() ? "" : ",") + to_text(step);
  return text;
}

}  // namespace earl::trace
