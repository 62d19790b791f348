// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/programs/report.hpp"

#include <algorithm>

#include "backends/registry.hpp"
#include "exec/launcher/programs/calls.hpp"
#include "exec/launcher/programs/programs.hpp"
#include "exec/launcher/programs/sources.hpp"
#include "exec/launcher/programs/symbols.hpp"
#include "generic/system/mapped_file.hpp"

namespace earl::exec {

namespace {

std::string script_objection(Bytes file) {
  auto const* begin = reinterpret_cast<char const*>(file.data());
  std::string_view const text{begin, std::min<std::size_t>(file.size(), 200)};
  auto const line = text.substr(2, std::min(text.find('\n'), text.size()) - 2);
  auto const first = std::min(line.find_first_not_of(' '), line.size());
  return fmt::format("a script for {}: what it starts decides", line.substr(first));
}

/// The objection to a file that is no program of Earl's, on any back end.
std::string objection_to(FileFacts const& facts, FrontEnd const* front_end, Bytes file) {
  switch (facts.kind) {
    case FileKind::other:
      return "neither an ELF program nor a script with #!";
    case FileKind::script:
      return script_objection(file);
    case FileKind::archive:
      return "a static library (ar archive) without calls of a front end of Earl";
    case FileKind::object:
      return "a compiled file that is not linked, without calls of a front end of Earl";
    case FileKind::foreign:
      return fmt::format("a {} program; this host runs {} ones: compile it again",
                         architecture_text(facts.machine, facts.bits), own_architecture_text());
    case FileKind::elf:
      break;
  }
  if (!facts.dynamic)
    return "statically linked, so Earl cannot give it its library: link it again, with `earlcc`";
  if (auto const* left_out = front_end ? nullptr : left_out_of(facts))
    return fmt::format("linked with {}.so: {}", left_out->libraries.front(),
                       built_without(*left_out));
  if (auto const mpi = mpi_library_of(facts); !front_end && !mpi.empty())
    return objection_to_mpi(mpi);
  if (!facts.interpreted) return "a library, which only runs as a part of a program";
  if (!front_end)
    return fmt::format("linked with no front end of Earl ({}): link it again, with `earlcc`",
                       front_end_libraries());
  return {};
}

bool is_unlinked(FileKind kind) { return kind == FileKind::object || kind == FileKind::archive; }

/// Adds the calls that one library of the front end gives to the program.
void add_library(FileReport& report, std::set<std::string> const& imports,
                 std::string const& path) {
  report.libraries.push_back(path);
  add_calls(imports, symbols_of(MappedFile(path).bytes()), report.calls, report.stubs);
}

void add_libraries(FileReport& report, std::set<std::string> const& imports, Layout const& layout) {
  for (auto const& needed : report.facts.needed) {
    auto const* row = front_end_of_library(needed);
    auto const path = row ? find_library(needed, layout.libraries) : std::string{};
    if (!path.empty()) add_library(report, imports, path);
  }
  std::ranges::sort(report.calls);
  std::ranges::sort(report.stubs);
}

ProgramFacts facts_for_back_ends(FileFacts const& facts, std::string const& path, Bytes file,
                                 Layout const& layout) {
  return {.path = path,
          .folders = layout.libraries,
          .position_independent = facts.position_independent,
          .imports = symbols_of(file).imports};
}

/// Adds the names of the list that the program imports.
void add_imported(std::vector<std::string>& to, std::string_view list, ProgramFacts const& facts) {
  while (!list.empty()) {
    auto const end = std::min(list.find(' '), list.size());
    std::string const name(list.substr(0, end));
    for (auto const& form : {name, name + "_", "_" + name})
      if (facts.imports.contains(form)) to.push_back(form);
    list.remove_prefix(std::min(end + 1, list.size()));
  }
}

}  // namespace

ProgramFacts program_facts(std::string const& path, Layout const& layout) {
  MappedFile const file(path);
  return facts_for_back_ends(facts_of(file.bytes()), path, file.bytes(), layout);
}

std::string why_unusable(Backend const& back_end) {
  try {
    static_cast<void>(back_end.prepare({.initial = 1, .capacity = 1}));
    return {};
  } catch (Error const& error) {
    return error.what();
  }
}

std::string objection_of(Backend const& back_end, ProgramFacts const& facts) {
  return back_end.refuses ? back_end.refuses(facts) : std::string{};
}

FileReport Examiner::report_on(std::string const& path) {
  MappedFile const file(path);
  FileReport report{.path = path, .facts = facts_of(file.bytes())};
  if (is_unlinked(report.facts.kind))
    report_unlinked(report, file.bytes());
  else
    report_program(report, file.bytes());
  return report;
}

void Examiner::report_unlinked(FileReport& report, Bytes file) {
  auto found = tables_.among(imports_of_unlinked(file));
  report.front_end = found.front_end;
  report.calls = std::move(found.calls);
  report.stubs = std::move(found.stubs);
  if (!report.front_end) report.objection = objection_to(report.facts, nullptr, file);
}

/// For a program, or a source of one.
void Examiner::report_program(FileReport& report, Bytes file) {
  if (report.facts.kind == FileKind::other && is_source(report.path))
    report.front_end = front_end_of_source(report.path, layout_);
  if (report.front_end) return;
  if (report.facts.kind == FileKind::elf)
    report.front_end = front_end_of(report.facts, report.path, layout_.libraries);
  report.objection = objection_to(report.facts, report.front_end, file);
  if (!report.front_end) return;
  auto const facts = facts_for_back_ends(report.facts, report.path, file, layout_);
  add_libraries(report, facts.imports, layout_);
  for (auto const* row : back_ends())
    report.back_ends.push_back(compatibility_with(*row, facts, *report.front_end));
}

Compatibility Examiner::compatibility_with(Backend const& back_end, ProgramFacts const& facts,
                                           FrontEnd const& front_end) {
  Compatibility one{.back_end = std::string(back_end.name),
                    .objection = objection_of(back_end, facts)};
  if (one.objection.empty()) one.objection = known_unusable(back_end);
  if (!one.objection.empty()) return one;
  if (!back_end.spawns) add_imported(one.failing, front_end.starting_calls, facts);
  if (!back_end.forks) add_imported(one.failing, front_end.forking_calls, facts);
  return one;
}

std::string const& Examiner::known_unusable(Backend const& back_end) {
  auto const [known, is_new] = unusable_.try_emplace(&back_end);
  if (is_new) known->second = why_unusable(back_end);
  return known->second;
}

}  // namespace earl::exec
