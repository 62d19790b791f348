// SPDX-License-Identifier: BSD-3-Clause
/// Instructions for a replay to take another path than the recorded run.
#pragma once

#include <string>

#include "debug/analyse/history.hpp"
#include "debug/trace/path.hpp"

namespace earl::analyse {

/// A receive whose message the path gives to another receive gets the other one's message.
trace::Path with_exchanges(History const& history, trace::Path const& path);

/// Extends `path` by its consequences: receives are unconstrained if they came after a receive that
/// now gets another message. All others stay as recorded.
trace::Path with_consequences(History const& history, trace::Path const& path);

/// The same for the run whose events are in `folder`; `path` as the user typed it. Throws Error
/// when it names no receive of that run.
std::string steer(std::string const& folder, std::string const& path);

/// The path that gives the receive of race `number` the first other message that it could have
/// got. Throws Error when there is no such race.
std::string path_to_flip(std::string const& folder, std::uint64_t number);

}  // namespace earl::analyse
