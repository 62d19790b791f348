// SPDX-License-Identifier: BSD-3-Clause
#include "debug/sends/sends.hpp"

#include "generic/base/error.hpp"

namespace earl {

namespace {

class Synchronous final : public Interceptor {
 public:
  SendRule send_rule() const override { return SendRule::synchronous; }
};

std::unique_ptr<Interceptor> in_process(std::string_view, DebuggedProcess&) {
  return std::make_unique<Synchronous>();
}

std::unique_ptr<JobInterceptor> in_exec(std::string_view argument, JobInfo const&) {
  if (!argument.empty())
    throw Error(Fault::bad_request, "--tool synchronous={}: it takes no argument", argument);
  return nullptr;
}

}  // namespace

constinit Tool const synchronous_tool{.name = "synchronous",
                                      .summary = "blocking sends wait for their receivers",
                                      .in_process = in_process,
                                      .in_exec = in_exec};

}  // namespace earl
