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
      return fmt::format("a {} program; this machine runs {} ones: compile it again",
                         machine_words(facts.machine, facts.bits), own_machine_words());
    case FileKind::elf:
      break;
  }
  if (!facts.dynamic)
    return "statically linked, so Earl cannot give it its library: link it again, with `earlcc`";
  if (auto const mpi = mpi_library_of(facts); !front_end && !mpi.empty())
    return objection_to_mpi(mpi);
  if (!front_end)
    return fmt::format("linked with no front end of Earl ({}): link it again, with `earlcc`",
                       front_end_libraries());
  if (!facts.interpreted) return "a library, which only runs as a part of a program";
  return {};
}

bool is_unlinked(FileKind kind) { return kind == FileKind::object || kind == FileKind::archive; }

void report_unlinked(Report& report, Bytes file, Layout const& layout) {
  auto found = calls_among(imports_of_unlinked(file), layout);
  report.front_end = found.front_end;
  report.calls = std::move(found.calls);
  report.stubs = std::move(found.stubs);
  if (!report.front_end) report.objection = objection_to(report.facts, nullptr, file);
}

/// Adds the calls that one library of the front end gives to the program.
void add_library(Report& report, std::set<std::string> const& imports, std::string const& path) {
  report.libraries.push_back(path);
  auto const library = symbols_of(MappedFile(path).bytes());
  for (auto const& name : imports) {
    if (library.exports.contains(name)) report.calls.push_back(name);
    if (library.stubs.contains(name)) report.stubs.push_back(name);
  }
}

void add_calls(Report& report, std::set<std::string> const& imports, Layout const& layout) {
  for (auto const& needed : report.facts.needed) {
    auto const* row = front_end_of_library(needed);
    auto const path = row ? find_library(needed, layout.libraries) : std::string{};
    if (!path.empty()) add_library(report, imports, path);
  }
  std::ranges::sort(report.calls);
  std::ranges::sort(report.stubs);
}

ProgramFacts facts_for_machines(FileFacts const& facts, std::string const& path, Bytes file,
                                Layout const& layout) {
  return {.path = path,
          .folders = layout.libraries,
          .position_independent = facts.position_independent,
          .imports = symbols_of(file).imports};
}

/// Why this Earl cannot use the back end on this computer; empty: it can. As `earl doctor` finds
/// out.
std::string why_absent(Backend const& back_end) {
  try {
    static_cast<void>(back_end.prepare({.initial = 1, .capacity = 1}));
    return {};
  } catch (Error const& error) {
    return error.what();
  }
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

Verdict verdict_of(Backend const& back_end, ProgramFacts const& facts, FrontEnd const& front_end) {
  Verdict verdict{.back_end = std::string(back_end.name),
                  .objection = objection_of(back_end, facts)};
  if (verdict.objection.empty()) verdict.objection = why_absent(back_end);
  if (!verdict.objection.empty()) return verdict;
  if (!back_end.spawns) add_imported(verdict.failing, front_end.starting_calls, facts);
  if (!back_end.forks) add_imported(verdict.failing, front_end.forking_calls, facts);
  return verdict;
}

}  // namespace

ProgramFacts program_facts(std::string const& path, Layout const& layout) {
  MappedFile const file(path);
  return facts_for_machines(facts_of(file.bytes()), path, file.bytes(), layout);
}

std::string objection_of(Backend const& back_end, ProgramFacts const& facts) {
  return back_end.refuses ? back_end.refuses(facts) : std::string{};
}

Report report_on(std::string const& path, Layout const& layout) {
  MappedFile const file(path);
  Report report{.path = path, .facts = facts_of(file.bytes())};
  if (is_unlinked(report.facts.kind)) {
    report_unlinked(report, file.bytes(), layout);
    return report;
  }
  if (report.facts.kind == FileKind::other && is_source(path))
    report.front_end = front_end_of_source(path, layout);
  if (report.front_end) return report;
  if (report.facts.kind == FileKind::elf)
    report.front_end = front_end_of(report.facts, path, layout.libraries);
  report.objection = objection_to(report.facts, report.front_end, file.bytes());
  if (!report.front_end) return report;
  auto const facts = facts_for_machines(report.facts, path, file.bytes(), layout);
  add_calls(report, facts.imports, layout);
  for (auto const* row : back_ends())
    report.verdicts.push_back(verdict_of(*row, facts, *report.front_end));
  return report;
}

}  // namespace earl::exec
