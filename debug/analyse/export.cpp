// SPDX-License-Identifier: BSD-3-Clause
#include "debug/analyse/export.hpp"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "debug/analyse/load.hpp"
#include "debug/analyse/otf2.hpp"
#include "debug/analyse/paje.hpp"
#include "debug/analyse/slices.hpp"
#include "debug/analyse/write_file.hpp"

namespace earl::analyse {

using nlohmann::json;

namespace {

/// Quoting by RFC 4180.
std::string cell(std::string const& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (char const letter : text) quoted += letter == '"' ? "\"\"" : std::string(1, letter);
  return quoted + "\"";
}

class Exporter {
 public:
  explicit Exporter(Slices& slices) : slices_(slices), history_(slices.history()) {}

  std::string csv();
  std::string perfetto();

 private:
  void add_row(std::string& text, std::uint32_t rank, Step const& step);
  void add_lane(json& events, std::uint32_t rank) const;
  void add_steps(json& events, std::uint32_t rank);
  void add_flow(json& events, Step const& step, json const& slice) const;

  Slices& slices_;
  History const& history_;
};

void Exporter::add_row(std::string& text, std::uint32_t rank, Step const& step) {
  bool const sends = step.receive == none;
  auto const time = slices_.time_of(step);
  text += fmt::format("{},{},{},{},{}", rank, step.at.call, time < 0 ? "" : fmt::format("{}", time),
                      sends ? "send" : "receive", cell(slices_.call_text(rank, step)));
  if (step.message == none) {
    text += ",,,,\n";
    return;
  }
  auto const& message = history_.messages[step.message];
  text += fmt::format(",{},{},{},{}\n", sends ? message.dest : message.source, message.sequence,
                      message.tag, message.length);
}

std::string Exporter::csv() {
  std::string text = "rank,event,time,operation,call,peer,message,tag,bytes\n";
  for (std::uint32_t rank = 0; rank < slices_.ranks(); ++rank)
    for (auto const& step : slices_.steps(rank)) add_row(text, rank, step);
  return text;
}

void Exporter::add_lane(json& events, std::uint32_t rank) const {
  events.push_back({{"ph", "M"},
                    {"name", "thread_name"},
                    {"pid", 1},
                    {"tid", rank},
                    {"args", {{"name", fmt::format("rank {}", rank)}}}});
  events.push_back({{"ph", "M"},
                    {"name", "thread_sort_index"},
                    {"pid", 1},
                    {"tid", rank},
                    {"args", {{"sort_index", rank}}}});
}

void Exporter::add_steps(json& events, std::uint32_t rank) {
  auto const& own = slices_.steps(rank);
  auto const lasting = slices_.of(rank);
  for (std::size_t i = 0; i < own.size(); ++i) {
    auto const& step = own[i];
    auto const [begin, end] = lasting[i];
    auto slice = json{{"ph", "X"},
                      {"name", slices_.call_text(rank, step)},
                      {"cat", step.receive == none ? "send" : "receive"},
                      {"pid", 1},
                      {"tid", rank},
                      {"ts", begin},
                      {"dur", end - begin},
                      {"args", {{"event", step.at.call}}}};
    if (step.message != none) {
      auto const& message = history_.messages[step.message];
      slice["args"].update({{"peer", step.receive == none ? message.dest : message.source},
                            {"message", message.sequence},
                            {"tag", message.tag},
                            {"bytes", message.length}});
    }
    add_flow(events, step, slice);
    events.push_back(std::move(slice));
  }
}

/// The arrow from a send to its receive: each end lies in its slice.
void Exporter::add_flow(json& events, Step const& step, json const& slice) const {
  if (step.message == none || history_.messages[step.message].matched_by == none) return;
  bool const sends = step.receive == none;
  auto const within = slice["ts"].get<double>() + slice["dur"].get<double>() / 2;
  json flow = {{"ph", sends ? "s" : "f"},
               {"name", "message"},
               {"cat", "message"},
               {"id", step.message},
               {"pid", 1},
               {"tid", slice["tid"]},
               {"ts", within}};
  if (!sends) flow["bp"] = "e";
  events.push_back(std::move(flow));
}

std::string Exporter::perfetto() {
  json events = json::array();
  events.push_back(
      {{"ph", "M"}, {"name", "process_name"}, {"pid", 1}, {"args", {{"name", "job"}}}});
  for (std::uint32_t rank = 0; rank < slices_.ranks(); ++rank) {
    add_lane(events, rank);
    add_steps(events, rank);
  }
  const json all = {{"traceEvents", std::move(events)},
                    {"displayTimeUnit", "ns"},
                    {"otherData", {{"time", slices_.timed() ? "microseconds" : "logical"}}}};
  return all.dump(-1, ' ', true, json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string_view ending_of(ExportFormat format) {
  switch (format) {
    case ExportFormat::csv:
      return "csv";
    case ExportFormat::otf2:
      return "otf2";
    case ExportFormat::paje:
      return "paje";
    case ExportFormat::perfetto:
      break;
  }
  return "json";
}

void export_run(std::string const& folder, std::string const& file, ExportFormat format,
                bool timed) {
  auto const history = load_history(folder);
  Slices slices(history, timed);
  if (format == ExportFormat::otf2) return write_otf2(slices, file);
  Exporter exporter(slices);
  auto const text = format == ExportFormat::csv    ? exporter.csv()
                    : format == ExportFormat::paje ? paje(slices)
                                                   : exporter.perfetto();
  write_file(file, std::array<std::string_view, 1>{text});
}

}  // namespace earl::analyse
