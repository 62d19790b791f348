// SPDX-License-Identifier: BSD-3-Clause
/// The libpvm3 inside the module calls its own functions, although the program exports the same
/// names, as Earl's front end for PVM does. usage: pvm_reentry MODULE CAPTURED-MODULE
#include <array>
#include <cstdio>
#include <cstring>

#include "backends/pvm/daemon.hpp"
#include "backends/pvm/module.hpp"
#include "generic/base/error.hpp"

static int captured = 0;

// The calls of the module and of libpvm3 itself; a call that arrives here is an error.
#define EARL_CAPTURE(name) \
  extern "C" [[gnu::visibility("default")]] int name() { return ++captured, -1; }
EARL_CAPTURE(pvm_bufinfo)
EARL_CAPTURE(pvm_exit)
EARL_CAPTURE(pvm_freebuf)
EARL_CAPTURE(pvm_getfds)
EARL_CAPTURE(pvm_getrbuf)
EARL_CAPTURE(pvm_getsbuf)
EARL_CAPTURE(pvm_initsend)
EARL_CAPTURE(pvm_mkbuf)
EARL_CAPTURE(pvm_mytid)
EARL_CAPTURE(pvm_notify)
EARL_CAPTURE(pvm_nrecv)
EARL_CAPTURE(pvm_pkbyte)
EARL_CAPTURE(pvm_pkint)
EARL_CAPTURE(pvm_pkstr)
EARL_CAPTURE(pvm_send)
EARL_CAPTURE(pvm_setcontext)
EARL_CAPTURE(pvm_setopt)
EARL_CAPTURE(pvm_setrbuf)
EARL_CAPTURE(pvm_setsbuf)
EARL_CAPTURE(pvm_upkbyte)
EARL_CAPTURE(pvm_upkint)
EARL_CAPTURE(pvm_upkstr)

namespace {

using namespace earl;
using namespace earl::pvm_backend;

constexpr int context = 0x4000'0001;
constexpr char words[] = "to myself";

void demand(bool held, char const* what) {
  if (!held) throw Error("{}", what);
}

/// A message to itself goes through the daemon and comes back some polls later.
void talk(earl_pvm_native const& native, int tid) {
  iovec const piece{const_cast<char*>(words), sizeof words};
  demand(native.send(tid, &piece, 1) >= 0, "send failed");
  std::array<char, 64> room{};
  earl_pvm_arrival arrival{};
  for (int i = 0; i < 1'000'000 && arrival.event == earl_pvm_nothing; ++i)
    demand(native.receive(earl_pvm_perhaps, room.data(), room.size(), &arrival) >= 0,
           "receive failed");
  demand(arrival.event == earl_pvm_message && arrival.tid == tid && arrival.size == sizeof words &&
             std::memcmp(room.data(), words, sizeof words) == 0,
         "the message did not come back");
  int* list = nullptr;
  demand(native.descriptors(&list) >= 1, "nothing to wait on");
}

void run(char const* module, char const* control) {
  PrivateDaemon const machine;
  auto const& native = load_module(module);
  int const tid = native.enrol(machine.socket().c_str(), context, 0);
  demand(tid > 0, "enrol failed");
  talk(native, tid);
  demand(native.watch(tid) >= 0, "watch failed");
  demand(native.leave() >= 0, "leave failed");
  demand(captured == 0, "a call inside libpvm3 came out of the module");
  load_module(control).enrol(machine.socket().c_str(), context, 0);
  demand(captured > 0, "this test cannot fail: the module that shows its names was not captured");
}

}  // namespace

int main(int, char** arguments) {
  try {
    run(arguments[1], arguments[2]);
  } catch (Error const& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  std::puts("EARL-OK");
}
