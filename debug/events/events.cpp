// SPDX-License-Identifier: BSD-3-Clause
#include "debug/events/events.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "debug/events/listener.hpp"
#include "debug/events/reader.hpp"
#include "debug/trace/meta.hpp"
#include "generic/base/error.hpp"

namespace earl {

namespace {

constexpr std::uint32_t frame = 16U << 10;

std::unique_ptr<Interceptor> in_process(std::string_view argument, DebuggedProcess& process) {
  const std::string folder{argument};
  return std::make_unique<events::Listener>(
      trace::TraceFileOptions{.path = events::events_path(folder, process.rank()),
                              .rank = process.rank(),
                              .run = trace::read_meta(folder).run,
                              .initial = process.initial_size(),
                              .kind = trace::FrameKind::events,
                              .tail_room = frame},
      process);
}

class JobListener final : public JobInterceptor {
 public:
  JobListener(std::string folder, JobInfo const& info)
      : folder_(std::move(folder)),
        replayed_(std::ranges::any_of(
            info.tools, [](std::string const& tool) { return tool.starts_with("replay="); })) {}

  int finished(int exit_code) override {
    try {
      events::mark_complete(folder_, exit_code, replayed_);
    } catch (std::exception const& error) {
      fmt::print(
          stderr,
          "earl: cannot mark the events as complete: {}; readers take the run for a cut one\n",
          error.what());
    }
    return exit_code;
  }

 private:
  std::string folder_;
  bool replayed_;
};

std::unique_ptr<JobInterceptor> in_exec(std::string_view argument, JobInfo const& info) {
  const std::string folder{argument};
  if (folder.empty())
    throw Error(Fault::bad_request,
                "--tool events: no directory is named; --tool events=DIR writes them to DIR");
  if (std::filesystem::exists(folder + "/meta.json")) {
    static_cast<void>(trace::read_meta(folder));
    events::remove_events(folder);
  } else {
    trace::Meta meta;
    meta.job = info;
    meta.version = EARL_VERSION;
    meta.run = trace::new_run_id();
    meta.folder = std::filesystem::current_path().string();
    trace::note_programs(meta);
    trace::create_recording(folder, meta);
  }
  return std::make_unique<JobListener>(folder, info);
}

}  // namespace

constinit Tool const events_tool{
    .name = "events",
    .summary = "writes down all that each process does, to a directory",
    .in_process = in_process,
    .in_exec = in_exec,
    .takes_path = true};

}  // namespace earl
