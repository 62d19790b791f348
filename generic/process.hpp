// SPDX-License-Identifier: BSD-3-Clause
/// One process of the job, and everything the generic set can do for it. Front ends reach theirs
/// with self(), debuggers stand between through the Interceptor, back ends below through the Port.
/// Core, front ends and debuggers have no other mutable state but tests/meta/globals.txt's.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "generic/base/bytes.hpp"
#include "generic/base/error.hpp"
#include "generic/base/id_table.hpp"
#include "generic/handlers.hpp"
#include "generic/message/match_spec.hpp"
#include "generic/request.hpp"
#include "generic/seams/executive.hpp"
#include "generic/seams/interceptor.hpp"
#include "generic/seams/port.hpp"

namespace earl {

/// A front end's own state, one per process, owned by it.
class Extension {
 public:
  virtual ~Extension() = default;
  /// The process leaves its job, and a debugger wants to know of objects that the program has not
  /// given back.
  virtual void report_unreleased(Interceptor& /*debugger*/) {}
  /// The call that the API requires before the process ends, until the program has made it. An exit
  /// code other than 0 is a failure then. Empty: none, or the code means nothing.
  std::string_view required_call{};
};

/// The front ends that may be in one process.
inline constexpr std::size_t most_extensions = 8;

/// The parts of a process (exec/runtime/boot.cpp combines them).
struct ProcessParts {
  Rank rank{0};
  IdTable table{};
  std::unique_ptr<Port> port{};
  std::unique_ptr<Executive> executive{};
  /// The number of the first message of every channel, the same for all processes of a job: tests
  /// come to where 32 bits wrap.
  std::uint64_t first_sequence = 0;
};

class Engine;        // generic/engine.hpp
class Contexts;      // generic/contexts.hpp
class ExecClient;    // generic/exec_client.hpp
class RequestTable;  // generic/request_table.hpp
class Process;

/// A front end's state. Not inlined, so that Process::state() is.
template <class State>
[[gnu::cold, gnu::noinline]] std::unique_ptr<Extension> make_extension(Process& process) {
  return std::make_unique<State>(process);
}

class Process final {
 public:
  explicit Process(ProcessParts parts);
  ~Process();
  Process(Process const&) = delete;
  Process& operator=(Process const&) = delete;

  // --- identity
  Rank rank() const { return rank_; }
  IdTable const& table() const { return table_; }

  // --- sending (generic/outbound.cpp). Of the envelope, dest, context, tag, mode, encoding and
  // word count; source and length are filled in. A rank that was never given is Fault::bad_rank; to
  // one that has ended, the message is counted and gone.
  /// Returns when `bytes` may be reused. Mode::buffered never waits for the receiver.
  void send(Envelope const& to, Gather const& bytes);
  /// Like send() in Mode::synchronous. Says whether the receive that took the message was of that
  /// mode too (MatchSpec::mode); of a receiver that has ended it says yes.
  [[nodiscard]] bool send_synchronous(Envelope const& to, Gather const& bytes);
  /// The same message to each of `ranks`, none twice; in that order, or all at once where the
  /// back end can. As send() else.
  void send_to_all(std::span<const Rank> ranks, Envelope const& to, Gather const& bytes);
  /// `bytes` must stay until the request is complete. Never blocks.
  [[nodiscard]] RequestId start_send(Envelope const& to, Gather const& bytes);

  // --- receiving
  /// Waits for a message. A longer one than `room` is cut or refused, as the spec says.
  Completion receive(MatchSpec const& spec, Scatter const& room);
  /// The same, for the commonest of specs.
  Completion receive_narrow(NarrowSpec spec, Scatter const& room, TooLong too_long = TooLong::cut);
  /// Posts a receive; `room` must stay until the request is complete. Never blocks.
  [[nodiscard]] RequestId start_receive(MatchSpec const& spec, Scatter const& room);
  /// Waits for a message and hands it over whole, without a second copy.
  Message take(MatchSpec const& spec);
  /// Like take(), waiting until `deadline` at most; the epoch (default) looks once.
  std::optional<Message> try_take(MatchSpec const& spec, Deadline deadline = {});
  /// Waits for the oldest message that any of `specs` accepts; gives the position of the first that
  /// does. A receive that was posted before goes first.
  std::pair<std::size_t, Completion> receive_any_of(std::span<const MatchSpec> specs,
                                                    Scatter const& room);
  std::pair<std::size_t, Message> take_any_of(std::span<const MatchSpec> specs);
  /// Throws away the messages that have arrived by now and that `spec` accepts; says how many. A
  /// sender that waits for its receiver goes on.
  std::uint64_t flush(MatchSpec const& spec);
  /// Like flush(), of those messages only for which `room` bytes are not enough when the ones that
  /// came before them and stay take theirs.
  std::uint64_t flush_beyond(MatchSpec const& spec, std::uint64_t room);

  // --- looking
  /// Waits until a message is there that a receive with this spec would take.
  Found probe(MatchSpec const& spec);
  std::optional<Found> try_probe(MatchSpec const& spec);

  // --- completing requests. A released id is Fault::bad_request from then on.
  /// Waits, gives the result and releases the request.
  Completion wait(RequestId request);
  /// Like wait() when it is complete, else null and the request stays.
  std::optional<Completion> test(RequestId request);
  /// Takes a receive back if nothing has matched it, or a send whose bytes are still here, asking
  /// its receiver: waits for the answer, which a receiver gives in any call of its own. Returns
  /// whether it was; then wait() reports it as cancelled.
  bool cancel(RequestId request);
  /// For several of them at once: generic/request_table.hpp.
  RequestTable& requests();

  // --- handlers (NX masktrap, PVM message handlers): generic/handlers.hpp
  ProgramHandlers handlers() { return {*engine_, observed_}; }

  // --- collectives: generic/collectives/collectives.hpp
  /// The state of contexts: their collectives, and their names in reports: generic/contexts.hpp.
  Contexts& contexts();

  // --- process operations, which EXEC answers: generic/exec_client.hpp
  ExecClient& exec();

  // --- time, text, the end
  /// The clock of deadlines. Debuggers are not asked.
  Deadline now();
  /// In nanoseconds: `wall` since an arbitrary origin, the same for all processes of one host;
  /// `cpu` that this process has used.
  enum class Time { wall, cpu };
  std::int64_t clock(Time time = Time::wall);
  /// A line on the user's standard error; whole, and in order with the program's own.
  void print_line(std::string_view line);
  /// Ends this process: reports the reason to EXEC, prints `line`, runs exit handlers. exit_code is
  /// the native error's.
  [[noreturn]] void end(int exit_code, std::string_view line);
  /// Leaves the job: open sends move to memory that outlives the process, or wait until their
  /// receivers have accepted them. Called once, at exit, with the program's exit code.
  void leave(int exit_code = 0);

  /// Lets messages move; a bounded amount of work, never blocks.
  void progress();
  /// Like progress(), and gives the CPU away if nothing happened: for the probe loops of programs.
  void idle();
  /// From now on the program also waits for external events (a user, a file): repeated failed polls
  /// are no sign that it cannot go on.
  void waits_on_external_events();

  // --- for front ends
  /// Marks the API call that everything until the next one belongs to. Handlers that are due run.
  void enter(Call const& call) {
    call_.name = call.name;  // by member: both are in registers
    call_.site = call.site;
    if (observed_) [[unlikely]]
      enter_observed();
  }
  /// The one under way, or the last one. A front end whose call runs a function of the program
  /// makes an InterruptedCall of it.
  Call& call() { return call_; }
  /// A variable of the API: the library's own in a process, the rank's copy on fibers.
  template <class T>
  T& cell(T& own) {
    return cells_.empty() ? own : *static_cast<T*>(own_cell(&own));
  }
  /// The front end's state, made at first use. `slot` comes from new_slot(), once per front end.
  template <class State>
  State& state(std::size_t slot) {
    if (!extensions_[slot]) [[unlikely]]
      extensions_[slot] = make_extension<State>(*this);
    return static_cast<State&>(*extensions_[slot]);
  }

  // --- for exec/runtime/boot
  /// Puts a debugger between this process and the world, behind those that are there already;
  /// before the first operation.
  void watch(std::unique_ptr<Interceptor> debugger);
  /// Makes a job of one a member of a larger job. Throws Error when it has messages of its own that
  /// would be lost. References to the old id table stay valid.
  void join(ProcessParts parts);
  DebuggedProcess& debugged();
  /// The debuggers of this process; null: none.
  Interceptor* debugger() const { return watch_; }
  /// Where this process has variables of its own in place of a library's: see cell(). Ascending.
  struct Cell {
    void* shared = nullptr;
    void* own = nullptr;
  };
  void give_cells(std::vector<Cell> cells) { cells_ = std::move(cells); }

 private:
  void enter_observed();
  void* own_cell(void* shared) const;

  std::unique_ptr<Engine> engine_;  ///< everything behind it
  Rank rank_;
  IdTable table_;
  Interceptor* watch_ = nullptr;
  Call call_{};            ///< under way, or the last one
  bool observed_ = false;  ///< a debugger watches, or there have been handlers
  bool reported_unreleased_ = false;
  bool ended_ = false;  ///< by end()
  std::vector<Cell> cells_{};
  std::array<std::unique_ptr<Extension>, most_extensions> extensions_{};
};

/// A number for a front end's state, below most_extensions; taken once, when its library is loaded.
/// Throws Error when all are taken.
std::size_t new_slot();

/// The Process of the calling program; null before the first call and in a fork()ed child.
extern Process* current_process;
inline Process* self() { return current_process; }

}  // namespace earl
