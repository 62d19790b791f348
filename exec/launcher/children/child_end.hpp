// SPDX-License-Identifier: BSD-3-Clause
/// Sentences about a process, how it has ended, and what that means.
#pragma once

#include <string>

#include "exec/launcher/children/child.hpp"

namespace earl::exec {

/// "rank 3 (ring, nx)", with its host if that is another one.
std::string describe(Child const& child);

/// It was killed by a signal that some process of the job asked for.
bool killed_on_request(Child const& child);
int exit_code_of(Child const& child);
/// "ended with code 3", with its failure report if there is one.
std::string end_text(Child const& child);
/// It has reported why it ends, and that this is as it should be: a replay at the end of its
/// recording.
bool ended_as_recorded(Child const& child);
/// Its exit code is Earl's own: it ends a job of any front end.
bool is_verdict(Child const& child);
bool failed(Child const& child);
/// It has found damaged memory, which says nothing about the process that did it.
bool found_damage(Child const& child);
/// A replay that was to end at this call of the process.
bool ended_on_request(Child const& child);
/// The job goes on after such a failure.
bool job_continues_after(Child const& child);

}  // namespace earl::exec
