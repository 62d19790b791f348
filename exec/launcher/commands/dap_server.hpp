// SPDX-License-Identifier: BSD-3-Clause
/// `earl debug --dap`: a recorded run for editors that speak the Debug Adapter Protocol. Ranks are
/// its threads, a send or a receive is a step, forward or back; no program runs but for gdb to look
/// at.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "debug/analyse/walk.hpp"
#include "exec/launcher/commands/dap_messages.hpp"
#include "exec/launcher/commands/gdb_session.hpp"
#include "exec/launcher/commands/recordings.hpp"

namespace earl::exec {

/// "crecv at racy.c:31", in parts.
struct SourceLine {
  std::string file{};  ///< empty: unknown
  int line = 0;
};
SourceLine source_line_of(std::string const& call);

class DapServer {
 public:
  /// `recording`: where `launch` names none.
  DapServer(DapMessages& messages, RecordingChoice recording)
      : messages_(messages), recording_(std::move(recording)) {}

  /// Until the client disconnects or has gone. Throws Error when it does not speak the protocol.
  void serve();

 private:
  using json = nlohmann::json;
  struct Row;

  void handle(json const& request);
  void respond(json const& request, json body);
  void refuse(json const& request, std::string_view reason);
  void event(std::string_view name, json body);
  void stopped(std::string_view reason, std::uint32_t rank);
  void begin();
  void run_from(std::size_t step, std::uint32_t rank);
  analyse::Walk& walk();

  // The requests, by their names; each returns the body of its response.
  json initialize(json const& arguments);
  json launch(json const& arguments);
  json set_breakpoints(json const& arguments);
  json configuration_done(json const& arguments);
  json threads(json const& arguments);
  json stack_trace(json const& arguments);
  json scopes(json const& arguments);
  json variables(json const& arguments);
  json evaluate(json const& arguments);
  json step(json const& arguments);
  json step_back(json const& arguments);
  json run(json const& arguments);
  json run_back(json const& arguments);
  json restart(json const& arguments);
  json pause(json const& arguments);
  json disconnect(json const& arguments);

  std::uint32_t rank_in(json const& arguments);
  std::string from_gdb(std::uint32_t rank, std::string_view command);
  json locals(std::uint32_t rank);
  json source_of(SourceLine const& at) const;
  bool has_breakpoint(std::size_t step);

  DapMessages& messages_;
  RecordingChoice recording_;
  std::map<std::uint32_t, GdbSession> gdbs_{};  ///< by rank, of those that gdb has been asked about
  std::optional<analyse::Walk> walk_{};
  std::vector<std::filesystem::path> folders_{};           ///< of sources
  std::optional<bool> stop_on_entry_{};                    ///< of the launch request
  std::map<std::string, std::vector<int>> breakpoints_{};  ///< lines, by the name of the file
  std::vector<json> after_response_{};                     ///< events that follow the response
  bool ended_ = false;
};

}  // namespace earl::exec
