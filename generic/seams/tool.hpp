// SPDX-License-Identifier: BSD-3-Clause
/// A debugger as its row in debug/registry names it: a half in every process, a half in EXEC.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "generic/base/error.hpp"
#include "generic/seams/interceptor.hpp"
#include "generic/seams/job_interceptor.hpp"

namespace earl {

class IdTable;
class Port;

/// The facts about the job that a debugger's EXEC half gets before anything starts.
struct JobInfo {
  std::vector<std::string> command;  ///< as the user typed it, without `earl run` and its options
  std::string back_end;
  std::uint32_t initial = 1;
  std::vector<std::string> hosts{};  ///< that it is spread over, "a:2"; none: all run on EXEC's
  bool fixed_addresses = false;      ///< of processes: code, heap and stack are not moved at random
  std::vector<std::string> programs{};     ///< absolute paths, one per program of the command
  std::vector<std::string> environment{};  ///< NAME=VALUE, programs' variables from EXEC's own
  /// Settings of the whole job, as far as the run depends on them: KEY=VALUE.
  std::vector<std::string> settings{};
  /// The debuggers of the job: NAME or NAME=ARGUMENT.
  std::vector<std::string> tools{};
};

/// A piece of the file that a debugger keeps of one rank.
struct FilePiece {
  Rank rank{};
  std::uint64_t offset = 0;
  std::uint64_t size = 0;  ///< of the whole file at that moment
  std::string bytes{};

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(self.rank, self.offset, self.size, self.bytes);
  }
  void validate() const {
    if (offset > size) throw Error("a piece beyond the end of its file");
  }
};

/// A debugger's part on a host whose files EXEC may not see.
class RemoteCollector {
 public:
  virtual ~RemoteCollector() = default;
  /// The argument of `in_process` there.
  virtual std::string argument() const = 0;
  /// The changes of the rank's file since the last call.
  virtual std::vector<FilePiece> changed_pieces(Rank rank) = 0;
};

/// Functions of a debugger that keeps files, for jobs of several hosts.
struct MultiHostHooks {
  /// In EXEC, after `in_exec`: the argument for every host.
  std::string (*remote_argument)(std::string_view argument);
  /// On a host, before its first process. `folder` is there for it alone.
  std::unique_ptr<RemoteCollector> (*on_host)(std::string_view remote_argument,
                                              std::string const& folder);
  /// In EXEC: a piece from a remote collector. Throws Error when it cannot be kept.
  void (*arrived)(std::string_view argument, FilePiece const& piece);
};

struct Tool {
  std::string_view name;
  std::string_view summary;  ///< one line for `earl run -h`
  /// In the process. `argument` is the same text that the EXEC half got (a path, mostly).
  /// Never null: collectives take another way beside debuggers, so all processes must have one.
  std::unique_ptr<Interceptor> (*in_process)(std::string_view argument, DebuggedProcess&);
  /// In EXEC, before the first process starts. Throws Error when the argument will not do. May be
  /// null: nothing to do there.
  std::unique_ptr<JobInterceptor> (*in_exec)(std::string_view argument, JobInfo const&);
  /// Null: the same argument does on all hosts.
  MultiHostHooks const* multi_host = nullptr;
  /// Processes are started with their addresses as in every other run, where the system allows it.
  bool fixed_addresses = false;
  /// The argument is a path, which must mean the same to processes that run in other folders.
  bool takes_path = false;
  /// In the process, before `in_process`: a port that stands before the back end's. Null: none.
  std::unique_ptr<Port> (*port)(std::string_view argument, std::unique_ptr<Port> inner, Rank rank,
                                IdTable const& table) = nullptr;
};

}  // namespace earl
