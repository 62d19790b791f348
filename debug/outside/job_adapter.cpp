// SPDX-License-Identifier: BSD-3-Clause
#include "debug/outside/job_adapter.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "debug/outside/sentences.hpp"
#include "generic/services/operations.hpp"

namespace earl::outside {

namespace {

struct OperationName {
  Operation operation;
  char const* name;
};

constexpr OperationName operation_names[] = {{Operation::spawn, "spawn"},
                                             {Operation::signal, "signal"},
                                             {Operation::status, "status"},
                                             {Operation::allocate, "allocate"},
                                             {Operation::attach, "attach"},
                                             {Operation::release, "release"},
                                             {Operation::partitions, "partitions"},
                                             {Operation::reserve, "reserve"},
                                             {Operation::load, "load"},
                                             {Operation::unhold, "unhold"},
                                             {Operation::wait_one, "wait_one"},
                                             {Operation::wait_all, "wait_all"},
                                             {Operation::end_processes, "end_processes"},
                                             {Operation::adopt, "adopt"},
                                             {Operation::barrier, "barrier"},
                                             {Operation::event_post, "event_post"},
                                             {Operation::event_clear, "event_clear"},
                                             {Operation::event_wait, "event_wait"},
                                             {Operation::group_join, "group_join"},
                                             {Operation::group_leave, "group_leave"},
                                             {Operation::group_members, "group_members"},
                                             {Operation::group_barrier, "group_barrier"},
                                             {Operation::group_freeze, "group_freeze"},
                                             {Operation::store_put, "store_put"},
                                             {Operation::store_get, "store_get"},
                                             {Operation::store_list, "store_list"},
                                             {Operation::notice, "notice"},
                                             {Operation::processes, "processes"},
                                             {Operation::hosts, "hosts"},
                                             {Operation::retire, "retire"},
                                             {Operation::calls, "calls"}};

/// Empty: an operation that EXEC does not know.
char const* name_of_operation(std::uint32_t number) {
  auto const* const found =
      std::ranges::find(operation_names, static_cast<Operation>(number), &OperationName::operation);
  return found == std::end(operation_names) ? "" : found->name;
}

earl_job_event job_event(earl_job_event_kind kind) {
  earl_job_event event{};
  event.size = sizeof event;
  event.kind = kind;
  return event;
}

earl_job_event request_event(earl_job_event_kind kind, Rank from, std::uint32_t operation) {
  auto event = job_event(kind);
  event.of.request = {number(from), operation, name_of_operation(operation)};
  return event;
}

earl_job_event death_event(earl_job_event_kind kind, Rank rank, int wait_status) {
  auto event = job_event(kind);
  event.of.death = {number(rank), wait_status};
  return event;
}

earl_job_event output_event(earl_job_event_kind kind, OutputPiece const& piece) {
  auto event = job_event(kind);
  event.of.output = {number(piece.writer), piece.stream, piece.bytes, piece.last ? 1 : 0, 0};
  return event;
}

earl_job_event failure_event(earl_job_event_kind kind, Rank rank) {
  auto event = job_event(kind);
  event.of.failure = {nullptr, number(rank), 0};
  return event;
}

}  // namespace

JobAdapter::JobAdapter(Use use, JobInfo const& job) : use_(std::move(use)), process_(use_, job) {}

int JobAdapter::ask(earl_job_event const& event, std::string_view text) {
  if (stopped_) return EARL_GO_ON;
  try {
    reply_ = process_.ask(event, text);
  } catch (Error const& error) {
    stop(1, error.what());
    return EARL_GO_ON;
  }
  if (reply_.verdict == EARL_STOP) {
    stop(reply_.exit_code, stop_text(use_.path, reply_.sentence));
    return EARL_GO_ON;
  }
  return reply_.verdict;
}

void JobAdapter::deliver(earl_job_event const& event, std::string_view text) {
  if (auto const verdict = ask(event, text); verdict != EARL_GO_ON) refuse(event, verdict);
}

bool JobAdapter::allows(earl_job_event const& event) {
  if (!steers()) return true;
  auto const verdict = ask(event);
  if (verdict != EARL_GO_ON && verdict != EARL_NO) refuse(event, verdict);
  return verdict != EARL_NO;
}

void JobAdapter::refuse(earl_job_event const& event, int verdict) {
  stop(1, wrong_verdict_text(use_.path, verdict,
                             name_of(static_cast<earl_job_event_kind>(event.kind)), steers()));
}

void JobAdapter::stop(int exit_code, std::string const& sentence) {
  if (!stopped_) stopped_ = exit_code;
  if (end_) end_(exit_code, sentence);
}

bool JobAdapter::may_serve(Rank from, std::uint32_t operation) {
  return allows(request_event(EARL_JOB_REQUEST, from, operation));
}

void JobAdapter::served(Rank from, std::uint32_t operation, Bytes) {
  deliver(request_event(EARL_JOB_SERVED, from, operation));
}

bool JobAdapter::may_announce_death(Rank rank) {
  return allows(death_event(EARL_JOB_DEATH, rank, 0));
}

void JobAdapter::died(Rank rank, int wait_status) {
  deliver(death_event(EARL_JOB_DIED, rank, wait_status));
}

bool JobAdapter::may_deliver_output(OutputPiece& piece) {
  return allows(output_event(EARL_JOB_OUTPUT, piece));
}

void JobAdapter::output_delivered(OutputPiece const& piece) {
  deliver(output_event(EARL_JOB_PRINTED, piece));
}

/// A tool does not choose: a recorder, which comes first, has taken the rank in already.
Rank JobAdapter::choose_rank(Rank rank, Rank) {
  auto event = job_event(EARL_JOB_RANK);
  event.of.rank.rank = number(rank);
  deliver(event);
  return rank;
}

void JobAdapter::notified(Rank from, std::string_view name, Bytes note) {
  if (name != use_.note_name || note.size() > EARL_NOTE_MOST) return;
  auto event = job_event(EARL_JOB_NOTE);
  event.of.note = {nullptr, note.size(), number(from), 0};
  deliver(event, {reinterpret_cast<char const*>(note.data()), note.size()});
}

bool JobAdapter::may_fail(Rank rank) { return allows(failure_event(EARL_JOB_FAILURE, rank)); }

void JobAdapter::failed(Rank rank, std::string_view why) {
  deliver(failure_event(EARL_JOB_FAILED, rank), why);
}

void JobAdapter::quiescence_judged(StandstillVerdict const& found) {
  auto event = job_event(EARL_JOB_STANDSTILL);
  event.of.standstill = {nullptr, found.exit_code.value_or(0), 0};
  deliver(event, found.sentence);
}

int JobAdapter::finished(int exit_code) {
  bool const had_stopped = stopped_.has_value();
  auto event = job_event(EARL_JOB_OVER);
  event.of.over.exit_code = exit_code;
  auto const verdict = ask(event);
  if (verdict == EARL_TAKE && steers())
    exit_code = reply_.exit_code;
  else if (verdict != EARL_GO_ON)
    refuse(event, verdict);
  end_process();
  // A failure of the job's own stands, unless the tool has seen it.
  bool const replaces = exit_code == 0 || (!had_stopped && reply_.verdict == EARL_STOP);
  return stopped_ && replaces ? *stopped_ : exit_code;
}

void JobAdapter::end_process() {
  try {
    process_.finish();
  } catch (Error const& error) {
    stop(1, error.what());
  }
}

}  // namespace earl::outside
