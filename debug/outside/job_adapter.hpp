// SPDX-License-Identifier: BSD-3-Clause
/// Turns the calls of a JobInterceptor into the events of earl/job_tool.h, and verdicts back.
#pragma once

#include <string>
#include <string_view>

#include "debug/outside/job_process.hpp"
#include "generic/seams/isolated_half.hpp"
#include "generic/seams/standstill_judge.hpp"

namespace earl::outside {

/// The object of a tool in EXEC.
class JobAdapter final : public JobInterceptor, public IsolatedHalf, public StandstillListener {
 public:
  /// Throws Error when the tool refuses.
  JobAdapter(Use use, JobInfo const& job);

  bool may_serve(Rank from, std::uint32_t operation) override;
  void served(Rank from, std::uint32_t operation, Bytes request) override;
  bool may_announce_death(Rank rank) override;
  void died(Rank rank, int wait_status) override;
  bool may_deliver_output(OutputPiece& piece) override;
  void output_delivered(OutputPiece const& piece) override;
  Rank choose_rank(Rank rank, Rank next) override;
  void notified(Rank from, std::string_view name, Bytes note) override;
  bool may_fail(Rank rank) override;
  void failed(Rank rank, std::string_view why) override;
  int finished(int exit_code) override;

  void may_end_job(End end) override { end_ = std::move(end); }
  pid_t process() const override { return process_.pid(); }

  void quiescence_judged(StandstillVerdict const& found) override;

 private:
  bool steers() const { return (process_.flags() & EARL_TOOL_STEERS) != 0; }
  /// The tool's verdict, which is EARL_GO_ON when it only listens. Its answer is in `reply_`.
  int ask(earl_job_event const& event, std::string_view text = {});
  /// An event that no verdict can change.
  void deliver(earl_job_event const& event, std::string_view text = {});
  /// Whether the tool, which steers, lets it happen.
  bool allows(earl_job_event const& event);
  void refuse(earl_job_event const& event, int verdict);
  void stop(int exit_code, std::string const& sentence);
  void end_process();

  Use use_;
  JobProcess process_;
  End end_{};
  JobReply reply_{};
  std::optional<int> stopped_{};  ///< the exit code of a job that the tool has ended
};

}  // namespace earl::outside
