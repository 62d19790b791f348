/// CLI11 as every command of Earl uses it.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace earl::exec {

/// Parses; gives what comes after the options, as it was typed. `-np` and `-wdir`, which people
/// know from elsewhere, count as --np and --wdir. Throws UsageError, or HelpWanted.
std::vector<std::string> parse(CLI::App& app, std::vector<std::string> const& words);

/// For commands that take nothing after their options. Throws UsageError.
void parse_all(CLI::App& app, std::vector<std::string> const& words);

/// Every spelling of every option, with its dashes.
std::vector<std::string> options_of(CLI::App const& app);

}  // namespace earl::exec
