// SPDX-License-Identifier: BSD-3-Clause
#include "debug/outside/outside.hpp"

#include "debug/outside/adapter.hpp"
#include "debug/outside/job_adapter.hpp"
#include "debug/outside/library.hpp"

namespace earl {

namespace {

/// In ranks, of a library that has a half in EXEC only.
class NoHalf final : public Interceptor {
 public:
  bool constrains_matching() const override { return false; }
};

std::unique_ptr<Interceptor> in_process(std::string_view argument, DebuggedProcess& process) {
  auto use = outside::parse_use(argument);
  auto const library = outside::load(use.path);
  if (!library.in_rank) return std::make_unique<NoHalf>();
  if (!library.in_exec) use.note_name.clear();
  return std::make_unique<outside::Adapter>(*library.in_rank, std::move(use), process);
}

std::unique_ptr<JobInterceptor> in_exec(std::string_view argument, JobInfo const& job) {
  return std::make_unique<outside::JobAdapter>(outside::parse_use(argument), job);
}

}  // namespace

constinit Tool const outside_tool{.name = "outside",
                                  .summary = "a shared library of the user's own",
                                  .in_process = in_process,
                                  .in_exec = nullptr};

constinit Tool const outside_job_tool{
    .name = "outside-job",
    .summary = "a shared library of the user's own with a half in EXEC",
    .in_process = in_process,
    .in_exec = in_exec};

}  // namespace earl
