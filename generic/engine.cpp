// SPDX-License-Identifier: BSD-3-Clause
#include "generic/engine.hpp"

#include <cstdlib>

#include "generic/collectives/group_board.hpp"

namespace earl {

namespace {

/// For a process that is to end; a receiver may be computing.
constexpr std::chrono::minutes stop_timeout{1};

/// A member of a collective that waits for no other does not see that its call was another one.
void warn_of_unreceived_part(Engine& engine) {
  engine.pump();
  auto const left = engine.receiver().unexpected().oldest_in(Space::collective, 1);
  if (!left.empty())
    engine.exec().executive().print(
        unreceived_part_text(engine.contexts().name(left.front()->envelope.context),
                             engine.endpoint().rank, left.front()->envelope));
}

}  // namespace

Engine::Engine(ProcessParts parts, Call& call)
    : call_(call),
      endpoint_(parts.rank, parts.table, std::move(parts.port)),
      exec_(*this, std::move(parts.executive), call),
      requests_(*this, endpoint_, handlers_),
      outbound_(*this, endpoint_, parts.first_sequence),
      rendezvous_(*this, endpoint_),
      receiver_(*this, endpoint_),
      prober_(*this, endpoint_, receiver_) {}

void Engine::stop(int exit_code, std::string_view sentence) {
  exec_.executive().report_failure(exit_code, sentence, {});
  exec_.executive().quit(exit_code);
  std::abort();
}

/// No handler runs, and debuggers are not notified of an orderly end.
void Engine::stop_when_sent(int exit_code, std::string_view sentence) {
  exec_.executive().report_failure(exit_code, sentence, {});
  begin_leaving();
  if (endpoint_.limits.leaves_together) exec_.executive().leaving();
  wait_until_sent(endpoint_.port->now() + stop_timeout);
  endpoint_.port->leave();
  exec_.executive().quit(exit_code);
  std::abort();
}

void Engine::watch(std::unique_ptr<Interceptor> debugger) {
  endpoint_.add(std::move(debugger));
  outbound_.watch(*endpoint_.debugger);
  receiver_.watch(*endpoint_.debugger);
}

std::size_t Engine::progress() {
  const std::size_t happened = pump();
  run_due_handlers();
  return happened;
}

std::size_t Engine::pump() {
  std::size_t happened = endpoint_.port->poll(receiver_);
  if (outbound_.has_waiting()) [[unlikely]]
    happened += outbound_.flush_outboxes();
  if (rendezvous_.is_pushing()) [[unlikely]]
    happened += rendezvous_.push_pieces();
  if (happened == 0 && exec_.has_waiting()) [[unlikely]]
    happened += exec_.take_waiting();
  return happened;
}

void Engine::idle() {
  if (exec_.executive().exec_may_exit_first()) exec_.poll();
  if (progress() == 0) endpoint_.port->wait(Deadline{});
}

void Engine::begin_leaving() {
  left_ = true;
  rendezvous_.leave();
}

void Engine::leave(bool in_order) {
  if (left_) return;
  if (handlers_.in_use()) progress();
  begin_leaving();
  // A process that waits for this one's end need not wait for its messages.
  bool const waits = outbound_.has_waiting() || !rendezvous_.may_leave();
  if (waits || endpoint_.limits.leaves_together) exec_.executive().leaving();
  wait_until_sent(never);
  if (in_order) warn_of_unreceived_part(*this);
  if (endpoint_.debugger) endpoint_.debugger->ended(receiver_.unexpected().user_messages());
  endpoint_.port->leave();
  exec_.executive().goodbye();
}

}  // namespace earl
