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
  std::int64_t time = 0;
  std::string text{};
};

/// In quotes, in which there may be none.
std::string quoted(std::string text) {
  std::ranges::replace(text, '"', '\'');
  return '"' + text + '"';
}

class Paje {
 public:
  explicit Paje(Slices& slices) : slices_(slices), unit_(slices.timed() ? 1e-9 : 1e-3) {}
  std::string text();

 private:
  std::string at(std::int64_t time) const {
    return fmt::format("{:.9f}", static_cast<double>(time) * unit_);
  }
  void add(std::int64_t time, std::string text) {
    end_ = std::max(end_, time);
    lines_.push_back({time, std::move(text)});
  }
  void add_calls(std::uint32_t rank);
  void add_link(std::uint32_t rank, Slice const& slice);

  Slices& slices_;
  double unit_;
  std::vector<Line> lines_;
  std::int64_t end_ = 0;
};

void Paje::add_calls(std::uint32_t rank) {
  for (auto const& slice : slices_.of(rank)) {
    add(slice.begin, fmt::format("5 {} C r{} {}\n", at(slice.begin), rank,
                                 quoted(slices_.call_text(rank, slice.at))));
    if (slices_.has_arrow(slice.step)) add_link(rank, slice);
    end_ = std::max(end_, slice.end);
  }
}

/// An end of the arrow.
void Paje::add_link(std::uint32_t rank, Slice const& slice) {
  auto const& message = slices_.history().messages[slice.step.message];
  add(slice.arrow,
      fmt::format("{} {} M j r{} {} m{}\n", slice.step.receive == none ? 6 : 7, at(slice.arrow),
                  rank, quoted(fmt::format("tag {}, {} bytes", message.tag, message.length)),
                  slice.step.message));
}

std::string Paje::text() {
  auto const ranks = static_cast<std::uint32_t>(slices_.ranks());
  for (std::uint32_t rank = 0; rank < ranks; ++rank) add_calls(rank);
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
