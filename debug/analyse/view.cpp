// SPDX-License-Identifier: BSD-3-Clause
#include "debug/analyse/view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>

#include "debug/analyse/blocked.hpp"
#include "debug/analyse/candidates.hpp"
#include "debug/analyse/drawing.hpp"
#include "debug/analyse/load.hpp"
#include "debug/analyse/picture.hpp"
#include "debug/analyse/sites.hpp"
#include "debug/analyse/view_page.hpp"
#include "debug/analyse/write_file.hpp"
#include "generic/base/error.hpp"

namespace earl::analyse {

using nlohmann::json;

namespace {

/// Little-endian, as scripts read it on every host that shows pages.
std::string base64(std::span<std::int32_t const> numbers) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  auto const byte = [&](std::size_t i) {
    if (i / 4 >= numbers.size()) return 0U;
    return (static_cast<std::uint32_t>(numbers[i / 4]) >> (i % 4 * 8)) & 0xffU;
  };
  auto const size = numbers.size() * 4;
  std::string text;
  text.reserve((size + 2) / 3 * 4);
  for (std::size_t i = 0; i < size; i += 3) {
    auto const three = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    for (unsigned shift = 24; shift != 0;) {
      shift -= 6;
      text += digits[three >> shift & 63U];
    }
    if (i + 1 >= size) text[text.size() - 2] = '=';
    if (i + 2 >= size) text.back() = '=';
  }
  return text;
}

std::int32_t small(std::uint64_t number) {
  return static_cast<std::int32_t>(
      std::min<std::uint64_t>(number, std::numeric_limits<std::int32_t>::max()));
}

/// -1: there is none.
std::int32_t or_none(std::uint32_t number) { return number == none ? -1 : small(number); }

class Page {
 public:
  explicit Page(History& history)
      : history_(history),
        races_(find_races(history)),
        picture_(make_picture(history)),
        sites_(history) {}

  json run(std::string const& folder);

 private:
  std::int32_t site(std::uint32_t rank, std::uint32_t site);
  void add(std::uint32_t message, std::vector<std::int32_t>& numbers);
  std::string messages();
  std::string marks() const;
  std::string races() const;
  std::string others() const;
  json blocked() const;

  History const& history_;
  std::vector<Race> races_;
  Picture picture_;
  Sites sites_;
  std::vector<std::string> texts_{};
};

std::int32_t Page::site(std::uint32_t rank, std::uint32_t site) {
  auto const number = sites_.number(rank, site);
  if (number == none) return -1;
  if (number >= texts_.size()) texts_.resize(number + 1);
  if (texts_[number].empty()) texts_[number] = sites_.call_text(rank, site);
  return small(number);
}

/// In the order that the page's `columns` names.
void Page::add(std::uint32_t message, std::vector<std::int32_t>& numbers) {
  auto const& sent = history_.messages[message];
  auto const& arrow = picture_.arrows[message];
  auto const* const receive =
      arrow.receive == none ? nullptr : &history_.ranks[sent.dest].receives[arrow.receive];
  for (auto const number :
       {small(sent.source), small(sent.dest), small(arrow.sent), or_none(arrow.received), sent.tag,
        small(sent.length), site(sent.source, sent.at.site),
        receive ? site(sent.dest, receive->at.site) : -1, small(sent.at.call),
        receive ? small(receive->at.call) : -1, small(sent.sequence)})
    numbers.push_back(number);
}

std::string Page::messages() {
  std::vector<std::int32_t> numbers;
  for (std::uint32_t i = 0; i < history_.messages.size(); ++i) add(i, numbers);
  return base64(numbers);
}

std::string Page::marks() const {
  std::vector<std::int32_t> numbers;
  for (auto const& mark : picture_.marks) {
    numbers.push_back(small(mark.rank));
    numbers.push_back(small(mark.column));
  }
  return base64(numbers);
}

/// In the order that the page's `raceColumns` names.
std::string Page::races() const {
  std::vector<std::int32_t> numbers;
  for (auto const& race : races_) {
    auto const& receive = history_.ranks[race.rank].receives[race.receive];
    for (auto const number :
         {small(race.number), small(race.rank), small(receive.at.call), race.frontier ? 1 : 0,
          or_none(receive.message), small(race.others.size())})
      numbers.push_back(number);
  }
  return base64(numbers);
}

/// The lists of all races, one after the other.
std::string Page::others() const {
  std::vector<std::int32_t> numbers;
  for (auto const& race : races_)
    for (auto const other : race.others) numbers.push_back(or_none(other));
  return base64(numbers);
}

json Page::blocked() const {
  StepTexts texts(history_);
  json all = json::array();
  for (auto const& call : blocked_calls(history_))
    all.push_back({{"rank", call.rank},
                   {"event", call.at.call},
                   {"call", place_text(call, history_, texts)}});
  return all;
}

json Page::run(std::string const& folder) {
  auto const all = messages();
  return {{"recording", folder},
          {"ranks", history_.ranks.size()},
          {"columns", picture_.columns},
          {"unexplained", history_.unexplained},
          {"messages", all},
          {"marks", marks()},
          {"races", races()},
          {"others", others()},
          {"deadlock", history_.deadlock},
          {"blocked", blocked()},
          {"sites", texts_}};
}

/// Inside a script, "</" would end it.
std::string for_script(json const& run) {
  auto text = run.dump(-1, ' ', true, json::error_handler_t::replace);
  for (auto at = text.find("</"); at != std::string::npos; at = text.find("</", at))
    text.replace(at, 2, "<\\/");
  return text;
}

}  // namespace

void write_view(std::string const& folder, std::string const& file) {
  if (file.ends_with(".svg")) return write_drawing(folder, file);
  auto history = load_history(folder);
  auto const run = for_script(Page(history).run(folder));
  constexpr std::string_view place = "/*RUN*/null";
  auto const at = view_page.find(place);
  EARL_CHECK(at != std::string_view::npos, "the page has no place for a run");
  write_file(file, std::array<std::string_view, 3>{view_page.substr(0, at), run,
                                                   view_page.substr(at + place.size())});
}

}  // namespace earl::analyse
