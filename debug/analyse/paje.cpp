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
        lasting_(slices.all()),
        sent_(slices.history().messages.size()) {}
  std::string text();

 private:
  std::string at(double time) const { return fmt::format("{:.9f}", time * unit_); }
  void add(double time, std::string text) {
    end_ = std::max(end_, time);
    lines_.push_back({time, std::move(text)});
  }
  void add_calls(std::uint32_t rank);
  /// Arrows begin at its sends (`sends`) and end at its receives.
  void add_links(std::uint32_t rank, bool sends);
  bool is_arrow(Step const& step) const {
    return step.message != none && slices_.history().messages[step.message].matched_by != none;
  }

  Slices& slices_;
  double unit_;
  std::vector<std::vector<Slice>> lasting_;  ///< of each rank's steps
  std::vector<double> sent_;                 ///< when, by message
  std::vector<Line> lines_;
  double end_ = 0;
};

void Paje::add_calls(std::uint32_t rank) {
  auto const& lasting = lasting_[rank];
  auto const& steps = slices_.steps(rank);
  for (std::size_t i = 0; i < steps.size(); ++i)
    add(lasting[i].begin, fmt::format("5 {} C r{} {}\n", at(lasting[i].begin), rank,
                                      quoted(slices_.call_text(rank, steps[i]))));
  if (!lasting.empty()) end_ = std::max(end_, lasting.back().end);
}

/// Sends come first. Clocks of two hosts may differ: no message ends before it starts.
void Paje::add_links(std::uint32_t rank, bool sends) {
  auto const& steps = slices_.steps(rank);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    auto const& step = steps[i];
    if ((step.receive == none) != sends || !is_arrow(step)) continue;
    auto const time = std::max(lasting_[rank][i].middle(), sent_[step.message]);
    if (sends) sent_[step.message] = time;
    auto const& message = slices_.history().messages[step.message];
    add(time, fmt::format("{} {} M j r{} {} m{}\n", sends ? 6 : 7, at(time), rank,
                          quoted(fmt::format("tag {}, {} bytes", message.tag, message.length)),
                          step.message));
  }
}

std::string Paje::text() {
  auto const ranks = static_cast<std::uint32_t>(slices_.ranks());
  for (std::uint32_t rank = 0; rank < ranks; ++rank) add_calls(rank);
  for (bool const sends : {true, false})
    for (std::uint32_t rank = 0; rank < ranks; ++rank) add_links(rank, sends);
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
