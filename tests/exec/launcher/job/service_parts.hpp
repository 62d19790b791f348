// SPDX-License-Identifier: BSD-3-Clause
/// The parts of a job that processes ask for other processes, for unit tests: real child processes
/// on this host, with a back end that only records its calls.
#pragma once

#include <sys/socket.h>
#include <sys/wait.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "exec/launcher/job/forked_processes.hpp"
#include "exec/launcher/job/service_messages.hpp"
#include "tests/exec/launcher/job/launch_parts.hpp"

namespace earl::exec {

/// A child of this process that sleeps until it is killed.
class SleepingProcess {
 public:
  SleepingProcess() {
    auto* const catch2 = ::signal(SIGTERM, SIG_DFL);  // which would report it as a failure
    pid_ = ::fork();
    if (pid_ == 0)
      for (;;) ::pause();
    ::signal(SIGTERM, catch2);
  }
  ~SleepingProcess() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  SleepingProcess(SleepingProcess const&) = delete;
  SleepingProcess& operator=(SleepingProcess const&) = delete;
  pid_t pid() const { return pid_; }

 private:
  pid_t pid_ = 0;
};

/// A program that sleeps for a minute. EXEC starts scripts, too.
class SleepingScript {
 public:
  SleepingScript() {
    if (!::mkdtemp(folder_.data())) throw Error("no temporary folder");
    std::ofstream(path()) << "#!/bin/sh\nexec sleep 60\n";
    std::filesystem::permissions(path(), std::filesystem::perms::owner_all);
  }
  ~SleepingScript() { std::filesystem::remove_all(folder_); }
  SleepingScript(SleepingScript const&) = delete;
  SleepingScript& operator=(SleepingScript const&) = delete;
  std::string path() const { return folder_ + "/sleeper"; }

 private:
  std::string folder_ = std::filesystem::temp_directory_path() / "earl-service-XXXXXX";
};

/// EXEC's end of a control channel, and the process's.
struct ChannelPair {
  ChannelPair() {
    int ends[2] = {-1, -1};
    REQUIRE(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) == 0);
    exec = Descriptor(ends[0]);
    process = Descriptor(ends[1]);
  }
  /// The next message that EXEC has sent; null: none.
  std::optional<control::Message> received() {
    std::array<std::byte, control::most_packet> room{};
    auto const size = ::recv(process.get(), room.data(), room.size(), 0);
    if (size <= 0) return std::nullopt;
    return incoming.take(Bytes{room}.first(static_cast<std::size_t>(size)));
  }
  /// EXEC has closed its end.
  bool closed() {
    std::byte one{};
    while (::recv(process.get(), &one, 1, 0) > 0) {
    }
    return ::recv(process.get(), &one, 1, 0) == 0;
  }

  Descriptor exec;
  Descriptor process;
  control::Assembler incoming;
};

struct ServiceParts : LaunchParts, DeadlockMonitor::Client, RowAllocator::Client {
  bool ending() const override { return shutdown.begun(); }
  bool accepts_guests() const override { return false; }
  void read_output() override {}
  std::vector<Rank> being_served() const override { return {}; }
  void report(std::string_view) override {}
  void end(int) override {}
  bool has_work_of(Rank) const override { return false; }
  void releasing(Child const&) override {}
  bool some_leave() const override { return false; }
  void room_changed() override {}

  ~ServiceParts() override {
    for (auto& [rank, child] : children.all()) {
      channels.close(child);
      if (!child.alive() || child.origin != Origin::started || child.rank_channel) continue;
      ::kill(child.pid, SIGKILL);
      ::waitpid(child.pid, nullptr, 0);
    }
  }

  /// A member with a channel of its own; `line` has the process's end.
  Child& add_member(ChannelPair& line) {
    auto& child = add_running();
    child.rank_channel = nullptr;
    child.origin = Origin::guest;
    child.registered_pid = ::getpid();
    channels.adopt(child, std::move(line.exec), {.rank = child.rank, .back_end = {}, .tools = {}},
                   {});
    CHECK(line.received()->type == control::Type::welcome);
    return child;
  }

  DeadlockMonitor monitor{{loop, channels, children, roster, interceptors, {}, false}, *this};
  ServiceMessages messages{{channels, children, roster, monitor, remote}};
  RowAllocator rows{{loop, children, roster, back_end, interceptors, 0, false}, *this};
  Guests guests{{plan, loop, output, channels, children, roster, back_end, services, rows, *this}};
  LocalLauncher local{launching, null.get()};
  std::optional<SharedProcessLauncher> shared;
  ProcessStarter starter{
      launching, {output, children, roster, placement, rows, guests, local, shared, remote}};
  ProcessService processes{launching,
                           {loop, output, children, roster, placement, rows, shutdown, delivery,
                            guests, starter, messages}};
  Partitions partitions{roster};
  Waits waits{messages};
  PartitionService loading{
      {output, children, roster, rows, guests, starter, processes, partitions, waits}};
  ForkedProcesses forked{
      launching,
      {loop, children, roster, shutdown, processes, loading, partitions, waits, *this, false}};
};

}  // namespace earl::exec
