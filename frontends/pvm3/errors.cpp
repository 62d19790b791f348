// SPDX-License-Identifier: BSD-3-Clause
// Error messages: pvm_perror, pvm_strerror, and lpvmerr, which programs call although it is not
// documented.
#include <fmt/format.h>
#include <unistd.h>

#include "frontends/pvm3/call.hpp"

namespace earl::pvm {

namespace {

constexpr int after_abort = 128 + 6;

enum AutoErr { silent = 0, print = 1, print_and_exit = 2, print_and_abort = 3 };

}  // namespace

char const* text_of(int code) {
  // Not pvm_nerr: a program may have written to it.
  bool const known = code <= 0 && -code < static_cast<int>(std::size(pvm_errlist));
  return known ? pvm_errlist[-code] : "Unknown Error";
}

std::string own_name(State& state) {
  if (state.enrolled()) return fmt::format("libpvm [t{:x}]", state.tid());
  return fmt::format("libpvm [pid{}]", getpid());
}

std::string line_about(State& state, std::string_view what, std::string_view text) {
  return fmt::format("{}: {}: {}", own_name(state), what, text);
}

int failed(State& state, char const* name, int code) {
  state.me.cell(pvm_errno) = code;
  int const manners = state.me.cell(pvmautoerr);
  if (manners == silent) return code;
  auto const line = line_about(state, fmt::format("{}()", name), text_of(code));
  if (manners == print_and_exit) state.me.end(code & 0xff, line);
  if (manners == print_and_abort) state.me.end(after_abort, line);
  state.me.print_line(line);
  return code;
}

int failed(Process* me, char const* name, Error const& error) {
  if (!me) return pvm_errno = PvmSysErr;
  State& state = state_of(*me);
  if (state.me.cell(pvmautoerr) != silent) {
    me->print_line(line_about(state, fmt::format("{}()", name), error.what()));
  }
  return failed(state, name, code_of(error.fault()));
}

}  // namespace earl::pvm

using namespace earl;

extern "C" {

int lpvmerr(char const* name, int code) {
  return pvm::quiet_call(
      "lpvmerr", [&](pvm::State& s) { return pvm::failed(s, name ? name : "lpvmerr", code); });
}

int pvm_perror(char* message) {
  return pvm::call("pvm_perror", [&](pvm::State& s) {
    s.me.print_line(
        pvm::line_about(s, message ? message : "(null)", pvm::text_of(s.me.cell(pvm_errno))));
    return PvmOk;
  });
}

char* pvm_strerror(void) {
  auto* me = boot::process();
  return const_cast<char*>(pvm::text_of(me ? me->cell(pvm_errno) : pvm_errno));
}

}  // extern "C"
