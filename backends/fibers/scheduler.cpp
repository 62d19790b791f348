// SPDX-License-Identifier: BSD-3-Clause
#include "backends/fibers/scheduler.hpp"

#include <cxxabi.h>
#include <locale.h>
#include <netdb.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <utility>

#include "backends/fibers/switch.hpp"

namespace earl::fibers {

namespace context = boost::context::detail;

namespace {

constexpr int most_per_run = 4096;
constexpr int runs_per_look = 64;  ///< at the clock, while ranks are ready
/// Turns after which a priority falls, on average.
constexpr unsigned turns_per_fall = 64;

/// The C library's thread-local variables that belong to a rank here: saved when its turn ends,
/// restored when the next begins.
class OfThread {
 public:
  OfThread() {
    if (locale_ != LC_GLOBAL_LOCALE) ::uselocale(LC_GLOBAL_LOCALE);
  }
  void put_back() const {
    if (locale_ != LC_GLOBAL_LOCALE) ::uselocale(locale_);
    h_errno = host_error_;
    errno = error_;
  }

 private:
  int error_ = errno;
  int host_error_ = h_errno;
  locale_t locale_ = ::uselocale(locale_t{});
};

/// The frames that a rank returns through when its turn comes: with many ranks, these are in no
/// near cache.
void prefetch_stack(RankFiber const& fiber) {
  constexpr std::size_t line = 64;
  constexpr std::size_t lines = 12;
  auto const* const top = static_cast<char const*>(fiber.context);
  for (std::size_t i = 0; i < lines; ++i) __builtin_prefetch(top + i * line);
}

/// The C library's variables of the running rank.
struct LibcState {
  std::FILE* input;
  std::FILE* output;
  std::FILE* error;
  char** environment;

  static LibcState now() { return {stdin, stdout, stderr, environ}; }
  void put() const {
    stdin = input;
    stdout = output;
    stderr = error;
    environ = environment;
  }
};

}  // namespace

Scheduler::Scheduler(std::uint64_t seed, SharedClock::Kind time, Body body, Ended ended)
    : seed_(seed),
      random_(seed),
      clock_(time),
      body_(body),
      ended_(std::move(ended)),
      creation_mask_(::umask(0)),
      first_creation_mask_(creation_mask_),
      exception_state_(reinterpret_cast<ExceptionState*>(abi::__cxa_get_globals())) {
  ::umask(creation_mask_);
}

RankFiber* Scheduler::find(Rank rank) {
  auto const found = ranks_.find(number(rank));
  return found == ranks_.end() ? nullptr : found->second.get();
}

std::vector<Rank> Scheduler::living() const {
  std::vector<Rank> living;
  for (auto const& [rank, fiber] : ranks_) living.push_back(Rank{rank});
  std::ranges::sort(living, {}, [](Rank rank) { return number(rank); });
  return living;
}

void Scheduler::admit(std::unique_ptr<RankFiber> fiber) {
  auto const rank = fiber->launch.rank;
  auto& one = *fiber;
  one.context = context::make_fcontext(one.stack->top(), one.stack->size(), enter);
  mailbox(rank).owner = &one;
  ranks_[number(rank)] = std::move(fiber);
  one.creation_mask = first_creation_mask_;
  one.priority = first_priority + (random_() >> 2);
  one.queued = true;
  ready_.add(one);
}

/// The context that has jumped here can be resumed.
void Scheduler::arrive(context::transfer_t from) {
  auto const& jump = *static_cast<Jump const*>(from.data);
  (jump.from ? jump.from->context : jump.scheduler->back_) = from.fctx;
}

void Scheduler::enter(context::transfer_t from) {
  auto& scheduler = *static_cast<Jump const*>(from.data)->scheduler;
  arrive(from);
  errno = h_errno = 0;  // discard another rank's values
  scheduler.body_(*scheduler.current_);
  std::abort();  // a body never returns
}

void Scheduler::make_ready(RankFiber& fiber) {
  if (fiber.queued || fiber.state != RankFiber::State::waiting) return;
  fiber.queued = true;
  prefetch_stack(fiber);
  ready_.add(fiber);
}

/// Returns when it is this rank's turn again: usually straight to the next rank. State of the
/// running rank without a place of its own stays on this stack: errno and its like, and the
/// exceptions that Earl's own code is catching for the rank.
void Scheduler::leave_rank() {
  const OfThread mine;
  auto const exception_state = std::exchange(*exception_state_, {});
  auto& me = *current_;
  put_away(me);
  if (!may_switch()) {
    leave_for_run();
  } else if (auto& chosen = next(); &chosen == &me) {
    prepare(me);
  } else {
    prepare(chosen);
    Jump jump{.scheduler = this, .from = &me};
    arrive(switch_to(chosen.context, &jump));
  }
  *exception_state_ = exception_state;
  mine.put_back();
}

void Scheduler::leave_for_run() {
  Jump jump{.scheduler = this, .from = current_};
  arrive(switch_to(back_, &jump));
}

bool Scheduler::may_switch() const {
  bool const look = turns_left_ == 0 || (!alarms_.empty() && turns_left_ % runs_per_look == 0);
  return !look && !ready_.empty();
}

/// It is the next to run.
void Scheduler::prepare(RankFiber& fiber) {
  --turns_left_;
  current_ = &fiber;
  fiber.state = RankFiber::State::running;
  current_process = fiber.process;
  LibcState{fiber.input, fiber.output, fiber.error, fiber.environment}.put();
  enter_folder(fiber);
  enter_creation_mask(fiber);
  if (fiber.thread_locals.size != 0) [[unlikely]]
    fiber.thread_locals.enter();
}

void Scheduler::put_away(RankFiber& fiber) {
  if (fiber.thread_locals.size != 0) [[unlikely]]
    fiber.thread_locals.leave();
  fiber.process = current_process;
  fiber.environment = environ;
}

void Scheduler::wait(Deadline deadline) {
  auto& me = *current_;
  me.state = RankFiber::State::waiting;
  ++me.waits;
  if (deadline != never) alarms_.push({.when = deadline, .rank = me.launch.rank, .turn = me.waits});
  leave_rank();
}

void Scheduler::yield() {
  auto& me = *current_;
  me.state = RankFiber::State::waiting;
  clock_.tick();  // its polls may fail until a sleeping rank has done something
  lower(me);      // likewise, until any other has
  make_ready(me);
  leave_rank();
}

void Scheduler::end() {
  current_->state = RankFiber::State::ended;
  *exception_state_ = {};
  ::uselocale(LC_GLOBAL_LOCALE);
  put_away(*current_);
  leave_for_run();
  std::abort();
}

RankFiber& Scheduler::next() {
  auto& chosen = ready_.take(seed_ != 0 && ready_.size() > 1 ? place_by_seed() : 0);
  chosen.queued = false;
  return chosen;
}

/// Even seeds: any of them. Odd ones: the one of the highest priority, and at times one that would
/// run falls behind all others (probabilistic concurrency testing, by Burckhardt and others): then
/// a rank may be far ahead of another for long, which chance alone hardly ever leads to.
std::size_t Scheduler::place_by_seed() {
  if (seed_ % 2 == 0) return random_() % ready_.size();
  auto const first = highest();
  if (random_() % turns_per_fall != 0) return first;
  lower(ready_.at(first));
  return highest();
}

std::size_t Scheduler::highest() {
  std::size_t found = 0;
  for (std::size_t i = 1; i < ready_.size(); ++i)
    if (ready_.at(i).priority > ready_.at(found).priority) found = i;
  return found;
}

void Scheduler::lower(RankFiber& fiber) { fiber.priority = --lowest_; }

/// The system knows one for the process; most jobs have one, too.
void Scheduler::enter_folder(RankFiber& fiber) {
  if (fiber.folder == folder_) [[likely]]
    return;
  folder_ = fiber.folder;
  // One that has been deleted meanwhile is as good as any.
  [[maybe_unused]] int const failed = ::fchdir(folder_->get());
}

void Scheduler::enter_creation_mask(RankFiber const& fiber) {
  if (fiber.creation_mask == creation_mask_) [[likely]]
    return;
  ::umask(creation_mask_ = fiber.creation_mask);
}

mode_t Scheduler::set_creation_mask(mode_t mask) {
  auto const before = std::exchange(current_->creation_mask, mask);
  enter_creation_mask(*current_);
  return before;
}

void Scheduler::end(RankFiber& fiber) {
  fiber.state = RankFiber::State::ended;
  ready_.remove(fiber);
  remove(fiber);
}

/// The callees may start others, so that no reference into the list may be kept.
void Scheduler::remove(RankFiber& fiber) {
  auto const one = std::move(ranks_.extract(number(fiber.launch.rank)).mapped());
  mailbox(one->launch.rank).owner = nullptr;
  ended_(*one);
}

Deadline Scheduler::run() {
  auto const own = LibcState::now();
  turns_left_ = most_per_run;
  while (turns_left_ > 0) {
    if (!alarms_.empty()) ring_alarms();
    if (ready_.empty()) break;
    prepare(next());
    Jump jump{.scheduler = this, .from = nullptr};
    arrive(switch_to(current_->context, &jump));
    auto& last = *std::exchange(current_, nullptr);
    if (last.state == RankFiber::State::ended) remove(last);
  }
  own.put();
  current_process = nullptr;
  if (!ready_.empty() || (clock_.is_own() && !alarms_.empty())) return Deadline{};
  return alarms_.empty() ? never : alarms_.top().when;
}

/// No rank waits for it any more.
bool Scheduler::is_void(Alarm const& alarm) {
  auto const* const sleeper = find(alarm.rank);
  return !sleeper || alarm.turn != (alarm.of_timer ? sleeper->timer.sets : sleeper->waits);
}

void Scheduler::set_timer(RankFiber& fiber) {
  auto& timer = fiber.timer;
  ++timer.sets;
  if (timer.next != never)
    alarms_.push(
        {.when = timer.next, .rank = fiber.launch.rank, .turn = timer.sets, .of_timer = true});
}

void Scheduler::ring(Alarm const& alarm) {
  auto& one = *find(alarm.rank);
  make_ready(one);
  if (!alarm.of_timer) return;
  one.pending_signals |= std::uint64_t{1} << (SIGALRM - 1);
  one.timer.next = one.timer.every > Clock::duration{} ? alarm.when + one.timer.every : never;
  set_timer(one);
}

void Scheduler::ring_alarms() {
  if (clock_.is_own() && ready_.empty()) let_time_pass();
  auto const now = clock_.now();
  while (!alarms_.empty() && alarms_.top().when <= now) {
    auto const alarm = alarms_.top();
    alarms_.pop();
    if (!is_void(alarm)) ring(alarm);
  }
}

void Scheduler::let_time_pass() {
  while (!alarms_.empty() && is_void(alarms_.top())) alarms_.pop();
  if (!alarms_.empty()) clock_.pass(alarms_.top().when);
}

}  // namespace earl::fibers
