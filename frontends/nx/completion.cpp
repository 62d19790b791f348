// SPDX-License-Identifier: BSD-3-Clause
/// Manual: completing operations, and facts about the message received or probed last. msgwait
/// msgdone msgcancel msgignore msgmerge, infotype infocount infonode infopid.
#include "frontends/nx/call.hpp"
#include "frontends/nx/include/nx.h"
#include "frontends/nx/receiving.hpp"

namespace earl::nx {

namespace {

bool is_send(OpenMessage const& message) { return message.request == no_request; }

void accept(State& me, OpenMessage const& message, Completion const& got) {
  if (!is_send(message)) accept(me, got, message.room, message.info);
}

Completion wait(State& me, OpenMessage const& message) {
  return is_send(message) ? Completion{} : me.process().wait(message.request);
}

std::optional<Completion> test(State& me, OpenMessage const& message) {
  return is_send(message) ? Completion{} : me.process().test(message.request);
}

/// All are complete before the first is looked at: it may have failed.
void accept_merged(State& me, std::vector<MergedMessage> const& parts) {
  for (MergedMessage const& part : parts) accept(me, part.message, *part.got);
}

void msgwait(State& me, std::int32_t id) {
  OpenMessage message = me.ids().close(id);
  if (message.merged.empty()) return accept(me, message, wait(me, message));
  for (MergedMessage& part : message.merged)
    if (!part.got) part.got = wait(me, part.message);
  accept_merged(me, message.merged);
}

std::int32_t msgdone_merged(State& me, std::int32_t id) {
  for (MergedMessage& part : me.ids().find(id).merged) {
    if (!part.got) part.got = test(me, part.message);
    if (!part.got) return 0;
  }
  accept_merged(me, me.ids().close(id).merged);
  return 1;
}

std::int32_t msgdone(State& me, std::int32_t id) {
  OpenMessage const& message = me.ids().find(id);
  if (!message.merged.empty()) return msgdone_merged(me, id);
  auto const got = test(me, message);
  if (!got) return 0;
  accept(me, me.ids().close(id), *got);
  return 1;
}

/// The program cannot learn whether it came too late, so that nothing is recorded and a message
/// that was too long is no error.
void cancel(State& me, OpenMessage const& message) {
  if (is_send(message)) return;
  me.process().cancel(message.request);
  me.process().wait(message.request);
}

void msgcancel(State& me, std::int32_t id) {
  const OpenMessage message = me.ids().close(id);
  if (message.merged.empty()) return cancel(me, message);
  for (MergedMessage const& part : message.merged)
    if (!part.got) cancel(me, part.message);
}

void ignore(State& me, OpenMessage const& message) {
  if (!is_send(message)) me.ignore(message.request);
}

void msgignore(State& me, std::int32_t id) {
  const OpenMessage message = me.ids().close(id);
  if (message.merged.empty()) return ignore(me, message);
  for (MergedMessage const& part : message.merged)
    if (!part.got) ignore(me, part.message);
}

/// An id of -1 stands for nothing, so that programs can merge in a loop.
std::int32_t msgmerge(State& me, std::int32_t first, std::int32_t second) {
  constexpr std::int32_t nothing = -1;
  if (first == nothing || second == nothing) {
    auto const id = first == nothing ? second : first;
    me.ids().find(id);
    return id;
  }
  return me.ids().merge(first, second);
}

std::int32_t infotype(State& me) { return me.info().fact(0); }
std::int32_t infocount(State& me) { return me.info().fact(1); }
std::int32_t infonode(State& me) { return me.info().fact(2); }
std::int32_t infopid(State& me) { return me.info().fact(3); }

}  // namespace
}  // namespace earl::nx

namespace nx = earl::nx;
using nx::Integer;
using nx::Plain;
using nx::Underscore;

EARL_NX_ENTRY void msgwait(long id) { nx::call<Plain>("msgwait", nx::msgwait, id); }
EARL_NX_ENTRY long _msgwait(long id) { return nx::call<Underscore>("_msgwait", nx::msgwait, id); }
EARL_NX_ENTRY void msgwait_(Integer id) { nx::call<Plain>("msgwait", nx::msgwait, id); }

EARL_NX_ENTRY long msgdone(long id) { return nx::call<Plain>("msgdone", nx::msgdone, id); }
EARL_NX_ENTRY long _msgdone(long id) { return nx::call<Underscore>("_msgdone", nx::msgdone, id); }
EARL_NX_ENTRY std::int32_t msgdone_(Integer id) {
  return nx::call<Plain>("msgdone", nx::msgdone, id);
}

EARL_NX_ENTRY void msgcancel(long id) { nx::call<Plain>("msgcancel", nx::msgcancel, id); }
EARL_NX_ENTRY long _msgcancel(long id) {
  return nx::call<Underscore>("_msgcancel", nx::msgcancel, id);
}
EARL_NX_ENTRY void msgcancel_(Integer id) { nx::call<Plain>("msgcancel", nx::msgcancel, id); }

EARL_NX_ENTRY void msgignore(long id) { nx::call<Plain>("msgignore", nx::msgignore, id); }
EARL_NX_ENTRY long _msgignore(long id) {
  return nx::call<Underscore>("_msgignore", nx::msgignore, id);
}
EARL_NX_ENTRY void msgignore_(Integer id) { nx::call<Plain>("msgignore", nx::msgignore, id); }

EARL_NX_ENTRY long msgmerge(long id1, long id2) {
  return nx::call<Plain>("msgmerge", nx::msgmerge, id1, id2);
}
EARL_NX_ENTRY long _msgmerge(long id1, long id2) {
  return nx::call<Underscore>("_msgmerge", nx::msgmerge, id1, id2);
}
EARL_NX_ENTRY std::int32_t msgmerge_(Integer id1, Integer id2) {
  return nx::call<Plain>("msgmerge", nx::msgmerge, id1, id2);
}

EARL_NX_ENTRY long infotype(void) { return nx::call<Plain>("infotype", nx::infotype); }
EARL_NX_ENTRY long _infotype(void) { return nx::call<Underscore>("_infotype", nx::infotype); }
EARL_NX_ENTRY std::int32_t infotype_(void) { return nx::call<Plain>("infotype", nx::infotype); }

EARL_NX_ENTRY long infocount(void) { return nx::call<Plain>("infocount", nx::infocount); }
EARL_NX_ENTRY long _infocount(void) { return nx::call<Underscore>("_infocount", nx::infocount); }
EARL_NX_ENTRY std::int32_t infocount_(void) { return nx::call<Plain>("infocount", nx::infocount); }

EARL_NX_ENTRY long infonode(void) { return nx::call<Plain>("infonode", nx::infonode); }
EARL_NX_ENTRY long _infonode(void) { return nx::call<Underscore>("_infonode", nx::infonode); }
EARL_NX_ENTRY std::int32_t infonode_(void) { return nx::call<Plain>("infonode", nx::infonode); }

EARL_NX_ENTRY long infopid(void) { return nx::call<Plain>("infopid", nx::infopid); }
EARL_NX_ENTRY long _infopid(void) { return nx::call<Underscore>("_infopid", nx::infopid); }
EARL_NX_ENTRY std::int32_t infopid_(void) { return nx::call<Plain>("infopid", nx::infopid); }

EARL_NX_ENTRY long infoptype(void) { return nx::call<Plain>("infoptype", nx::infopid); }
EARL_NX_ENTRY long _infoptype(void) { return nx::call<Underscore>("_infoptype", nx::infopid); }
EARL_NX_ENTRY std::int32_t infoptype_(void) { return nx::call<Plain>("infoptype", nx::infopid); }
