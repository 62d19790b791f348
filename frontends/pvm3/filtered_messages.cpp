// SPDX-License-Identifier: BSD-3-Clause
// pvm_recvf, pvm_addmhf, pvm_delmhf, and the messages they make the front end keep.
#include "frontends/pvm3/filtered_messages.hpp"

#include <algorithm>

#include "frontends/pvm3/call.hpp"

namespace earl::pvm {

namespace {

// In PVM the library's own handlers have the numbers below.
constexpr int first_handler = 9;
constexpr int no_choice = -1;
/// Errors of a predicate are at most -2 (PvmBadParam); higher values are moved out of the way.
constexpr int error_base = -1000;

bool overlap(int one, int other) { return one == other || one == -1 || other == -1; }

MatchSpec everything() {
  MatchSpec spec;
  spec.any_user_context = true;
  return spec;
}

}  // namespace

namespace {

/// A handler does not take in later messages: other handlers would run. PVM's own rule finds the
/// messages that the core has.
int take_now(State& state, int tid, int tag) {
  auto message = state.me.try_take(spec_of(state.me.table(), tid, tag, state.context()));
  if (!message) return nothing_there;
  int const id = state.buffers.taken(message->id);
  int const from = state.tid_of(sender_of(message->envelope));
  if (state.stale(message->envelope)) {
    state.buffers.free(id);
    return nothing_there;
  }
  state.buffers.find(id)->arrive(std::move(*message), from, state.tid());
  return id;
}

}  // namespace

int default_match(int bufid, int tid, int tag) {
  return quiet_call("pvm_recvf", [&](State& state) {
    auto const* buffer = state.buffers.find(bufid);
    bool const accepted = buffer && (tid == -1 || tid == buffer->source) &&
                          (tag == -1 || tag == buffer->tag) &&
                          (state.context() == -1 || state.context() == buffer->context);
    return accepted ? 1 : 0;
  });
}

int FilteredMessages::add(int source, int tag, int context, Handler function) {
  bool const everything = source == -1 && tag == -1 && context == -1;
  bool const taken = std::any_of(handlers_.begin(), handlers_.end(), [&](Wanted const& one) {
    return overlap(one.source, source) && overlap(one.tag, tag) && overlap(one.context, context);
  });
  // In PVM the library's own handlers overlap with one for everything.
  if (everything || taken) return PvmExists;
  handlers_.push_back(
      {.id = new_id(), .source = source, .tag = tag, .context = context, .function = function});
  return handlers_.back().id;
}

int FilteredMessages::remove(int id) {
  if (id < 0) return PvmBadParam;
  if (std::erase_if(handlers_, [id](Wanted const& one) { return one.id == id; }) == 0)
    return PvmNotFound;
  free_.push_back(id);
  return PvmOk;
}

int FilteredMessages::new_id() {
  if (free_.empty()) return first_handler + ids_++;
  int const id = free_.back();
  free_.pop_back();
  return id;
}

void FilteredMessages::clear(State& state) {
  handlers_.clear();
  free_.clear();
  ids_ = 0;
  predicate_ = nullptr;
  for (auto const& held : std::exchange(held_, {})) state.buffers.free(held.id);
}

void FilteredMessages::drain(State& state) {
  if (handling_) return;
  while (auto message = state.me.try_take(everything())) admit(state, std::move(*message));
}

void FilteredMessages::put_back(State& state, Message message) {
  drain(state);
  admit(state, std::move(message));
}

void FilteredMessages::hold(Held const& held) {
  auto const younger = std::find_if(held_.begin(), held_.end(), [&](Held const& one) {
    return one.message.source == held.message.source &&
           one.message.sequence > held.message.sequence;
  });
  held_.insert(younger, held);
}

void FilteredMessages::admit(State& state, Message message) {
  auto const origin = message.id;
  int const id = state.buffers.taken(origin);
  if (state.stale(message.envelope)) return state.buffers.free(id);
  auto& buffer = *state.buffers.find(id);
  int const from = state.tid_of(sender_of(message.envelope));
  buffer.arrive(std::move(message), from, state.tid());
  auto const wants = [&](Wanted const& one) {
    return overlap(one.source, buffer.source) && overlap(one.tag, buffer.tag) &&
           overlap(one.context, buffer.context);
  };
  auto const handler = std::find_if(handlers_.rbegin(), handlers_.rend(), wants);
  if (handler == handlers_.rend())
    hold({.id = id, .message = origin});
  else
    run(state, handler->function, id);
}

/// The handler finds its message active and its context current; the program finds things as it
/// left them.
void FilteredMessages::run(State& state, Handler function, int id) {
  auto& buffers = state.buffers;
  int const context = state.context();
  int const sending = buffers.activate_send(0);
  int const receiving = buffers.activate_receive(id);
  state.set_context(buffers.find(id)->context);
  handling_ = true;
  const InterruptedCall interrupted{state.me.call()};
  function(id);
  handling_ = false;
  if (buffers.send()) buffers.free(buffers.send_id());
  if (buffers.find(id)) buffers.free(id);
  buffers.activate_send(sending);
  buffers.activate_receive(receiving);
  state.set_context(context);
}

int FilteredMessages::choose(State& state, int tid, int tag) {
  const InterruptedCall interrupted{state.me.call()};
  int best = no_choice;
  int rank = 0;
  for (std::size_t i = 0; i < held_.size(); ++i) {
    int const verdict = (predicate_ ? predicate_ : default_match)(held_[i].id, tid, tag);
    if (verdict < 0) return error_base + verdict;
    if (verdict > rank) best = static_cast<int>(i), rank = verdict;
    if (verdict == 1) return static_cast<int>(i);
  }
  return best;
}

int FilteredMessages::receive(State& state, int tid, int tag, Deadline deadline) {
  for (;;) {
    drain(state);
    int const choice = choose(state, tid, tag);
    if (choice < no_choice) return choice - error_base;
    if (choice != no_choice) {
      int const id = held_[static_cast<std::size_t>(choice)].id;
      held_.erase(held_.begin() + choice);
      return id;
    }
    if (handling_) {
      int const id = take_now(state, tid, tag);
      return id == nothing_there && deadline != Deadline{} ? PvmNotImpl : id;
    }
    if (deadline == Deadline{}) return nothing_there;
    if (deadline == never) {
      admit(state, state.me.take(everything()));
      continue;
    }
    auto message = state.me.try_take(everything(), deadline);
    if (!message) return nothing_there;
    admit(state, std::move(*message));
  }
}

int FilteredMessages::probe(State& state, int tid, int tag) {
  drain(state);
  int const choice = choose(state, tid, tag);
  if (choice < no_choice) return choice - error_base;
  return choice == no_choice ? nothing_there : held_[static_cast<std::size_t>(choice)].id;
}

}  // namespace earl::pvm

using namespace earl;

extern "C" {

int (*pvm_recvf(int (*predicate)(int, int, int)))(int, int, int) {
  pvm::Predicate previous = nullptr;
  pvm::quiet_call("pvm_recvf", [&](pvm::State& s) {
    previous = s.filtered.set_predicate(predicate == pvm::default_match ? nullptr : predicate);
    return PvmOk;
  });
  return previous ? previous : pvm::default_match;
}

int pvm_addmhf(int src, int tag, int ctx, int (*f)(int bufid)) {
  return pvm::call("pvm_addmhf", [&](pvm::State& s) -> int {
    if (!f) return PvmBadParam;
    s.enroll();
    return s.filtered.add(src, tag, ctx, f);
  });
}

int pvm_delmhf(int mhid) {
  return pvm::call("pvm_delmhf", [&](pvm::State& s) { return s.filtered.remove(mhid); });
}

/// PVM prints the library's table of handlers; here there is no such table to print.
int pvmdisplaymhfinfo(void) {
  return pvm::quiet_call("pvmdisplaymhfinfo", [](pvm::State&) { return PvmOk; });
}

}  // extern "C"
