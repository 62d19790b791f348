// SPDX-License-Identifier: BSD-3-Clause
/// The parts of a Process that carry its messages, and how they wait for one another.
///
/// Each part keeps its own data and does one thing; it reaches the others through the engine, which
/// holds them by value. Messages move in pump(), which no part calls inside a port's poll().
#pragma once

#include "generic/contexts.hpp"
#include "generic/endpoint.hpp"
#include "generic/exec_client.hpp"
#include "generic/handler_queue.hpp"
#include "generic/outbound.hpp"
#include "generic/peers.hpp"
#include "generic/prober.hpp"
#include "generic/process.hpp"
#include "generic/receiver.hpp"
#include "generic/rendezvous.hpp"
#include "generic/request_table.hpp"
#include "generic/wait_monitor.hpp"

namespace earl {

class Engine final : public DebuggedProcess {
 public:
  /// `call`: the API call that is under way, kept up to date by the Process.
  Engine(ProcessParts parts, Call& call);

  Endpoint& endpoint() { return endpoint_; }
  ExecClient& exec() { return exec_; }
  Peers& peers() { return outbound_.peers(); }
  HandlerQueue& handlers() { return handlers_; }
  RequestTable& requests() { return requests_; }
  Outbound& outbound() { return outbound_; }
  Rendezvous& rendezvous() { return rendezvous_; }
  Receiver& receiver() { return receiver_; }
  Prober& prober() { return prober_; }
  WaitMonitor& monitor() { return monitor_; }
  Contexts& contexts() { return contexts_; }

  // DebuggedProcess
  Rank rank() const override { return endpoint_.rank; }
  std::uint32_t initial_size() const override { return endpoint_.table.initial(); }
  Deadline noted_time() const override { return endpoint_.port->noted_time(); }
  std::size_t stack(std::span<void const*> room) const override;
  std::string context_label(Context context) const override {
    return contexts_.name(context).label;
  }
  std::string notice_subject(MessageId const& id) const override {
    return endpoint_.notices.subject_of(id);
  }
  void notify_exec(std::string_view name, Bytes note) override {
    exec_.executive().notify(name, note);
  }
  [[noreturn]] void stop(int exit_code, std::string_view sentence) override;
  [[noreturn]] void stop_when_sent(int exit_code, std::string_view sentence) override;

  /// Puts a debugger behind those that are there already.
  void watch(std::unique_ptr<Interceptor> debugger);
  /// The answer when EXEC asks whether the process can go on.
  Report report();
  /// `in_order`: the program has not failed.
  void leave(bool in_order);

  // --- moving messages
  /// Lets messages move; no handler runs.
  std::size_t pump();
  /// Lets messages move and handlers run.
  std::size_t progress();
  /// Like progress(), and gives the CPU away if nothing happened.
  void idle();

  // --- handlers (handlers.cpp)
  void on_completion(RequestId id, CompletionHandler handler);
  FilterId add_filter(MatchSpec const& spec, MessageHandler handler);
  bool mask_handlers(bool hold);
  /// Handlers that are due run, if there can be any.
  void run_due_handlers() {
    if (handlers_.in_use()) [[unlikely]]
      run_handlers(handlers_.next_safepoint());
  }
  /// Comes before a question that debuggers answer. Handlers run until it can be answered; in a
  /// replay those that ran here then, so that question and answer have nothing between them.
  template <class Ready>
  void run_due_handlers_before(Ready ready, WaitState const& want, Deadline deadline = never) {
    if (!handlers_.in_use()) [[likely]]
      return;
    const std::uint64_t here = handlers_.next_safepoint();
    if (run_handlers(here) == Verdict::free) wait_at_safepoint(here, ready, want, deadline);
  }

  // --- waiting
  /// Lets messages move until `ready()` or the deadline; says whether it is ready. No handler runs.
  template <class Ready>
  bool wait_until(Ready ready, WaitState const& want, Deadline deadline = never) {
    if (ready()) return true;
    if (endpoint_.debugger) endpoint_.debugger->blocked();
    const WaitMonitor::Pause pause(monitor_, want, deadline != never);
    while (!ready()) {
      if (pump() != 0) continue;
      if (deadline != never && endpoint_.port->now() >= deadline) break;
      sleep(deadline);
    }
    if (endpoint_.debugger) endpoint_.debugger->resumed();
    return ready();
  }
  /// wait_until() where the program waits: handlers run, before `ready()` is asked each time.
  template <class Ready>
  bool wait_running_handlers(Ready ready, WaitState const& want, Deadline deadline = never) {
    if (!handlers_.in_use()) [[likely]]
      return wait_until(ready, want, deadline);
    return wait_at_safepoint(handlers_.next_safepoint(), ready, want, deadline);
  }

 private:
  // handlers.cpp
  [[gnu::noinline]] Verdict run_handlers(std::uint64_t point);
  std::optional<PendingHandler> pending_handler_for(HandlerOp const& op);
  void run(PendingHandler const& due, std::uint64_t point);
  template <class Body>
  void run_as(HandlerOp const& op, Body body);
  template <class Ready>
  bool wait_at_safepoint(std::uint64_t point, Ready ready, WaitState const& want,
                         Deadline deadline) {
    return wait_until(
        [&] {
          run_handlers(point);
          return ready();
        },
        want, deadline);
  }

  void begin_leaving();
  /// On a back end that keeps nothing: until every message has been accepted or its receiver is
  /// gone.
  void wait_until_sent(Deadline deadline) {
    wait_until([this] { return !outbound_.has_waiting() && rendezvous_.may_leave(); },
               {.kind = OpKind::send}, deadline);
  }

  /// Waits in the port, and polls EXEC where nothing else signals its end.
  void sleep(Deadline deadline) {
    if (!exec_.executive().exec_may_exit_first()) [[likely]]
      return endpoint_.port->wait(deadline);
    endpoint_.port->wait(std::min(deadline, Clock::now() + exec_poll_interval));
    exec_.poll();
  }
  static constexpr auto exec_poll_interval = std::chrono::milliseconds{250};

  // reporting.cpp
  void add_wait_states(Report& report, WaitState const& wait);
  void add_unfinished_sends(Report& report);
  bool busy() const {
    return outbound_.has_waiting() || rendezvous_.is_pushing() || rendezvous_.is_receiving();
  }

  Call& call_;
  Endpoint endpoint_;
  ExecClient exec_;
  HandlerQueue handlers_;
  RequestTable requests_;
  Outbound outbound_;
  Rendezvous rendezvous_;
  Receiver receiver_;
  Prober prober_;
  WaitMonitor monitor_;
  Contexts contexts_{this};
  bool left_ = false;
};

}  // namespace earl
