// SPDX-License-Identifier: BSD-3-Clause
#include "debug/analyse/drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "debug/analyse/blocked.hpp"
#include "debug/analyse/candidates.hpp"
#include "debug/analyse/load.hpp"
#include "debug/analyse/picture.hpp"
#include "debug/analyse/sites.hpp"
#include "debug/analyse/write_file.hpp"
#include "generic/base/error.hpp"

namespace earl::analyse {

namespace {

// In pixels.
constexpr unsigned margin = 64;
constexpr unsigned top = 28;
constexpr unsigned lane = 44;
constexpr unsigned legend = 36;
constexpr unsigned widest = 1200;

std::string escaped(std::string_view text) {
  std::string safe;
  for (char const c : text) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      default:
        // Control characters and bytes that are not ASCII may make the file no XML.
        safe += c < ' ' || c > '~' ? '?' : c;
    }
  }
  return safe;
}

class Drawing {
 public:
  explicit Drawing(History& history)
      : history_(history),
        races_(find_races(history)),
        picture_(make_picture(history)),
        sites_(history),
        step_(std::clamp(widest / std::max(1U, picture_.columns), 8U, 40U)) {
    for (auto const& race : races_) {
      auto const got = history_.ranks[race.rank].receives[race.receive].message;
      if (got != none) racing_.insert(got);
      others_.insert(race.others.begin(), race.others.end());
    }
  }

  std::string text();

 private:
  unsigned x(std::uint32_t column) const { return margin + column * step_; }
  static unsigned y(std::uint32_t rank) { return top + rank * lane; }
  unsigned width() const { return std::max(x(picture_.columns) + margin / 2, 740U); }
  unsigned height() const { return y(static_cast<std::uint32_t>(history_.ranks.size())) + legend; }

  std::string_view style_of(std::uint32_t message) const;
  std::string title_of(std::uint32_t message);
  void add_lanes();
  void add_message(std::uint32_t message);
  void add_blocked();
  void add_legend();

  History const& history_;
  std::vector<Race> races_;
  Picture picture_;
  Sites sites_;
  unsigned step_;
  std::set<std::uint32_t> racing_{};  ///< messages that a racing receive got
  std::set<std::uint32_t> others_{};  ///< those it could have got instead
  std::string out_{};
};

std::string_view Drawing::style_of(std::uint32_t message) const {
  if (picture_.arrows[message].received == none) return "lost";
  if (racing_.contains(message)) return "race";
  return others_.contains(message) ? "other" : "plain";
}

std::string Drawing::title_of(std::uint32_t message) {
  auto const& sent = history_.messages[message];
  auto const receive = picture_.arrows[message].receive;
  auto title = fmt::format("rank {} to rank {}, tag {}, {} bytes: {}", sent.source, sent.dest,
                           sent.tag, sent.length, sites_.call_text(sent.source, sent.at.site));
  if (receive != none)
    title += fmt::format(
        ", {}", sites_.call_text(sent.dest, history_.ranks[sent.dest].receives[receive].at.site));
  return title;
}

void Drawing::add_lanes() {
  for (std::uint32_t rank = 0; rank < history_.ranks.size(); ++rank)
    out_ += fmt::format(
        "<text x=\"8\" y=\"{}\">rank {}</text>"
        "<line class=\"lane\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>\n",
        y(rank) + 4, rank, margin, y(rank), width() - margin / 4, y(rank));
}

/// One that was never received ends between the lanes, one to the sender itself is a bow.
void Drawing::add_message(std::uint32_t message) {
  auto const& sent = history_.messages[message];
  auto const& arrow = picture_.arrows[message];
  auto const style = style_of(message);
  auto const begin = x(arrow.sent);
  bool const lost = arrow.received == none;
  auto const end = lost ? begin + step_ : x(arrow.received);
  auto const from = y(sent.source);
  auto const to = lost ? (from + y(sent.dest)) / 2 : y(sent.dest);
  auto const bow = sent.source == sent.dest ? lane / 2 : 0;
  out_ += fmt::format(
      "<path class=\"{}\" marker-end=\"url(#{})\" d=\"M{} {} Q{} {} {} "
      "{}\"><title>{}</title></path>\n",
      style, style, begin, from, (begin + end) / 2, (from + to) / 2 - bow, end, to,
      escaped(title_of(message)));
}

/// A square at the end of the lane of each rank that waits in a deadlock.
void Drawing::add_blocked() {
  StepTexts texts(history_);
  for (auto const& call : blocked_calls(history_))
    out_ += fmt::format(
        "<rect class=\"blocked\" x=\"{}\" y=\"{}\" width=\"10\" height=\"10\"><title>rank {} waits "
        "for ever in {}</title></rect>\n",
        x(picture_.columns), y(call.rank) - 5, call.rank,
        escaped(place_text(call, history_, texts)));
}

void Drawing::add_legend() {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> rows{
      {{"plain", "message"},
       {"race", "got by a receive that raced"},
       {"other", "could have been got instead"},
       {"lost", "never received"}}};
  auto const line = height() - legend / 2;
  unsigned at = margin;
  for (auto const& [style, caption] : rows) {
    out_ += fmt::format("<path class=\"{}\" d=\"M{} {} h24\"/><text x=\"{}\" y=\"{}\">{}</text>\n",
                        style, at, line, at + 30, line + 4, caption);
    at += 46 + 7 * static_cast<unsigned>(caption.size());
  }
  if (!history_.deadlock.empty())
    out_ += fmt::format(
        "<rect class=\"blocked\" x=\"{}\" y=\"{}\" width=\"10\" height=\"10\"/><text x=\"{}\" "
        "y=\"{}\">waits for ever</text>\n",
        at, line - 5, at + 16, line + 4);
}

std::string marker(std::string_view style, std::string_view color) {
  return fmt::format(
      "<marker id=\"{}\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" "
      "markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0 L8 4 L0 8 z\" fill=\"{}\"/></marker>\n",
      style, color);
}

std::string Drawing::text() {
  constexpr std::string_view styles =
      "<style>text{font:12px sans-serif;fill:#333} .lane{stroke:#bbb} path[class]{fill:none} "
      ".plain{stroke:#57a} .race{stroke:#c22;stroke-width:1.6} "
      ".other{stroke:#e80;stroke-dasharray:5 3} .lost{stroke:#999;stroke-dasharray:2 3} "
      ".blocked{fill:#b26a00}</style>\n";
  out_ = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
      "height=\"{1}\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n{2}<defs>\n",
      width(), height(), styles);
  out_ += marker("plain", "#57a") + marker("race", "#c22") + marker("other", "#e80") +
          marker("lost", "#999") + "</defs>\n";
  add_lanes();
  for (std::uint32_t i = 0; i < history_.messages.size(); ++i) add_message(i);
  add_blocked();
  add_legend();
  return out_ + "</svg>\n";
}

}  // namespace

void write_drawing(std::string const& folder, std::string const& file) {
  auto history = load_history(folder);
  if (history.messages.size() > most_drawn_messages)
    throw Error(
        "cannot draw {} messages as SVG: {} is the most that one can tell apart; write a page "
        "instead (a name that does not end in .svg), which can be enlarged",
        history.messages.size(), most_drawn_messages);
  auto const text = Drawing(history).text();
  write_file(file, std::array<std::string_view, 1>{text});
}

}  // namespace earl::analyse
