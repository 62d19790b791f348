/// The processes of a job, found by a word in their environment: whoever a node starts inherits it,
/// whatever group or session that goes to.
#pragma once

#include <string>
#include <string_view>

namespace earl::exec {

/// The variable that carries it. A job that a job's process starts adds its own to what is there.
inline constexpr std::string_view mark_variable = "EARL_JOB";

/// A word that no other job has.
std::string new_mark();

/// NAME=VALUE for the processes of a job: its own mark behind the one it has found, if any.
std::string assignment_of(std::string_view mark);

/// SIGKILL to all processes of this user that have the mark in the environment they were started
/// with, but the caller; again until none is left. Those who cannot be ended are given up.
void end_marked(std::string_view mark);

}  // namespace earl::exec
