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
#include "debug/analyse/comparison.hpp"
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
  Page(History const& history, std::vector<Race> const& races, std::vector<Steps> const& steps)
      : history_(history),
        races_(races),
        steps_(steps),
        picture_(make_picture(history)),
        sites_(history) {}

  json run(std::string const& folder);
  /// For a page of two runs: the place of a difference. Null: the run lacks the rank.
  json place(ComparedRun const& run, Difference const& one) const;

 private:
  std::int32_t site(std::uint32_t rank, std::uint32_t site);
  void add(std::uint32_t message, std::vector<std::int32_t>& numbers);
  std::string messages();
  std::string marks() const;
  std::string races() const;
  std::string others() const;
  json blocked() const;
  json waits() const;
  /// -1: it has no column of its own.
  std::int32_t column_of(Step const& step) const;

  History const& history_;
  std::vector<Race> const& races_;
  std::vector<Steps> const& steps_;
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

/// Waiter, the awaited rank (-1: any process), and whether that is of the cycle.
json Page::waits() const {
  json all = json::array();
  for (auto const& one : waits_of(history_)) {
    auto const awaited = one.awaited == no_rank ? -1 : number(one.awaited);
    all.push_back({number(one.waiter), awaited, one.in_cycle ? 1 : 0});
  }
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
          {"waits", history_.deadlock.empty() ? json::array() : waits()},
          {"equal", equal_ranks(history_, steps_, sites_)},
          {"sites", texts_}};
}

std::int32_t Page::column_of(Step const& step) const {
  if (step.message == none) return -1;
  auto const& arrow = picture_.arrows[step.message];
  return step.receive == none ? small(arrow.sent) : or_none(arrow.received);
}

/// A step that is not there, or has no column, is right of the rank's earlier ones.
json Page::place(ComparedRun const& run, Difference const& one) const {
  if (one.rank >= run.steps.size()) return nullptr;
  auto const* const step = run.at(one);
  std::int32_t column = step ? column_of(*step) : -1;
  if (auto const& own = run.steps[one.rank]; column < 0)
    for (auto at = std::min(one.step, own.size()); at > 0 && column < 0; --at)
      if (auto const before = column_of(own[at - 1]); before >= 0) column = before + 1;
  return {{"column", std::max(column, 0)},
          {"event", step ? json(step->at.call) : json(nullptr)},
          {"message", step ? or_none(step->message) : -1}};
}

json differing(ComparedRun const& run, std::vector<Difference> const& differences) {
  std::vector<std::int32_t> numbers;
  for (auto const message : differing_messages(run.history, run.steps, differences))
    numbers.push_back(small(message));
  return base64(numbers);
}

json starts_of(Comparison const& runs) {
  json all = json::array();
  for (auto const& one : runs.starts()) all.push_back({{"of", one.of}, {"a", one.a}, {"b", one.b}});
  return all;
}

/// The first run, as on a page of its own, with the other one in it and the comparison of both.
json run_of(Comparison& runs) {
  Page a(runs.a().history, runs.a().races, runs.a().steps);
  Page b(runs.b().history, runs.b().races, runs.b().steps);
  json differences = json::array();
  for (auto const& one : runs.differences())
    differences.push_back({{"rank", one.rank},
                           {"first", one.first},
                           {"text", runs.to_text(one)},
                           {"a", a.place(runs.a(), one)},
                           {"b", b.place(runs.b(), one)}});
  auto run = a.run(runs.a().folder);
  run["differing"] = differing(runs.a(), runs.differences());
  run["other"] = b.run(runs.b().folder);
  run["other"]["differing"] = differing(runs.b(), runs.differences());
  run["comparison"] = {{"starts", starts_of(runs)},
                       {"alike", runs.alike() ? runs.alike_text() : ""},
                       {"later", runs.later_text()},
                       {"differences", std::move(differences)}};
  return run;
}

/// Inside a script, "</" would end it.
std::string for_script(json const& run) {
  auto text = run.dump(-1, ' ', true, json::error_handler_t::replace);
  for (auto at = text.find("</"); at != std::string::npos; at = text.find("</", at))
    text.replace(at, 2, "<\\/");
  return text;
}

void write_page(json const& run, std::string const& file) {
  auto const text = for_script(run);
  constexpr std::string_view place = "/*RUN*/null";
  auto const at = view_page.find(place);
  EARL_CHECK(at != std::string_view::npos, "the page has no place for a run");
  write_file(file, std::array<std::string_view, 3>{view_page.substr(0, at), text,
                                                   view_page.substr(at + place.size())});
}

}  // namespace

void write_view(std::string const& folder, std::string const& file) {
  if (file.ends_with(".svg")) return write_drawing(folder, file);
  auto history = load_history(folder);
  auto const races = find_races(history);
  auto const steps = steps_of(history);
  write_page(Page(history, races, steps).run(folder), file);
}

void write_view(std::string const& a, std::string const& b, std::string const& file) {
  Comparison runs(a, b);
  write_page(run_of(runs), file);
}

}  // namespace earl::analyse
