// SPDX-License-Identifier: BSD-3-Clause
/// A deadlock as text, as a picture, and for programs.
#pragma once

#include <chrono>
#include <span>
#include <string>
#include <vector>

#include "debug/deadlock/graph.hpp"
#include "generic/seams/standstill_judge.hpp"

namespace earl::deadlock {

/// The wait-for graph of the processes' reports, node i for process i. Processes outside it have
/// ended.
std::vector<Node> graph_of(std::span<WaitingProcess const> processes);

/// Each stuck process with those that it waits for, the cycle's first. Where one of several would
/// be enough, they are one wait for any process, unless the cycle names one of them.
std::vector<KnownWait> waits_of(Deadlock const& deadlock,
                                std::span<WaitingProcess const> processes);

/// Several lines for the user: the cause, every process with its call and its stack (equal ones
/// together), and the unmatched messages.
std::string to_text(Deadlock const& deadlock, std::span<WaitingProcess const> processes);
/// Several lines: where all processes are that have received nothing for `span`; some may go on by
/// themselves.
std::string quiet_text(std::span<WaitingProcess const> processes, std::chrono::seconds span);
/// The graph in the language of Graphviz; the cause stands out.
std::string in_dot(Deadlock const& deadlock, std::span<WaitingProcess const> processes);
/// The graph as JSON, for programs.
std::string in_json(Deadlock const& deadlock, std::span<WaitingProcess const> processes);

}  // namespace earl::deadlock
