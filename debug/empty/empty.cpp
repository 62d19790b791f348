// SPDX-License-Identifier: BSD-3-Clause
#include "debug/empty/empty.hpp"

#include "generic/base/error.hpp"

namespace earl {

namespace {

/// In every process. Each function here passes on what it is given, as the one that it overrides
/// does: leave out those that are not needed. The others are in generic/seams/interceptor.hpp.
class Empty final : public Interceptor {
 public:
  explicit Empty(DebuggedProcess& process) : process_(process) {}

  /// True: it narrows receives in posting() or demands answers by a Verdict.
  bool constrains_matching() const override { return false; }

  void sending(SendOp const&) override {}
  Verdict posting(ReceiveOp&) override { return Verdict::free; }
  void matched(ReceiveOp const&, Envelope const&, MessageId const&) override {}
  void answered(ReceiveOp const&, Envelope const* /*found*/, MessageId const&) override {}
  std::int64_t clock_read(std::int64_t now) override { return now; }
  void ended(std::uint64_t /*unreceived*/) override {}

 private:
  /// Its rank, its stack, and the way to end it with a sentence.
  [[maybe_unused]] DebuggedProcess& process_;
};

/// In EXEC, where a debugger may keep files or answer for the whole job.
class EmptyJob final : public JobInterceptor {};

std::unique_ptr<Interceptor> in_process(std::string_view, DebuggedProcess& process) {
  return std::make_unique<Empty>(process);
}

std::unique_ptr<JobInterceptor> in_exec(std::string_view argument, JobInfo const&) {
  if (!argument.empty())
    throw Error(Fault::bad_request, "--tool empty={}: it takes no argument", argument);
  return std::make_unique<EmptyJob>();
}

}  // namespace

constinit Tool const empty_tool{.name = "empty",
                                .summary = "does nothing: for authors, and to measure the others",
                                .in_process = in_process,
                                .in_exec = in_exec};

}  // namespace earl
