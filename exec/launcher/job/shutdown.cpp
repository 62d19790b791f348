// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/job/shutdown.hpp"

#include <csignal>

namespace earl::exec {

namespace {

constexpr auto grace = std::chrono::seconds{1};  ///< between one signal and the next harder one

}  // namespace

void Shutdown::begin(int exit_code, int signal) {
  if (begun()) return;
  if (!exit_code_) exit_code_ = exit_code;
  send(signal, false);
}

void Shutdown::interrupted(int signal, bool by_terminal) {
  if (begun()) {
    hurried_ = true;
    return client_.signal_all(SIGKILL, false);
  }
  exit_code_ = 128 + signal;
  send(signal, by_terminal);
}

void Shutdown::send(int signal, bool by_terminal) {
  signal_ = signal;
  client_.signal_all(signal, by_terminal);
  loop_.after(grace, [this] { escalate(); });
}

void Shutdown::escalate() {
  if (!client_.has_members() || signal_ == SIGKILL) return;
  send(signal_ == SIGTERM ? SIGKILL : SIGTERM, false);
}

void Shutdown::finish() {
  if (!begun()) signal_ = SIGKILL;
}

}  // namespace earl::exec
