// SPDX-License-Identifier: BSD-3-Clause
/// The output of processes, on its way to the user: whole lines, never torn, bounded memory.
#pragma once

#include <sys/types.h>

#include <functional>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "exec/launcher/output/catcher.hpp"
#include "exec/launcher/output/output_subscription.hpp"
#include "exec/launcher/output/sink.hpp"
#include "exec/runtime/control.hpp"
#include "exec/runtime/line_cutter.hpp"

namespace earl::exec {

enum class Stream { out, error };

/// The writer's id of a rank that has no process of its own.
constexpr pid_t writer_of(Rank rank) { return -2 - number(rank); }

class Output {
 public:
  static constexpr auto line_delay = std::chrono::milliseconds{50};  ///< for the end of a line

  /// `broken` is called when the user's end of a stream is gone, with errno.
  Output(Loop& loop, std::function<void(Stream, int)> broken);
  ~Output();

  struct Way {
    Stream from = Stream::out;
    Stream to = Stream::out;
    std::string prefix{};  ///< of each line
  };
  /// Forwards the output of `pipe` until its end. `writer` is the process: while it computes, an
  /// unfinished line waits longer than `line_timeout`.
  void add(Descriptor pipe, Way way, pid_t writer);
  /// Makes the line on which ranks without pipes print (control::Printed); gives the end that their
  /// shared process gets. Once. Throws Error.
  Descriptor share();
  /// Forwards the output of `rank` there; its standard output goes `to`.
  void add(Rank rank, Stream to, std::string const& prefix);
  /// A piece of a rank's output that was added without a pipe.
  void print(control::Printed const& printed);
  /// The user does not read: output must wait where it is.
  bool full() { return full(Stream::out) || full(Stream::error); }
  /// Like add(), into a process's own file; one CaughtOutput serves all that a process prints.
  void add(Descriptor pipe, std::shared_ptr<CaughtOutput> caught, pid_t writer);
  void add(Rank rank, std::shared_ptr<CaughtOutput> const& caught);
  /// Output of that writer, which has been added, goes there first, as long as that takes it.
  void subscribe(pid_t writer, std::shared_ptr<OutputSubscription> const& subscription);
  /// There is room again where there was none.
  void resume();
  /// The offset in `file` at which the output goes; none: it goes to the user's standard error.
  std::shared_ptr<Sink> place_for(Descriptor file);
  /// Where that writer's own stream comes out; null: not here.
  std::shared_ptr<Sink> place_of(pid_t writer, Stream from);
  /// A line of EXEC's own on standard error.
  void print_line(std::string_view line);
  /// Like print_line(), of a sentence of EXEC's.
  void report(std::string_view sentence);
  /// Takes in at once the output printed by now.
  void read_available(pid_t writer);
  /// Like read_available(); on the shared line all is in order anyway.
  void catch_up(pid_t writer);
  /// Takes in at once the data that a dead process left in its pipes, or a rank on the shared line.
  void drain(pid_t writer);

  /// Pipes whose writers have not all gone.
  std::size_t open() const { return pipes_.size(); }
  /// Closes the pipes that are still open, after taking in their data.
  void close();
  /// Nothing waits to be written.
  bool flushed() const { return out_->empty() && (!error_ || error_->empty()); }

 private:
  struct Pipe;
  using Pipes = std::list<Pipe>;

  Pipe& put(Pipe pipe);
  std::vector<Pipe*> pipes_of(pid_t writer);
  void watch_shared();
  void shared_ready();
  bool read_shared();
  void drain_shared();
  void drain(Pipe& pipe);
  bool full(Stream stream) { return sink(stream).full(); }
  Sink& sink(Stream stream) { return stream == Stream::error && error_ ? *error_ : *out_; }
  Sink& sink(Pipe& pipe);
  std::shared_ptr<Sink> place(Pipe& pipe);
  void watch(Pipe& pipe);
  void ready(Pipe& pipe);
  bool read(Pipe& pipe);
  void take(Pipe& pipe, std::string_view bytes);
  void forward(Pipe& pipe, std::string_view text);
  void wait_for_rest(Pipe& pipe);
  void look_at_rests();
  void remove(Pipe& pipe);

  Loop& loop_;
  std::unique_ptr<Sink> out_;
  std::unique_ptr<Sink> error_;  ///< null: both streams are one file
  Pipes pipes_;
  std::unordered_multimap<pid_t, Pipes::iterator> by_writer_;
  Descriptor shared_;  ///< its data belongs to pipes without descriptors
  bool shared_watched_ = false;
  control::Assembler incoming_;
  std::vector<char> room_;
  bool timer_set_ = false;
};

}  // namespace earl::exec
