// SPDX-License-Identifier: BSD-3-Clause
/// The environment of the processes of a job.
#pragma once

#include <string>
#include <vector>

#include "exec/launcher/layout.hpp"
#include "exec/launcher/plan.hpp"

namespace earl::exec {

class ProcessEnvironment {
 public:
  struct Facts {
    Plan const& plan;
    Layout const& layout;
    int control_number = -1;      ///< the descriptor that processes get their channel as
    std::string mark{};           ///< see children/mark.hpp
    bool shared_process = false;  ///< it loads the wrappers itself
  };

  explicit ProcessEnvironment(Facts facts) : facts_(std::move(facts)) {}

  /// `environment` with the variables that each process of the job needs.
  std::vector<std::string> of_job(std::vector<std::string> environment) const;
  /// The same for one that runs `program`, whose system loader is to load the wrappers and what the
  /// program would find elsewhere, before what the user preloads.
  std::vector<std::string> of_process(std::vector<std::string> environment,
                                      std::string const& program) const;

 private:
  Facts facts_;
};

}  // namespace earl::exec
