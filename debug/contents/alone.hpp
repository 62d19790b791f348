// SPDX-License-Identifier: BSD-3-Clause
/// One process of a recorded run without the others: what it receives comes from the files of
/// debug/contents, and what it sends goes nowhere.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "generic/base/id_table.hpp"
#include "generic/seams/executive.hpp"
#include "generic/seams/port.hpp"

namespace earl::contents {

/// Whether `folder` holds the contents of that rank.
bool has_contents(std::string const& folder, Rank rank);

/// The start of the process.
struct Program {
  std::string path{};
  std::vector<std::string> arguments{};
  std::vector<std::string> environment{};
  std::string folder{};
};
/// Throws Error.
Program program_of(std::string const& folder, Rank rank);

/// The parts of a Process.
struct Alone {
  IdTable table{};
  std::unique_ptr<Port> port{};
  std::unique_ptr<Executive> executive{};
};
/// Throws Error when the files cannot be read.
Alone alone(std::string const& folder, Rank rank);

}  // namespace earl::contents
