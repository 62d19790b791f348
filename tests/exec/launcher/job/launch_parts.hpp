// SPDX-License-Identifier: BSD-3-Clause
/// The parts of a job that starting processes takes, for unit tests: on this host, without
/// debuggers, with a back end that only records its calls.
#pragma once

#include <fcntl.h>

#include "exec/launcher/children/mark.hpp"
#include "exec/launcher/job/local_launcher.hpp"
#include "exec/launcher/job/remote_spawns.hpp"
#include "tests/exec/launcher/job/job_parts.hpp"

namespace earl::exec {

class NotingBackEnd final : public PreparedJob {
 public:
  struct Notes {
    std::vector<Rank> ended;
    std::vector<Rank> killed;
  };
  explicit NotingBackEnd(Notes& notes) : notes_(notes) {}
  std::vector<int> descriptors(Rank) override { return {}; }
  void notify_control(Rank) override {}
  void ended(Rank rank) override { notes_.ended.push_back(rank); }
  void killed(Rank rank) override { notes_.killed.push_back(rank); }

 private:
  Notes& notes_;
};

struct LaunchParts : JobParts, Shutdown::Client, ProcessEndListener {
  virtual ~LaunchParts() = default;
  LaunchParts() {
    ::getrlimit(RLIMIT_NOFILE, &inherited.files);
    back_end.prepare(std::make_unique<NotingBackEnd>(notes));
  }

  void signal_all(int, bool) override {}
  bool has_members() const override { return false; }
  void ended(Child& child, int) override { children.set_ended(child); }

  /// The text that the user reads on standard error.
  std::string read_by_user() {
    while (!output.flushed()) loop.turn();
    return errors.text();
  }

  CapturedErrors errors;
  Plan plan;
  Layout layout;
  NotingBackEnd::Notes notes;
  Output output{loop, [](Stream, int) {}};
  Descriptor null{::open("/dev/null", O_RDONLY | O_CLOEXEC)};
  Descriptor control_number = keep_control_number(null);
  std::string mark = new_mark();
  ProcessGroup group{mark};
  Inherited inherited{.mark = limit_of(mark)};
  JobBackEnd back_end{loop};
  Placement placement{{}, {}};
  NamedServices services{context};
  Shutdown shutdown{loop, *this};
  StandardInput input{{plan, loop, output, interceptors}};
  ProcessEnvironment environment{{plan, layout, control_number.get(), mark, false}};
  OutputDelivery delivery{{loop, output, children, interceptors, services, context}, [] {}};
  OutputRoutes routes{{plan, output, roster, delivery}};
  LaunchContext launching{plan,
                          layout,
                          channels,
                          roster,
                          back_end,
                          routes,
                          input,
                          environment,
                          group,
                          inherited,
                          control_number.get()};
  RemoteSpawns remote{launching,
                      {loop, output, children, roster, placement, shutdown, context, *this}};
};

}  // namespace earl::exec
