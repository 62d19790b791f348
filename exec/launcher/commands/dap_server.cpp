// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/commands/dap_server.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

#include "debug/analyse/load.hpp"
#include "exec/launcher/commands/events_of.hpp"
#include "generic/base/error.hpp"
#include "generic/base/number.hpp"

namespace earl::exec {

using nlohmann::json;

namespace {

// A rank's thread, and its one frame, have its number and one: some editors take 0 for none.
// Scopes: the rank's next step, the messages that wait for it, the variables of its function.
constexpr int scopes_per_rank = 3;

std::string name_in(std::string const& path) { return path.substr(path.rfind('/') + 1); }

/// The member of an object, where it has that type; else `otherwise`.
template <class T>
T member(json const& object, char const* name, T otherwise) {
  auto const found = object.find(name);
  if (!object.is_object() || found == object.end()) return otherwise;
  if constexpr (std::is_same_v<T, std::string>)
    return found->is_string() ? found->get<T>() : otherwise;
  else if constexpr (std::is_same_v<T, bool>)
    return found->is_boolean() ? found->get<T>() : otherwise;
  else
    return found->is_number_integer() ? found->get<T>() : otherwise;
}

json member_object(json const& object, char const* name) {
  auto const found = object.is_object() ? object.find(name) : object.end();
  return found != object.end() && found->is_object() ? *found : json::object();
}

json variable(std::string name, std::string value) {
  return {{"name", std::move(name)}, {"value", std::move(value)}, {"variablesReference", 0}};
}

}  // namespace

SourceLine source_line_of(std::string const& call) {
  auto const at = call.rfind(" at ");
  auto const colon = call.rfind(':');
  if (at == std::string::npos || colon == std::string::npos || colon < at) return {};
  auto const line = number_from<int>(call.substr(colon + 1));
  return line ? SourceLine{.file = call.substr(at + 4, colon - at - 4), .line = *line}
              : SourceLine{};
}

struct DapServer::Row {
  std::string_view name;
  json (DapServer::*serve)(json const& arguments);
};

void DapServer::serve() {
  while (!ended_) {
    auto const request = messages_.next();
    if (!request) return;
    if (member<std::string>(*request, "type", "") == "request") handle(*request);
  }
}

void DapServer::handle(json const& request) {
  static constexpr std::array rows{
      Row{"initialize", &DapServer::initialize},
      Row{"launch", &DapServer::launch},
      Row{"setBreakpoints", &DapServer::set_breakpoints},
      Row{"configurationDone", &DapServer::configuration_done},
      Row{"threads", &DapServer::threads},
      Row{"stackTrace", &DapServer::stack_trace},
      Row{"scopes", &DapServer::scopes},
      Row{"variables", &DapServer::variables},
      Row{"evaluate", &DapServer::evaluate},
      Row{"next", &DapServer::step},
      Row{"stepIn", &DapServer::step},
      Row{"stepOut", &DapServer::step},
      Row{"stepBack", &DapServer::step_back},
      Row{"continue", &DapServer::run},
      Row{"reverseContinue", &DapServer::run_back},
      Row{"restart", &DapServer::restart},
      Row{"pause", &DapServer::pause},
      Row{"disconnect", &DapServer::disconnect},
      Row{"terminate", &DapServer::disconnect},
  };
  auto const name = member<std::string>(request, "command", "");
  auto const row = std::ranges::find(rows, name, &Row::name);
  if (row == rows.end())
    return refuse(request, fmt::format("earl debug --dap has no request {}", name));
  try {
    respond(request, (this->*row->serve)(member_object(request, "arguments")));
  } catch (Error const& error) {
    after_response_.clear();
    refuse(request, error.what());
  }
  for (auto& next : std::exchange(after_response_, {})) messages_.send(std::move(next));
}

void DapServer::respond(json const& request, json body) {
  messages_.send({{"type", "response"},
                  {"request_seq", member<std::uint64_t>(request, "seq", 0)},
                  {"command", member<std::string>(request, "command", "")},
                  {"success", true},
                  {"body", std::move(body)}});
}

void DapServer::refuse(json const& request, std::string_view reason) {
  messages_.send({{"type", "response"},
                  {"request_seq", member<std::uint64_t>(request, "seq", 0)},
                  {"command", member<std::string>(request, "command", "")},
                  {"success", false},
                  {"message", reason},
                  {"body", {{"error", {{"id", 1}, {"format", reason}, {"showUser", true}}}}}});
}

void DapServer::event(std::string_view name, json body) {
  after_response_.push_back({{"type", "event"}, {"event", name}, {"body", std::move(body)}});
}

void DapServer::stopped(std::string_view reason, std::uint32_t rank) {
  auto const last = walk().last();
  auto const place =
      fmt::format("[{} of {}] {}", walk().done(), walk().size(), last.empty() ? "the start" : last);
  event("output", {{"category", "console"}, {"output", place + "\n"}});
  event("stopped", {{"reason", reason},
                    {"description", place},
                    {"threadId", rank + 1},
                    {"allThreadsStopped", true}});
}

analyse::Walk& DapServer::walk() {
  if (!walk_) throw Error("no recording is loaded: `launch` comes first");
  return *walk_;
}

json DapServer::initialize(json const&) {
  return {{"supportsConfigurationDoneRequest", true},
          {"supportsStepBack", true},
          {"supportsRestartRequest", true},
          {"supportsEvaluateForHovers", true},
          {"supportsTerminateRequest", true}};
}

/// Reads the run; a recording without events is replayed once.
json DapServer::launch(json const& arguments) {
  auto recording = recording_;
  recording.folder = member<std::string>(arguments, "recording", recording.folder);
  recording.trust = member<bool>(arguments, "trust", recording.trust);
  if (arguments.contains("stopOnEntry"))
    stop_on_entry_ = member<bool>(arguments, "stopOnEntry", true);
  if (recording.folder.empty()) recording.folder = latest_recording("earl debug");
  auto const folder = events_of(recording).folder;
  walk_.emplace(analyse::load_history(folder));
  recording_ = recording;
  gdbs_.clear();
  folders_ = {std::filesystem::current_path(), std::filesystem::path{folder}.parent_path()};
  if (auto const sources = arguments.find("sources");
      sources != arguments.end() && sources->is_array())
    for (auto const& one : *sources)
      if (one.is_string()) folders_.emplace_back(one.get<std::string>());
  event("initialized", json::object());
  return json::object();
}

/// A breakpoint is at the line of a send or receive.
json DapServer::set_breakpoints(json const& arguments) {
  auto const source = member_object(arguments, "source");
  auto const file =
      name_in(member<std::string>(source, "path", member<std::string>(source, "name", "")));
  auto& lines = breakpoints_[file];
  lines.clear();
  auto answers = json::array();
  auto const wanted = arguments.find("breakpoints");
  if (wanted == arguments.end() || !wanted->is_array()) return {{"breakpoints", answers}};
  for (auto const& one : *wanted) {
    int const line = member<int>(one, "line", 0);
    bool known = false;
    for (std::size_t i = 0; i < walk().size() && !known; ++i) {
      auto const at = source_line_of(walk().call_of(i));
      known = at.line == line && name_in(at.file) == file;
    }
    lines.push_back(line);
    answers.push_back({{"verified", known}, {"line", line}});
    if (!known) answers.back()["message"] = "no rank sent or received at this line";
  }
  return {{"breakpoints", std::move(answers)}};
}

json DapServer::configuration_done(json const&) {
  begin();
  return json::object();
}

/// An editor that has set breakpoints and not asked to stop at once expects the first of them.
void DapServer::begin() {
  bool const any =
      std::ranges::any_of(breakpoints_, [](auto const& in) { return !in.second.empty(); });
  walk().go_to(0);
  if (stop_on_entry_.value_or(!any)) return stopped("entry", 0);
  run_from(0, 0);
}

json DapServer::threads(json const&) {
  auto threads = json::array();
  for (std::size_t rank = 0; rank < walk().ranks(); ++rank)
    threads.push_back({{"id", rank + 1}, {"name", fmt::format("rank {}", rank)}});
  return {{"threads", std::move(threads)}};
}

std::uint32_t DapServer::rank_in(json const& arguments) {
  auto const thread = member<std::int64_t>(arguments, "threadId", 0);
  if (thread < 1 || static_cast<std::uint64_t>(thread) > walk().ranks())
    throw Error("there is no thread {}; this run has {} ranks", thread, walk().ranks());
  return static_cast<std::uint32_t>(thread - 1);
}

json DapServer::source_of(SourceLine const& at) const {
  if (at.file.empty()) return nullptr;
  json source{{"name", name_in(at.file)}};
  std::error_code ignored;
  for (auto const& folder : folders_)
    if (auto const path = folder / at.file; std::filesystem::is_regular_file(path, ignored)) {
      source["path"] = path.string();
      break;
    }
  return source;
}

/// One frame: the rank's next send or receive.
json DapServer::stack_trace(json const& arguments) {
  auto const rank = rank_in(arguments);
  auto const next = walk().next_of(rank);
  std::string const call = next ? walk().call_of(*next) : "behind its last message";
  auto const at = source_line_of(call);
  json frame{{"id", rank + 1}, {"name", call}, {"line", at.line}, {"column", 0}};
  if (auto source = source_of(at); !source.is_null()) frame["source"] = std::move(source);
  return {{"stackFrames", json::array({std::move(frame)})}, {"totalFrames", 1}};
}

json DapServer::scopes(json const& arguments) {
  auto const rank = rank_in({{"threadId", member<std::int64_t>(arguments, "frameId", 0)}});
  auto const first = std::int64_t{rank} * scopes_per_rank + 1;
  return {{"scopes",
           {{{"name", "Next message"}, {"variablesReference", first}, {"expensive", false}},
            {{"name", "Queue"}, {"variablesReference", first + 1}, {"expensive", false}},
            {{"name", "Locals"}, {"variablesReference", first + 2}, {"expensive", true}}}}};
}

/// The output of a command in the call that this rank makes next.
std::string DapServer::from_gdb(std::uint32_t rank, std::string_view command) {
  auto const event = walk().event_of(rank);
  if (event == 0) throw Error("rank {} made no call", rank);
  auto& there =
      gdbs_.try_emplace(rank, recording_, Rank{static_cast<std::int32_t>(rank)}).first->second;
  return there.output_of(command, event);
}

json DapServer::locals(std::uint32_t rank) {
  auto found = json::array();
  auto const listed = json::parse(from_gdb(rank, "earl-locals"), nullptr, false);
  if (!listed.is_array()) throw Error("gdb has listed no variables");
  for (auto const& one : listed)
    found.push_back(
        variable(member<std::string>(one, "name", ""), member<std::string>(one, "value", "")));
  return found;
}

/// In the console a command of gdb's, elsewhere an expression.
json DapServer::evaluate(json const& arguments) {
  auto const rank = rank_in({{"threadId", member<std::int64_t>(arguments, "frameId", 1)}});
  auto const text = member<std::string>(arguments, "expression", "");
  bool const command = member<std::string>(arguments, "context", "") == "repl";
  return {{"result", from_gdb(rank, command ? text : "output " + text)}, {"variablesReference", 0}};
}

json DapServer::variables(json const& arguments) {
  // From 0, as scopes() counts them.
  auto const scope =
      std::max<std::int64_t>(member<std::int64_t>(arguments, "variablesReference", 0), 0) - 1;
  auto const rank = rank_in({{"threadId", scope < 0 ? 0 : scope / scopes_per_rank + 1}});
  auto found = json::array();
  if (scope % scopes_per_rank == 0) {
    if (auto const next = walk().next_of(rank)) {
      found.push_back(variable("event", fmt::format("{}", walk().event_at(*next))));
      found.push_back(variable("message", walk().to_text(*next)));
    }
  } else if (scope % scopes_per_rank == 2) {
    found = locals(rank);
  } else {
    for (auto const& message : walk().queue_of(rank))
      found.push_back(variable(fmt::format("[{}]", found.size()), message));
  }
  return {{"variables", std::move(found)}};
}

json DapServer::step(json const& arguments) {
  auto const rank = rank_in(arguments);
  if (!walk().pass_next_of(rank))
    throw Error("cannot step: rank {} has no further message; go back or choose another rank",
                rank);
  stopped("step", rank);
  return json::object();
}

json DapServer::step_back(json const& arguments) {
  auto const rank = rank_in(arguments);
  auto const last = walk().last_of(rank);
  if (!last)
    throw Error("cannot step back: rank {} has no earlier message; go on or choose another rank",
                rank);
  walk().go_to(*last);
  stopped("step", rank);
  return json::object();
}

bool DapServer::has_breakpoint(std::size_t step) {
  auto const at = source_line_of(walk().call_of(step));
  auto const lines = breakpoints_.find(name_in(at.file));
  return lines != breakpoints_.end() &&
         std::ranges::find(lines->second, at.line) != lines->second.end();
}

json DapServer::run(json const& arguments) {
  run_from(walk().done() + 1, rank_in(arguments));
  return {{"allThreadsContinued", true}};
}

/// Stops at the first breakpoint from `step` on, or, for `rank`, at the end of the run.
void DapServer::run_from(std::size_t step, std::uint32_t rank) {
  while (step < walk().size() && !has_breakpoint(step)) ++step;
  bool const found = step < walk().size();
  walk().go_to(std::min(step, walk().size()));
  if (found) return stopped("breakpoint", walk().rank_of(step));
  event("output", {{"category", "console"},
                   {"output", "the end of the run: no breakpoint was on the way\n"}});
  stopped("pause", rank);
}

json DapServer::run_back(json const& arguments) {
  auto const rank = rank_in(arguments);
  for (auto i = walk().done(); i > 0; --i)
    if (has_breakpoint(i - 1)) {
      walk().go_to(i - 1);
      stopped("breakpoint", walk().rank_of(i - 1));
      return json::object();
    }
  walk().go_to(0);
  stopped("entry", rank);
  return json::object();
}

json DapServer::restart(json const&) {
  begin();
  return json::object();
}

json DapServer::pause(json const& arguments) {
  stopped("pause", rank_in(arguments));
  return json::object();
}

json DapServer::disconnect(json const&) {
  ended_ = true;
  return json::object();
}

}  // namespace earl::exec
