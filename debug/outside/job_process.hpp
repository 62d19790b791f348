// SPDX-License-Identifier: BSD-3-Clause
/// EXEC's side of the process that runs a tool's half in EXEC: a crash or an endless loop there
/// ends that process, and EXEC reports it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "debug/outside/include/earl/job_tool.h"
#include "debug/outside/use.hpp"
#include "generic/seams/tool.hpp"
#include "generic/system/descriptor.hpp"

namespace earl::outside {

/// The name of a kind of event, for sentences.
std::string_view name_of(earl_job_event_kind kind);

struct JobReply {
  int verdict = EARL_GO_ON;
  int exit_code = 0;
  std::string sentence{};
};

/// All that a call of it throws is Error, with a sentence that names the tool; the process has
/// ended then.
class JobProcess {
 public:
  /// Starts it, and makes the tool's object there. Throws also when the tool refuses.
  JobProcess(Use const& use, JobInfo const& job);
  JobProcess(JobProcess const&) = delete;
  JobProcess& operator=(JobProcess const&) = delete;
  ~JobProcess();

  pid_t pid() const { return pid_; }
  std::uint32_t flags() const { return flags_; }

  /// Calls the tool's event(). `text`: the bytes that the event points to.
  JobReply ask(earl_job_event const& event, std::string_view text);
  /// Calls the tool's destroy(), and waits for the end of the process. Nothing when it has ended.
  void finish();

 private:
  JobReply receive(std::string_view function);
  [[noreturn]] void give_up(std::string_view function, int error);
  /// Its wait status; -1: not known.
  int await_end();
  void check_end(std::string_view function, int wait_status) const;

  std::string path_;
  pid_t pid_ = 0;
  Descriptor line_{};  ///< closed: the process has ended
  Descriptor handle_{};
  std::uint32_t flags_ = 0;
};

}  // namespace earl::outside
