// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/events/signals.hpp"

#include <sys/epoll.h>
#include <sys/signalfd.h>

#include <array>
#include <cerrno>

#include "generic/base/error.hpp"

namespace earl::exec {

namespace {

bool ignored(int number) {
  struct sigaction now {};
  return ::sigaction(number, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

}  // namespace

Signals::Signals(Loop& loop, std::function<void(SignalEvent const&)> on_signal)
    : loop_(loop), on_signal_(std::move(on_signal)) {
  // An ignored SIGCHLD would be inherited by exec and make the kernel reap behind our back.
  ::signal(SIGCHLD, SIG_DFL);
  sigset_t wanted{};
  ::sigemptyset(&wanted);
  ::sigaddset(&wanted, SIGCHLD);
  for (int const number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP})
    if (!ignored(number)) ::sigaddset(&wanted, number);
  ::sigprocmask(SIG_BLOCK, &wanted, &before_);
  fd_ = Descriptor(::signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!fd_) throw Error("no descriptor for signals: {}", system_message(errno));
  loop_.watch(fd_.get(), EPOLLIN, [this](std::uint32_t) { ready(); });
}

Signals::~Signals() {
  loop_.remove(fd_.get());  // and nothing else: one more Ctrl-C must not end EXEC before it ends
}

void Signals::stop_here() {
  sigset_t stop{};
  ::sigemptyset(&stop);
  ::sigaddset(&stop, SIGTSTP);
  ::raise(SIGTSTP);
  ::sigprocmask(SIG_UNBLOCK, &stop, nullptr);  // stopped here
  ::sigprocmask(SIG_BLOCK, &stop, nullptr);
}

void Signals::ready() {
  std::array<signalfd_siginfo, 8> infos{};
  auto const n = ::read(fd_.get(), infos.data(), sizeof infos);
  for (std::size_t i = 0; n > 0 && i < static_cast<std::size_t>(n) / sizeof infos[0]; ++i)
    on_signal_({.number = static_cast<int>(infos[i].ssi_signo),
                .sender = static_cast<pid_t>(infos[i].ssi_pid),
                .from_terminal = infos[i].ssi_code == SI_KERNEL});
}

}  // namespace earl::exec
