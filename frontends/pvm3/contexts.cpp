// SPDX-License-Identifier: BSD-3-Clause
// Message contexts.
#include <fmt/format.h>

#include <string>
#include <utility>

#include "frontends/pvm3/call.hpp"
#include "frontends/pvm3/machine.hpp"
#include "frontends/pvm3/translate.hpp"
#include "generic/exec_client.hpp"

namespace earl::pvm {

namespace {

// Like in PVM, a context's id is its maker's host and a number that counts up, and begins again at
// the end: PVM's system contexts are above. The job's store has an entry for each, which only its
// owner can remove and which goes with it.
constexpr int first_number = 1;
constexpr int most_contexts = 0x3fffb;
constexpr int none = 0;

int new_number_alone(State& state, int from) {
  while (!state.contexts.insert(from).second) ++from;
  return from;
}

/// Each host counts for itself.
std::string class_of(State const& state) {
  return fmt::format("{}{}", context_class, state.host());
}

int new_number_in_job(State& state, int from) {
  auto const answer =
      state.me.exec().put_entry({.name = class_of(state), .index = from, .several = true});
  return answer.fault == StoreFault::none ? answer.index : none;
}

/// False: the caller has not got it.
bool release_number(State& state, int number) {
  if (alone(state)) return state.contexts.erase(number) == 1;
  auto const answer =
      state.me.exec().get_entry({.name = class_of(state), .index = number, .remove = true});
  return answer.fault == StoreFault::none;
}

/// None: there is no free one from there on.
int new_number(State& state, int from) {
  int const number = alone(state) ? new_number_alone(state, from) : new_number_in_job(state, from);
  if (number <= most_contexts) return number;
  release_number(state, number);
  return none;
}

int new_context(State& state) {
  state.enroll();
  auto& last = state.contexts_made;
  int number = last < most_contexts ? new_number(state, last + 1) : none;
  if (number == none) number = new_number(state, first_number);
  if (number == none) return PvmOutOfRes;
  last = number;
  return host_tid(state.host()) | number;
}

/// Only its maker frees a context, as in PVM.
int free_context(State& state, int context) {
  int const number = context & local_mask;
  bool const possible = (context & ~local_mask) == host_tid(state.host()) && number != none;
  return possible && release_number(state, number) ? PvmOk : PvmNotFound;
}

}  // namespace

void move_contexts(State& state) {
  for (int const number : std::exchange(state.contexts, {})) new_number_in_job(state, number);
}

}  // namespace earl::pvm

using namespace earl;

extern "C" {

int pvm_newcontext(void) {
  return pvm::call("pvm_newcontext", [](pvm::State& s) { return pvm::new_context(s); });
}

int pvm_freecontext(int context) {
  return pvm::call("pvm_freecontext", [&](pvm::State& s) { return pvm::free_context(s, context); });
}

int pvm_setcontext(int context) {
  return pvm::quiet_call("pvm_setcontext", [&](pvm::State& s) {
    int const previous = s.context();
    s.set_context(context);
    return previous;
  });
}

int pvm_getcontext(void) {
  return pvm::quiet_call("pvm_getcontext", [](pvm::State& s) { return s.context(); });
}

}  // extern "C"
