// SPDX-License-Identifier: BSD-3-Clause
/// The seam for debuggers: everything that can differ between two runs of one program.
///
/// A debugger overrides the functions it needs. Several stack in the order given; without any, none
/// is built and the core meets one null pointer. Called on the process's own thread, outside
/// Port::poll(), except matched(), lost(), match_outcome() and piggyback_arrived(), which may be
/// inside. May not call back into the Process.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "generic/seams/intercepted.hpp"

namespace earl {

/// A replay's answer to a question whose answer depends on timing.
enum class Verdict {
  free,  ///< look and see
  no,    ///< the answer is no; do not look
  yes,   ///< the answer is yes; wait until it can be given
};

/// The fate of a message that a receive matches.
enum class MatchOutcome : std::uint8_t {
  taken,     ///< it is received
  lost,      ///< it is gone with its sender, and the receive, which named that sender, fails
  vanished,  ///< it is gone, and the receive goes on as if it had never been sent
};

/// The queries of a debugger to the process it observes.
class DebuggedProcess {
 public:
  virtual Rank rank() const = 0;
  virtual std::uint32_t initial_size() const = 0;  ///< processes the job was started with
  /// The back end's time, which may be virtual; asking changes nothing and no debugger is notified.
  virtual Deadline noted_time() const = 0;
  /// The return addresses of the API call under way and of its callers in the program, innermost
  /// first, as many as there is room for; says how many. Slow: microseconds.
  virtual std::size_t stack(std::span<void const*> room) const = 0;
  /// The name of a context for people: "MPI_COMM_WORLD". Empty: it has none.
  virtual std::string context_label(Context) const { return {}; }
  /// The subject for people of a notice that EXEC has sent: "the exit of task t40002". Empty: it is
  /// another message, or its subject is not known.
  virtual std::string notice_subject(MessageId const&) const { return {}; }
  /// Sends a few bytes to the half of the debugger `name` in EXEC (JobInterceptor::notified()).
  /// Returns before they are there; a process without EXEC sends none.
  virtual void notify_exec(std::string_view /*name*/, Bytes /*note*/) {}
  /// Ends the process now: `sentence` goes to the user, `exit_code` becomes the job's.
  [[noreturn]] virtual void stop(int exit_code, std::string_view sentence) = 0;
  /// Like stop(), for a process that others outlive: when its messages have left it, or after a
  /// minute. Not inside Port::poll().
  [[noreturn]] virtual void stop_when_sent(int exit_code, std::string_view sentence) = 0;

 protected:
  ~DebuggedProcess() = default;
};

/// Whether a send waits for its receiver.
enum class SendRule : std::uint8_t {
  as_asked,     ///< its mode says
  buffered,     ///< none whose mode leaves it open
  synchronous,  ///< each send whose mode leaves it open, however short
};

class Interceptor {
 public:
  virtual ~Interceptor() = default;

  /// False: it only listens. It never narrows a receive and demands nothing.
  virtual bool constrains_matching() const { return true; }

  /// The API call that everything until the next one belongs to.
  virtual void entered(Call const&) {}

  virtual void sending(SendOp const&) {}
  /// Whether piggyback() may have words; the same for the whole run.
  virtual bool piggybacks() const { return false; }
  /// A word that the message of the last sending(), which goes to another process, takes along to
  /// the same debugger there; null: none. At most one debugger of a job has such words.
  virtual std::optional<std::uint64_t> piggyback(Rank /*dest*/) { return std::nullopt; }
  /// The word of a message that is about to arrive.
  virtual void piggyback_arrived(MessageId const&, std::uint64_t /*word*/) {}
  /// The same for the whole run. Buffered in replay: a send that completed under one eager limit
  /// must complete under another.
  virtual SendRule send_rule() const { return SendRule::as_asked; }
  /// True in the replay of a job that came to a standstill, in the last call that this process made
  /// then: sends that are over because of send_rule() are waited for until they have left.
  virtual bool stands_still() const { return false; }
  /// True in replay: the recorded run took this send back. It takes its number and never leaves.
  virtual bool will_be_cancelled(SendOp const&) { return false; }

  /// Before a receive is posted or a question is asked. For `receive` and `probe` only the spec
  /// matters; for tries the verdict counts too.
  virtual Verdict posting(ReceiveOp&) { return Verdict::free; }
  /// A posted receive has its message, whole: of a long one the bytes are here. In the order of
  /// completion, not in post order.
  virtual void matched(ReceiveOp const&, Envelope const&, MessageId const&) {}
  /// A message that a receive, probe or try had found is gone with its sender. A posted receive
  /// that named this sender has failed; all others go on without it, and are reported again.
  virtual void lost(ReceiveOp const&, MessageId const&) {}
  /// Called for debuggers that steer, when a posted receive matches a message: the recorded run's
  /// choice.
  virtual MatchOutcome match_outcome(ReceiveOp const&, MessageId const&) {
    return MatchOutcome::taken;
  }
  /// The program has the message of its posted receive `post`, and may know of it from now on; or
  /// its synchronous send, named by post_of_send(), is over.
  virtual void completed(std::uint64_t /*post*/) {}
  /// A receive whose message was there already: posting(), matched() and completed() in one. Only
  /// for debuggers none of which steers.
  virtual void received(ReceiveOp const& op, Envelope const& envelope, MessageId const& id) {
    ReceiveOp posted = op;
    posting(posted);
    matched(posted, envelope, id);
    completed(op.post);
  }
  /// The same for most of them, where nothing is copied for debuggers that only look.
  virtual void received_narrow(Receipt const& receipt) {
    received({.kind = OpKind::receive,
              .post = receipt.post,
              .spec = receipt.spec.spec(TooLong::cut),
              .payload = receipt.payload},
             receipt.envelope, receipt.id);
  }
  /// A probe or a try has been answered; null: nothing there.
  virtual void answered(ReceiveOp const&, Envelope const* /*found*/, MessageId const&) {}

  /// Before requests are tested. With Verdict::yes, `demanded` is set to the positions that must be
  /// complete (valid until the next call); empty: any.
  virtual Verdict testing(TestOp const&, std::span<const std::uint32_t>& /*demanded*/) {
    return Verdict::free;
  }
  /// The requests that were reported complete; empty: none.
  virtual void tested(TestOp const&, std::span<const std::uint32_t> /*positions*/) {}

  /// Whether a cancel may succeed; null: undetermined. Then its outcome. For a send, `post` is its
  /// post_of_send().
  virtual std::optional<bool> cancelling(std::uint64_t /*post*/) { return std::nullopt; }
  virtual void cancelled(std::uint64_t /*post*/, bool /*was_cancelled*/) {}

  /// A clock was read: gives the value the program shall see, in nanoseconds.
  virtual std::int64_t clock_read(std::int64_t now) { return now; }

  /// EXEC answered a request; the answer may be checked or replaced.
  virtual void exec_answered(std::uint32_t /*operation*/, Bytes /*request*/, Buffer& /*answer*/) {}

  /// Where handlers may run, and again after each that did. With Verdict::yes, `op` says which one
  /// must run, and the process waits until it can.
  virtual Verdict handlers_due(HandlerOp& /*op*/) { return Verdict::free; }
  /// A handler is about to run, and has run; API calls between the two are its own.
  virtual void handling(HandlerOp const&) {}
  virtual void handled(HandlerOp const&) {}

  /// A collective begins, and is over in this process.
  virtual void collective(CollectiveOp const&) {}
  virtual void collective_ended(CollectiveOp const&) {}

  /// The process and others of its host share `bytes` bytes from now on: no debugger is asked about
  /// what they read there and write.
  virtual void shares_memory(std::uint64_t /*bytes*/) {}

  /// The process goes to sleep, and wakes up. Handlers may run in between.
  virtual void blocked() {}
  virtual void resumed() {}
  /// True: front ends note which call makes an object, and report those that are left at the end.
  virtual bool tracks_unreleased_objects() const { return false; }
  virtual void unreleased(Unreleased const&) {}
  /// True: the core notifies of sends that are started and completed by two calls.
  virtual bool watches_sends() const { return false; }
  virtual void send_completed(CompletedSend const&) {}
  /// True: front ends whose messages have types compare these, and report differences.
  virtual bool compares_types() const { return false; }
  virtual void mistyped(Mistyped const&) {}
  /// The collective is the next one of the API call, which all its members must make.
  virtual void collective_types(CollectiveTypes const&) {}
  /// The process is a fork at a checkpoint, and from now on another run than the one so far: the
  /// first of `arguments` is this debugger's there. Takes it away. Throws Error when it cannot.
  virtual void continue_as(std::span<std::string_view const>& arguments);
  /// The process ends, orderly; the last call. `unreceived`: user messages that were not received.
  virtual void ended(std::uint64_t /*unreceived*/) {}
};

}  // namespace earl
