// SPDX-License-Identifier: BSD-3-Clause
#include "generic/process.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <ctime>
#include <string>

#include "generic/base/error.hpp"
#include "generic/engine.hpp"

namespace earl {

Process* current_process = nullptr;

std::size_t new_slot() {
  static std::atomic<std::size_t> next = 0;
  auto const slot = next++;
  if (slot >= most_extensions)
    throw Error(Fault::full, "one process has room for the state of {} front ends",
                most_extensions);
  return slot;
}

Process::Process(ProcessParts parts) : rank_(parts.rank), table_(parts.table) {
  engine_ = std::make_unique<Engine>(std::move(parts), call_);
}

Process::~Process() = default;

DebuggedProcess& Process::debugged() { return *engine_; }

void Process::watch(std::unique_ptr<Interceptor> debugger) {
  engine_->watch(std::move(debugger));
  watch_ = engine_->endpoint().debugger;
  observed_ = true;
}

namespace {

[[gnu::noinline]] void enter_with_handlers(Engine& engine, Interceptor* watch, Call const& call) {
  if (watch) watch->entered(call);
  engine.run_due_handlers();
}

}  // namespace

void Process::enter_observed() {
  if (!watch_ || engine_->handlers().in_use()) [[unlikely]]
    return enter_with_handlers(*engine_, watch_, call_);
  watch_->entered(call_);
}

void* Process::own_cell(void* shared) const {
  auto const found = std::ranges::lower_bound(cells_, shared, {}, &Cell::shared);
  return found == cells_.end() || found->shared != shared ? shared : found->own;
}

void Process::join(ProcessParts parts) {
  bool const untouched = engine_->peers().empty() && engine_->receiver().posts() == 0;
  if (!untouched)
    throw Error(Fault::no_job,
                "this program has sent messages to itself, which no process would "
                "receive once it is part of a larger job");
  rank_ = parts.rank;
  table_ = parts.table;
  watch_ = nullptr;
  engine_ = std::make_unique<Engine>(std::move(parts), call_);
}

void Process::send(Envelope const& to, Gather const& bytes) { engine_->outbound().send(to, bytes); }

void Process::send_to_all(std::span<const Rank> ranks, Envelope const& to, Gather const& bytes) {
  engine_->outbound().send_to_all(ranks, to, bytes);
}

RequestId Process::start_send(Envelope const& to, Gather const& bytes) {
  return engine_->outbound().start_send(to, bytes);
}

Completion Process::receive(MatchSpec const& spec, Scatter const& room) {
  return engine_->receiver().receive(spec, room);
}

Completion Process::receive_narrow(NarrowSpec spec, Scatter const& room, TooLong too_long) {
  return engine_->receiver().receive_narrow(spec, room, too_long);
}

RequestId Process::start_receive(MatchSpec const& spec, Scatter const& room) {
  return engine_->receiver().start_receive(spec, room);
}

Message Process::take(MatchSpec const& spec) { return engine_->receiver().take(spec); }

std::optional<Message> Process::try_take(MatchSpec const& spec, Deadline deadline) {
  return engine_->prober().try_take(spec, deadline);
}

Found Process::probe(MatchSpec const& spec) { return engine_->prober().probe(spec); }
std::optional<Found> Process::try_probe(MatchSpec const& spec) {
  return engine_->prober().try_probe(spec);
}
Completion Process::wait(RequestId request) { return engine_->requests().wait(request); }
std::optional<Completion> Process::test(RequestId request) {
  return engine_->requests().test(request);
}

std::pair<std::size_t, Completion> Process::receive_any_of(std::span<const MatchSpec> specs,
                                                           Scatter const& room) {
  return engine_->prober().receive_any_of(specs, room);
}

std::pair<std::size_t, Message> Process::take_any_of(std::span<const MatchSpec> specs) {
  return engine_->prober().take_any_of(specs);
}

bool Process::send_synchronous(Envelope const& to, Gather const& bytes) {
  return engine_->requests().send_synchronous(to, bytes);
}

std::uint64_t Process::flush(MatchSpec const& spec) { return engine_->prober().flush(spec); }

std::uint64_t Process::flush_beyond(MatchSpec const& spec, std::uint64_t room) {
  return engine_->prober().flush_beyond(spec, room);
}

bool Process::cancel(RequestId request) { return engine_->requests().cancel(request); }

RequestTable& Process::requests() { return engine_->requests(); }

Contexts& Process::contexts() { return engine_->contexts(); }

ExecClient& Process::exec() { return engine_->exec(); }

void Process::progress() { engine_->progress(); }
void Process::idle() { engine_->idle(); }
void Process::waits_on_external_events() { engine_->monitor().expect_external_events(); }
void Process::leave(int exit_code) {
  for (auto const& extension : extensions_)
    if (exit_code != 0 && !ended_ && extension && !extension->required_call.empty())
      engine_->exec().executive().report_failure(
          exit_code, fmt::format("it has not called {}", extension->required_call), {});
  if (watch_ && watch_->tracks_unreleased_objects() && !std::exchange(reported_unreleased_, true))
    for (auto const& extension : extensions_)
      if (extension) extension->report_unreleased(*watch_);
  engine_->leave(!ended_);
}

Deadline Process::now() { return engine_->endpoint().port->now(); }

namespace {

std::int64_t cpu_time() {
  timespec used{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return std::int64_t{used.tv_sec} * 1'000'000'000 + used.tv_nsec;
}

}  // namespace

std::int64_t Process::clock(Time time) {
  using std::chrono::nanoseconds;
  engine_->monitor().record_clock_read();
  std::int64_t const now =
      time == Time::cpu
          ? cpu_time()
          : std::chrono::duration_cast<nanoseconds>(this->now().time_since_epoch()).count();
  return watch_ ? watch_->clock_read(now) : now;
}

void Process::print_line(std::string_view line) {
  engine_->exec().executive().print(std::string{line} + '\n');
}

void Process::end(int exit_code, std::string_view line) {
  print_line(line);
  ended_ = true;
  engine_->exec().executive().report_failure(exit_code, line, call_);
  engine_->exec().executive().exit(exit_code);
  std::abort();
}

}  // namespace earl
