// SPDX-License-Identifier: BSD-3-Clause
/// From the arguments of a command to a Plan.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "debug/analyse/diff_report.hpp"
#include "debug/analyse/export.hpp"
#include "debug/analyse/messages.hpp"
#include "debug/analyse/profile.hpp"
#include "debug/analyse/races.hpp"
#include "debug/trace/show.hpp"
#include "exec/launcher/commands/recordings.hpp"
#include "exec/launcher/plan.hpp"
#include "exec/launcher/settings/settings.hpp"

namespace earl::exec {

/// The settings of a command that runs a job, besides the job itself.
struct JobOptions {
  std::string command;  ///< "earl run": for the help text
  std::string summary;
  bool record = false;       ///< takes -o DIR
  bool console = false;      ///< takes --console: a replay could not bring its consoles
  std::uint32_t places = 0;  ///< the user's launcher says how many processes there are; 0: the user
  std::string back_end = "mpi";        ///< of the job in such places
  std::vector<RequestedHost> hosts{};  ///< these places; empty: all are on this host
  /// Adds options of the command's own.
  std::function<void(CommandLine&)> own{};
  /// Called when they have been read. May throw UsageError.
  std::function<void()> check_own{};
  bool batch = false;  ///< runs on the hosts of the batch job around it, if the user names none
};

/// The user asked for help; `what()` is the text.
class HelpWanted : public Error {
 public:
  using Error::Error;
};

/// Reads `arguments`, which come after the command's name. Throws UsageError with a sentence, or
/// HelpWanted. `settings` hold the values of files and the environment; the command line overrides
/// them.
Plan parse_job(JobOptions const& options, std::vector<std::string> const& arguments,
               Settings settings = {});

/// `earl replay --alone`: one process without the others.
struct AlonePlan {
  Rank rank{};
  std::string event{};                ///< where it ends; empty: at its end
  bool gdb = false;                   ///< it runs under gdb, which has it at that event
  int commands = -1;                  ///< with gdb: where it takes commands; -1: from the user
  std::vector<std::string> before{};  ///< a command that runs it, as valgrind
};

/// `earl replay`: the job of a recording, to be run again. Throws as parse_job(), and Error when
/// the folder named is not a recording.
struct ReplayPlan {
  Plan plan;
  std::string folder;  ///< the recorded run's working directory; relative programs are meant there
  std::string recording{};           ///< absolute
  bool full = true;                  ///< the recording is, not minimal and all of it kept
  std::string path{};                ///< the deviations; empty: none
  std::optional<AlonePlan> alone{};  ///< null: all processes run
};
/// Throws Error: that recording is minimal or not wholly kept, and `wanted` needs a full one.
[[noreturn]] void refuse_incomplete(std::string const& folder, std::string_view wanted);
ReplayPlan parse_replay(std::vector<std::string> const& arguments, Settings settings = {});

/// `earl config`: takes the settings of a whole job, to show their effect.
struct ConfigPlan {
  Settings settings{};
  bool json = false;
};
ConfigPlan parse_config(std::vector<std::string> const& arguments, Settings settings);

/// `earl show`.
struct ShowPlan {
  RecordingChoice recording;
  trace::ShowOptions options;
  bool by_message = false;  ///< messages are wanted, not the recording's summary
  analyse::MessageOptions messages;
};
ShowPlan parse_show(std::vector<std::string> const& arguments);

/// `earl races`.
struct RacesPlan {
  RecordingChoice recording;
  analyse::RacesOptions options;
};
RacesPlan parse_races(std::vector<std::string> const& arguments);

/// `earl diff`.
struct DiffPlan {
  RecordingChoice a;
  RecordingChoice b;
  analyse::DiffOptions options;
};
DiffPlan parse_diff(std::vector<std::string> const& arguments);

/// `earl view`.
struct ViewPlan {
  RecordingChoice recording;
  RecordingChoice other;  ///< to compare with; no folder: none
  std::string file;       ///< empty: in the recording
};
ViewPlan parse_view(std::vector<std::string> const& arguments);

/// `earl export`.
struct ExportPlan {
  RecordingChoice recording;
  std::string file;  ///< empty: in the recording
  analyse::ExportFormat format = analyse::ExportFormat::csv;
};
ExportPlan parse_export(std::vector<std::string> const& arguments);

/// `earl flip`.
struct FlipPlan {
  RecordingChoice recording;
  std::uint64_t race = 0;
};
FlipPlan parse_flip(std::vector<std::string> const& arguments);

/// `earl profile`.
struct ProfilePlan {
  RecordingChoice recording;
  analyse::ProfileOptions options;
};
ProfilePlan parse_profile(std::vector<std::string> const& arguments);

/// A number of processes, as -n takes it. Throws UsageError.
std::uint32_t parse_count(std::string const& text);
/// NAME or NAME=ARGUMENT, as it is.
control::ToolUse parse_tool(std::string const& text);

}  // namespace earl::exec
