// SPDX-License-Identifier: BSD-3-Clause
/// A file of one process's into which EXEC writes other processes' output (PVM's pvm_catchout).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "exec/launcher/output/sink.hpp"
#include "generic/base/values.hpp"
#include "generic/system/descriptor.hpp"

namespace earl::exec {

/// The content of a spawner's variable EARL_CATCH_OUTPUT in its request, which its children do not
/// get: "DESCRIPTOR FIRST PER_HOST CONTEXT MARK".
struct CatchRequest {
  int descriptor = -1;  ///< of the spawner's; -1: it makes no sense
  /// The base of '#' in the mark, and the offset for each host: it is replaced by `first` + the
  /// process's short name + `per_host` x its host's number, in hexadecimal.
  std::uint32_t first = 0;
  std::uint32_t per_host = 0;
  /// The receiver, in the spawner, of the notice for each process, by its Rank as tag, that all of
  /// it is written.
  Context context{};
  /// The prefix of each line; empty: there is none, and no line marks the begin and end of a
  /// process.
  std::string mark{};
};
/// Null: this is another variable.
std::optional<CatchRequest> catch_request_in(std::string_view assignment);

class Catcher {
 public:
  struct Spawner {
    /// Takes in the spawner's own output: it may have printed it before it sent the message that a
    /// process answers by its output.
    std::function<void()> catch_up;
    /// The last line of a process has been written.
    std::function<void(Rank)> ended;
  };

  Catcher(std::shared_ptr<Sink> sink, CatchRequest wanted, Spawner spawner)
      : sink_(std::move(sink)), wanted_(std::move(wanted)), spawner_(std::move(spawner)) {}

  std::shared_ptr<Sink> const& sink() const { return sink_; }
  /// The prefix of that process's lines; may be empty. `host`: IdRow::visible_host.
  std::string mark_of(Rank rank, std::uint32_t host) const;
  void catch_up() const { spawner_.catch_up(); }
  void ended(Rank rank) const { spawner_.ended(rank); }

 private:
  std::shared_ptr<Sink> sink_;
  CatchRequest wanted_;
  Spawner spawner_;
};

/// One process's output: it begins and ends with a line that marks it.
class CaughtOutput {
 public:
  CaughtOutput(std::shared_ptr<Catcher> catcher, Rank rank, std::uint32_t host);
  ~CaughtOutput();
  CaughtOutput(CaughtOutput const&) = delete;
  CaughtOutput& operator=(CaughtOutput const&) = delete;

  std::shared_ptr<Sink> const& sink() const { return catcher_->sink(); }
  std::string const& mark() const { return mark_; }
  void catch_up() const { catcher_->catch_up(); }

 private:
  void write_mark(std::string_view word);

  std::shared_ptr<Catcher> catcher_;
  Rank rank_;
  std::string mark_;
};

/// A descriptor of another process's, sharing its position in the file. Empty: there is none, or
/// the system does not allow it.
Descriptor borrow_descriptor(pid_t process, int number);

/// A place to print to that owns its file.
std::shared_ptr<Sink> sink_of(Loop& loop, Descriptor file, std::function<void()> room);

}  // namespace earl::exec
