// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/job/process_environment.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "exec/launcher/children/mark.hpp"
#include "exec/launcher/programs/programs.hpp"
#include "exec/launcher/settings/environment.hpp"
#include "exec/runtime/control.hpp"

namespace earl::exec {

namespace {

constexpr auto preload_variable = "LD_PRELOAD";

}  // namespace

std::vector<std::string> ProcessEnvironment::of_job(std::vector<std::string> environment) const {
  std::string folders;
  for (auto const& folder : facts_.layout.libraries) folders += folder + ":";
  auto const before = value_of(environment, "LD_LIBRARY_PATH");
  folders += before.value_or("");
  if (folders.ends_with(':')) folders.pop_back();
  set(environment, "LD_LIBRARY_PATH=" + folders);
  // Lines of a Fortran program come out when they are written, as its users remember them.
  if (!value_of(environment, "GFORTRAN_UNBUFFERED_PRECONNECTED"))
    set(environment, "GFORTRAN_UNBUFFERED_PRECONNECTED=1");
  // earlfc leaves it out (-fno-backtrace), for signals; errors of the run-time library shall have
  // it.
  if (!value_of(environment, "GFORTRAN_ERROR_BACKTRACE"))
    set(environment, "GFORTRAN_ERROR_BACKTRACE=1");
  set(environment, fmt::format("{}={}", control::variable, facts_.control_number));
  set(environment, assignment_of(facts_.mark));
  return environment;
}

std::vector<std::string> ProcessEnvironment::of_process(std::vector<std::string> environment,
                                                        std::string const& program) const {
  environment = of_job(std::move(environment));
  if (facts_.shared_process) return environment;
  auto list = facts_.plan.wrappers;
  for (auto& library : libraries_found_elsewhere(program, facts_.layout.libraries))
    list.push_back(std::move(library));
  if (list.empty()) return environment;
  if (auto before = value_of(environment, preload_variable)) list.push_back(std::move(*before));
  set(environment, fmt::format("{}={}", preload_variable, fmt::join(list, ":")));
  return environment;
}

}  // namespace earl::exec
