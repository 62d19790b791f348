// SPDX-License-Identifier: BSD-3-Clause
#include "debug/analyse/export.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
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

/// Readers take times as whole nanoseconds, and cut off the rest: no slice may begin before the
/// last one is over.
double microseconds(std::int64_t ticks) {
  auto const time = static_cast<double>(ticks) / 1000;
  return static_cast<std::int64_t>(time * 1000) < ticks ? std::nextafter(time, HUGE_VAL) : time;
}

class Exporter {
 public:
  explicit Exporter(Slices& slices) : slices_(slices), history_(slices.history()) {}

  std::string csv();
  std::string perfetto();

 private:
  void add_row(std::string& text, std::uint32_t rank, Step const& step);
  void add(json const& event);
  void add_lane(std::uint32_t rank);
  void add_steps(std::uint32_t rank);
  json complete(std::uint32_t rank, std::int64_t begin, std::int64_t end) const;
  void add_flow(std::uint32_t rank, Slice const& slice);

  Slices& slices_;
  History const& history_;
  std::string trace_{};
};

void Exporter::add_row(std::string& text, std::uint32_t rank, Step const& step) {
  bool const sends = step.receive == none;
  auto const time = slices_.time_of(step);
  text += fmt::format("{},{},{},{},{}", rank, step.at.call, time ? fmt::format("{}", *time) : "",
                      sends ? "send" : "receive", cell(slices_.call_text(rank, step.at)));
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

/// A line each: as objects, those of a long run would fill the memory.
void Exporter::add(json const& event) {
  trace_ += trace_.back() == '[' ? "\n" : ",\n";
  trace_ += event.dump(-1, ' ', true, json::error_handler_t::replace);
}

void Exporter::add_lane(std::uint32_t rank) {
  add({{"ph", "M"},
       {"name", "thread_name"},
       {"pid", slices_.ranks()},
       {"tid", rank},
       {"args", {{"name", fmt::format("rank {}", rank)}}}});
  add({{"ph", "M"},
       {"name", "thread_sort_index"},
       {"pid", slices_.ranks()},
       {"tid", rank},
       {"args", {{"sort_index", rank}}}});
}

void Exporter::add_steps(std::uint32_t rank) {
  for (auto const& slice : slices_.of(rank)) {
    auto const& step = slice.step;
    auto args = json{{"event", slice.at.call}};
    if (slice.at.call != step.at.call)
      args.update({{"posted", step.at.call}, {"posted by", slices_.call_text(rank, step.at)}});
    if (step.message != none) {
      auto const& message = history_.messages[step.message];
      args.update({{"peer", step.receive == none ? message.dest : message.source},
                   {"message", message.sequence},
                   {"tag", message.tag},
                   {"bytes", message.length}});
    }
    auto event = complete(rank, slice.begin, slice.end);
    event["name"] = slices_.call_text(rank, slice.at);
    event["cat"] = step.receive == none ? "send" : "receive";
    event["args"] = std::move(args);
    add(event);
    if (slices_.has_arrow(step)) add_flow(rank, slice);
  }
}

json Exporter::complete(std::uint32_t rank, std::int64_t begin, std::int64_t end) const {
  return {{"ph", "X"},
          {"pid", slices_.ranks()},
          {"tid", rank},
          {"ts", microseconds(begin)},
          {"dur", microseconds(end - begin)}};
}

/// The arrow from a send to its receive. Perfetto turns it round where the slice at its end begins
/// first: a receive that waited gets a slice of its own for what follows the send.
void Exporter::add_flow(std::uint32_t rank, Slice const& slice) {
  bool const sends = slice.step.receive == none;
  if (!sends && slice.sent > slice.begin) {
    auto after = complete(rank, slice.sent, slice.end);
    after["name"] = "message sent";
    after["cat"] = "sent";
    add(after);
  }
  json flow = {{"name", "message"},      {"cat", "message"}, {"id", slice.step.message},
               {"pid", slices_.ranks()}, {"tid", rank},      {"ts", microseconds(slice.arrow)}};
  flow["ph"] = sends ? "s" : "f";
  if (!sends) flow["bp"] = "e";
  add(flow);
}

/// The process has a number that is no thread's: one that had it would be shown first.
std::string Exporter::perfetto() {
  json const head = {{"displayTimeUnit", "ns"},
                     {"otherData", {{"time", slices_.timed() ? "microseconds" : "logical"}}}};
  trace_ = head.dump();
  trace_.back() = ',';
  trace_ += "\"traceEvents\":[";
  add({{"ph", "M"},
       {"name", "process_name"},
       {"pid", slices_.ranks()},
       {"args", {{"name", "job"}}}});
  for (std::uint32_t rank = 0; rank < slices_.ranks(); ++rank) {
    add_lane(rank);
    add_steps(rank);
  }
  return std::move(trace_) + "]}\n";
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
