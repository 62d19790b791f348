// SPDX-License-Identifier: BSD-3-Clause
/// Earl's analysis of a program's file, without running it.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "exec/launcher/front_ends.hpp"
#include "exec/launcher/layout.hpp"
#include "exec/launcher/programs/calls.hpp"
#include "exec/launcher/programs/elf.hpp"
#include "generic/seams/backend.hpp"

namespace earl::exec {

/// Whether one back end, as it is installed here, can run a program.
struct Compatibility {
  std::string back_end;
  std::string objection;               ///< empty: it can run the program
  std::vector<std::string> failing{};  ///< calls of the program that can only fail there
};

struct FileReport {
  std::string path;
  FileFacts facts;
  FrontEnd const* front_end = nullptr;
  std::string objection{};  ///< why no back end can run it, in a sentence; empty: some can
  std::vector<std::string> libraries{};  ///< the front end's, as Earl would load them
  std::vector<std::string> calls{};      ///< of the front end, that it imports
  std::vector<std::string> stubs{};      ///< those of them that are not there yet
  std::vector<Compatibility> back_ends{};
};

/// Reports on files; what it finds out about this installation serves for all of them.
class Examiner {
 public:
  explicit Examiner(Layout const& layout) : layout_(layout), tables_(layout) {}

  /// Throws Error when the file cannot be read.
  FileReport report_on(std::string const& path);

 private:
  void report_unlinked(FileReport& report, Bytes file);
  void report_program(FileReport& report, Bytes file);
  Compatibility compatibility_with(Backend const& back_end, ProgramFacts const& facts,
                                   FrontEnd const& front_end);
  std::string const& known_unusable(Backend const& back_end);

  Layout const& layout_;
  CallTables tables_;
  std::map<Backend const*, std::string> unusable_{};  ///< of those that were looked at
};

/// The facts by which back ends judge a program. Throws Error as above.
ProgramFacts program_facts(std::string const& path, Layout const& layout);
/// Why this Earl cannot use the back end on this computer; empty: it can. Prepares a job of one
/// process, which may take a second.
std::string why_unusable(Backend const& back_end);
/// Why `back_end` will not run the program; empty: it will.
std::string objection_of(Backend const& back_end, ProgramFacts const& facts);

}  // namespace earl::exec
