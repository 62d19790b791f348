// SPDX-License-Identifier: BSD-3-Clause
#include "debug/analyse/paje.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace earl::analyse {

namespace {

// The kinds of lines by number, each with the names and types of its fields.
constexpr std::string_view definitions =
    "%EventDef PajeDefineContainerType 0\n% Alias string\n% Type string\n% Name string\n"
    "%EndEventDef\n"
    "%EventDef PajeDefineStateType 1\n% Alias string\n% Type string\n% Name string\n"
    "%EndEventDef\n"
    "%EventDef PajeDefineLinkType 2\n% Alias string\n% Type string\n% StartContainerType string\n"
    "% EndContainerType string\n% Name string\n%EndEventDef\n"
    "%EventDef PajeCreateContainer 3\n% Time date\n% Alias string\n% Type string\n"
    "% Container string\n% Name string\n%EndEventDef\n"
    "%EventDef PajeDestroyContainer 4\n% Time date\n% Type string\n% Name string\n%EndEventDef\n"
    "%EventDef PajeSetState 5\n% Time date\n% Type string\n% Container string\n% Value string\n"
    "%EndEventDef\n"
    "%EventDef PajeStartLink 6\n% Time date\n% Type string\n% Container string\n"
    "% StartContainer string\n% Value string\n% Key string\n%EndEventDef\n"
    "%EventDef PajeEndLink 7\n% Time date\n% Type string\n% Container string\n"
    "% EndContainer string\n% Value string\n% Key string\n%EndEventDef\n"
    "0 J 0 Job\n0 R J Rank\n1 C R Call\n2 M J R R Message\n";

/// One line; a reader wants them by time.
struct Line {
  double time = 0;
  std::string text{};
};

/// In quotes, in which there may be none.
std::string quoted(std::string text) {
  std::ranges::replace(text, '"', '\'');
  return '"' + text + '"';
}

class Paje {
 public:
  explicit Paje(Slices& slices)
      : slices_(slices),
        unit_(slices.timed() ? 1e-6 : 1),
        sent_(slices.history().messages.size()) {}
  std::string text();

 private:
  std::string at(double time) const { return fmt::format("{:.9f}", time * unit_); }
  void add(double time, std::string text) {
    end_ = std::max(end_, time);
    lines_.push_back({time, std::move(text)});
  }
  void add_calls(std::uint32_t rank);
  void add_starts(std::uint32_t rank);
  void add_ends(std::uint32_t rank);
  bool is_arrow(Step const& step) const {
    return step.message != none && slices_.history().messages[step.message].matched_by != none;
  }

  Slices& slices_;
  double unit_;
  std::vector<double> sent_;  ///< when, by message
  std::vector<Line> lines_;
  double end_ = 0;
};

void Paje::add_calls(std::uint32_t rank) {
  auto const slices = slices_.of(rank);
  auto const& steps = slices_.steps(rank);
  for (std::size_t i = 0; i < steps.size(); ++i)
    add(slices[i].begin, fmt::format("5 {} C r{} {}\n", at(slices[i].begin), rank,
                                     quoted(slices_.words(rank, steps[i]))));
  if (!slices.empty()) end_ = std::max(end_, slices.back().end);
}

void Paje::add_starts(std::uint32_t rank) {
  auto const slices = slices_.of(rank);
  auto const& steps = slices_.steps(rank);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].receive != none || !is_arrow(steps[i])) continue;
    auto const time = sent_[steps[i].message] = slices[i].middle();
    auto const& message = slices_.history().messages[steps[i].message];
    add(time, fmt::format("6 {} M j r{} {} m{}\n", at(time), rank,
                          quoted(fmt::format("tag {}, {} bytes", message.tag, message.length)),
                          steps[i].message));
  }
}

/// After all starts. Clocks of two hosts may differ: no message ends before it starts.
void Paje::add_ends(std::uint32_t rank) {
  auto const slices = slices_.of(rank);
  auto const& steps = slices_.steps(rank);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].receive == none || !is_arrow(steps[i])) continue;
    auto const time = std::max(slices[i].middle(), sent_[steps[i].message]);
    auto const& message = slices_.history().messages[steps[i].message];
    add(time, fmt::format("7 {} M j r{} {} m{}\n", at(time), rank,
                          quoted(fmt::format("tag {}, {} bytes", message.tag, message.length)),
                          steps[i].message));
  }
}

std::string Paje::text() {
  auto const ranks = static_cast<std::uint32_t>(slices_.ranks());
  for (std::uint32_t rank = 0; rank < ranks; ++rank) add_calls(rank);
  for (std::uint32_t rank = 0; rank < ranks; ++rank) add_starts(rank);
  for (std::uint32_t rank = 0; rank < ranks; ++rank) add_ends(rank);
  std::ranges::stable_sort(lines_, {}, &Line::time);
  std::string text{definitions};
  text += fmt::format("3 {} j J 0 job\n", at(0));
  for (std::uint32_t rank = 0; rank < ranks; ++rank)
    text += fmt::format("3 {} r{} R j \"rank {}\"\n", at(0), rank, rank);
  for (auto const& line : lines_) text += line.text;
  for (std::uint32_t rank = 0; rank < ranks; ++rank)
    text += fmt::format("4 {} R r{}\n", at(end_), rank);
  return text + fmt::format("4 {} J j\n", at(end_));
}

}  // namespace

std::string paje(Slices& slices) { return Paje(slices).text(); }

}  // namespace earl::analyse
