// SPDX-License-Identifier: BSD-3-Clause
/// Errors as seen by a PVM program: a negative code, pvm_errno, and the action of PvmAutoErr.
#pragma once

#include <string>
#include <string_view>

#include "frontends/common/call.hpp"
#include "frontends/common/stub.hpp"
#include "frontends/pvm3/state.hpp"

namespace earl::pvm {

/// The result of a call that looks for a message and finds none.
inline constexpr int nothing_there = 0;

/// PVM's own text for an error code.
char const* text_of(int code);

/// "libpvm [t40001]", or the process while it is not enrolled.
std::string own_name(State& state);

/// "libpvm [t40001]: what: text".
std::string line_about(State& state, std::string_view what, std::string_view text);

/// The call `name` has failed with `code`: sets pvm_errno and acts as PvmAutoErr demands, which may
/// end the process. Returns `code`.
int failed(State& state, char const* name, int code);

/// Like failed(), for an error of Earl's own: its message is printed too. `me` is null in a forked
/// child.
int failed(Process* me, char const* name, Error const& error);

/// Runs `body(State&)` as the API call `name`. A negative result is an error.
template <class Body>
[[gnu::always_inline]] inline int call(char const* name, Body&& body) {
  return api_call(
      name,
      [&](Process& me) {
        State& state = state_of(me);
        int const result = body(state);
        return result < 0 ? failed(state, name, result) : result;
      },
      [&](Process* me, Error const& error) { return failed(me, name, error); }, SiteOfProgram{});
}

/// The result of a call that PVM implements by the call `name`, which reports errors first.
inline int through(State& state, char const* name, int result) {
  return result < 0 ? failed(state, name, result) : result;
}

/// Like call(), where negative results are ordinary answers: PvmNoParent, a previous context.
template <class Body>
[[gnu::always_inline]] inline int quiet_call(char const* name, Body&& body) {
  return api_call(
      name, [&](Process& me) { return body(state_of(me)); },
      [&](Process* me, Error const& error) { return failed(me, name, error); }, SiteOfProgram{});
}

/// Runs `body(State&)`, which gives a text, as the API call `name`. It stays until the next one.
template <class Body>
[[gnu::always_inline]] inline char* text_call(char const* name, Body&& body) {
  return api_call(
      name,
      [&](Process& me) {
        State& state = state_of(me);
        std::string const text = body(state);
        state.text[text.copy(state.text.data(), state.text.size() - 1)] = '\0';
        return state.text.data();
      },
      [&](Process* me, Error const& error) -> char* {
        failed(me, name, error);
        return nullptr;
      },
      SiteOfProgram{});
}

/// The body of a routine that exists so that programs load, and does not work yet.
[[gnu::always_inline]] inline int not_yet(char const* name) {
  note_stub();
  return call(name, [](State&) { return PvmNotImpl; });
}

}  // namespace earl::pvm
