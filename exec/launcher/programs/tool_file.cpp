// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/programs/tool_file.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include "debug/outside/library.hpp"
#include "debug/outside/outside.hpp"
#include "debug/outside/use.hpp"
#include "exec/launcher/programs/elf.hpp"
#include "exec/launcher/programs/programs.hpp"
#include "exec/launcher/programs/symbols.hpp"
#include "generic/system/mapped_file.hpp"

namespace earl::exec {

namespace fs = std::filesystem;

namespace {

/// The libraries of a front end as they are built or installed here.
std::vector<std::string> files_of(FrontEnd const& front_end, Layout const& layout) {
  std::vector<std::string> files;
  std::error_code ignored;
  for (auto const& entry : fs::directory_iterator(layout.libraries_of(front_end.name), ignored))
    if (entry.is_regular_file(ignored) &&
        front_end_of_library(entry.path().filename().string()) == &front_end)
      files.push_back(entry.path().string());
  return files;
}

bool share_a_name(std::set<std::string> const& these, std::set<std::string> const& those) {
  return std::ranges::any_of(these, [&](auto const& name) { return those.contains(name); });
}

/// Whether the library defines a call of a front end.
bool wraps_calls(std::set<std::string> const& exports, Layout const& layout) {
  for (auto const& front_end : front_ends())
    for (auto const& file : files_of(front_end, layout))
      if (share_a_name(exports, symbols_of(MappedFile(file).bytes()).exports)) return true;
  return false;
}

/// A tool of another MPI than a front end's.
std::string foreign_mpi_of(FileFacts const& facts) {
  auto const ours = [](auto const& library) { return front_end_of_library(library) != nullptr; };
  return std::ranges::any_of(facts.needed, ours) ? std::string{} : mpi_library_of(facts);
}

/// Why no process can load it; empty: some may.
std::string objection_to_library(std::string const& path, FileFacts const& facts) {
  if (facts.kind == FileKind::foreign)
    return fmt::format("a file of a {} machine; this one runs {} programs",
                       architecture_text(facts.machine, facts.bits), own_architecture_text());
  if (facts.kind != FileKind::elf || !facts.dynamic)
    return "no shared library: link it with -shared";
  if (facts.interpreted && path.find(".so") == std::string::npos)
    return "a program: a tool is a shared library, linked with -shared";
  if (auto const mpi = foreign_mpi_of(facts); !mpi.empty())
    return fmt::format("a library for {}: link it again, with a front end of Earl ({})", mpi,
                       front_end_libraries());
  return {};
}

std::string objection_to_wrapper(std::string const& path, std::string const& argument) {
  if (path.find_first_of(" :") != std::string::npos)
    return fmt::format(
        "{} is a file that the system cannot preload: its path has a space or a colon; move it",
        path);
  if (!argument.empty())
    return fmt::format("{} is a wrapper of calls, which takes no argument; `{}` goes nowhere", path,
                       argument);
  return {};
}

std::string objection_to_tool(std::string const& path) {
  if (path.find(':') != std::string::npos)
    return fmt::format("{}: its path has a colon; move it", path);
  return outside::objection_to_tool(path);
}

}  // namespace

bool names_file(std::string_view tool) {
  return tool.substr(0, tool.find('=')).find('/') != std::string_view::npos;
}

ToolFile parse_tool_file(std::string const& text) {
  std::error_code ignored;
  auto colon = text.size();
  if (!fs::exists(text, ignored)) colon = std::min(text.find(':'), colon);
  return {.path = fs::absolute(text.substr(0, colon)).lexically_normal(),
          .argument = colon < text.size() ? text.substr(colon + 1) : std::string{}};
}

ToolFileKind classify_tool_file(std::string const& path, Layout const& layout) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) throw UsageError("--tool {}: there is no such file", path);
  if (!fs::is_regular_file(path, ignored)) throw UsageError("--tool {} is no file", path);
  MappedFile const file(path);
  if (auto const why = objection_to_library(path, facts_of(file.bytes())); !why.empty())
    throw UsageError("--tool {} is {}", path, why);
  auto const exports = symbols_of(file.bytes()).exports;
  if (exports.contains(std::string(outside::job_table_symbol))) return ToolFileKind::job_tool;
  if (exports.contains(std::string(outside::table_symbol))) return ToolFileKind::tool;
  if (wraps_calls(exports, layout)) return ToolFileKind::wrapper;
  throw UsageError(
      "--tool {} is no tool: it defines neither {} (see `earl tools`) nor a call of a front end of "
      "Earl ({}), which a wrapper does for each call that it wants to see",
      path, outside::table_symbol, front_end_libraries());
}

void apply_tool_files(Plan& plan, Layout const& layout) {
  std::size_t number = 0;
  for (auto const& [path, argument] : plan.tool_files) {
    auto const kind = classify_tool_file(path, layout);
    auto const why = kind == ToolFileKind::wrapper ? objection_to_wrapper(path, argument)
                                                   : objection_to_tool(path);
    if (!why.empty()) throw UsageError("--tool {}", why);
    if (kind == ToolFileKind::wrapper) {
      plan.wrappers.push_back(path);
      continue;
    }
    auto const& row = kind == ToolFileKind::job_tool ? outside_job_tool : outside_tool;
    plan.tools.push_back(
        {.name = std::string(row.name), .argument = outside::text_of(++number, path, argument)});
  }
}

}  // namespace earl::exec
