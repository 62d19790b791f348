// SPDX-License-Identifier: BSD-3-Clause
/// The routines as C and Fortran share them. All give the native result.
#pragma once

#include <span>

#include "frontends/pvm2/state.hpp"
#include "frontends/pvm2/translate.hpp"
#include "generic/packing.hpp"

namespace earl::pvm2 {

/// The selection of a routine with a list of types; no list: nothing.
inline std::span<int const> several(int const* types, int count) {
  if (!types || count < 1) return {};
  return {types, static_cast<std::size_t>(count)};
}

// --- components.cpp
int enrol(State& state, char const* component);
int leave_machine(State& state);
/// `component` has room for most_name + 1 bytes; either may be null.
int own_name(State& state, char* component, int* instance);
int start_anywhere(State& state, char const* program, char const* architecture);
int start_on(State& state, char const* program, char const* host);
int end_process(State& state, char const* component, int instance);
int is_there(State& state, char const* component, int instance);
int describe_machine(State& state, int* hosts, int* formats);

// --- packing.cpp
int start_message(State& state);
int put(State& state, Element element, void const* from, int count);
int put_text(State& state, char const* text);
int get(State& state, Element element, void* to, int count);
int get_text(State& state, char* to);
/// Like get_text(), into a Fortran variable: cut, or filled up with blanks.
int get_text(State& state, char* to, std::size_t length);

// --- messages.cpp. Waits only in receive().
int send(State& state, char const* component, int instance, int type, Way way);
int receive(State& state, std::span<int const> types, Way way);
int probe(State& state, std::span<int const> types);
int message_facts(State& state, int* bytes, int* type, char* component, int* instance);

// --- meetings.cpp. The first and the last wait.
int wait_at_barrier(State& state, char const* name, int count);
int announce(State& state, char const* event);
int wait_until(State& state, char const* event);

}  // namespace earl::pvm2
