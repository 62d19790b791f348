// Message contexts.
#include <climits>

#include "frontends/pvm3/call.hpp"

namespace earl::pvm {

namespace {

// Ids are unique in the job without asking anybody: the first is 262145 as natively, each task has
// its own residue. The numbers of PVM's system contexts are left out.
constexpr int first_context = 0x40001;
constexpr int system_contexts = 0x7fffc;
constexpr int last_system_context = 0x7ffff;

int context_number(Rank rank, int n) {
  auto const number_wide =
      std::int64_t{first_context} + number(rank) + std::int64_t{most_ranks} * n;
  return number_wide <= INT_MAX ? static_cast<int>(number_wide) : 0;
}

bool is_system(int context) { return context >= system_contexts && context <= last_system_context; }

int new_context(State& state) {
  state.enroll();
  int context = context_number(state.me.rank(), state.contexts_made++);
  if (is_system(context)) context = context_number(state.me.rank(), state.contexts_made++);
  if (context == 0) return PvmOutOfRes;
  state.contexts.insert(context);
  return context;
}

bool is_own(State& state, int context) {
  int const distance = context - context_number(state.me.rank(), 0);
  return distance % static_cast<int>(most_ranks) == 0;
}

// Another task's context is taken on trust: only its maker knows whether it was free already.
int free_context(State& state, int context) {
  if (context < first_context) return PvmNotFound;
  if (!is_own(state, context)) return PvmOk;
  return state.contexts.erase(context) == 1 ? PvmOk : PvmNotFound;
}

}  // namespace

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
