// SPDX-License-Identifier: BSD-3-Clause
/// The smallest front end: docs/extending.md says what each part becomes in a real one.
#include "tests/frontends/skeleton/mini.h"

#include "frontends/common/call.hpp"
#include "generic/process.hpp"

namespace earl::mini {

namespace {

// --- translate.hpp: native words to generic ones, and back

/// MINI has no tags: all its messages have this one.
constexpr Tag only_tag{0};

Envelope envelope_to(int process) { return {.dest = Rank{process}, .tag = only_tag}; }
MatchSpec any_message() { return {.tag = TagMatch::exactly(only_tag)}; }
Bytes bytes_of(void const* data, int bytes) {
  return {static_cast<std::byte const*>(data), static_cast<std::size_t>(bytes)};
}
MutableBytes room_of(void* data, int bytes) {
  return {static_cast<std::byte*>(data), static_cast<std::size_t>(bytes)};
}

// --- call.hpp: how errors look to the program

template <class Body>
[[gnu::always_inline]] inline int call(char const* name, Body const& body) {
  return api_call(
      name, [&](Process& me) -> int { return body(me); },
      [](Process*, Error const&) -> int { return -1; });
}

// --- library.cpp: the program that loads the library becomes a process of the job

[[gnu::constructor]] void join_job() { boot::load("mini"); }

}  // namespace
}  // namespace earl::mini

namespace mini = earl::mini;
using earl::Process;

extern "C" int mini_rank(void) {
  return mini::call("mini_rank", [](Process& me) { return number(me.rank()); });
}

extern "C" int mini_send(int to, void const* data, int bytes) {
  return mini::call("mini_send", [&](Process& me) {
    me.send(mini::envelope_to(to), mini::bytes_of(data, bytes));
    return 0;
  });
}

extern "C" int mini_receive(void* data, int room) {
  return mini::call("mini_receive", [&](Process& me) {
    auto const got = me.receive(mini::any_message(), mini::room_of(data, room));
    return static_cast<int>(got.envelope.length);
  });
}
