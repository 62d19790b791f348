// SPDX-License-Identifier: BSD-3-Clause
/// The process that all ranks of a job live in, on back ends of that kind: its end of the line to
/// EXEC. The ranks themselves are the back end's (generic/seams/shared_process.hpp).
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>

#include "exec/runtime/branch.hpp"
#include "exec/runtime/branch_server.hpp"
#include "exec/runtime/checkpoint.hpp"
#include "exec/runtime/line.hpp"
#include "generic/process.hpp"
#include "generic/seams/backend.hpp"

namespace earl::boot {

class RankLine;

/// The common parts of all Processes of a shared process.
struct SharedProcessParts {
  control::Welcome welcome;
  std::vector<Descriptor> descriptors;  ///< the back end's
  IdTable table;
};

class SharedProcessLine final : public SharedProcessHost {
 public:
  /// Front ends that are loaded from now on make no Process. Throws Error.
  /// `branches`: the line of a command that wants the job's runs forked; none: EXEC's job runs.
  SharedProcessLine(Descriptor line, Backend const& back_end, Descriptor branches = {});
  ~SharedProcessLine();

  SharedProcess const& shared_process() const { return *shared_process_; }
  /// Runs ranks until EXEC closes the line; in a branch, until all have ended.
  void run();
  /// Waits until EXEC has dealt with all that ranks have said, and does what it says meanwhile: so
  /// a run depends on nothing but the order in which ranks run.
  void await_handled();
  /// A rank says something that await_handled() waits for.
  void expect() { ++expected_; }
  /// A word of the rank's to EXEC.
  void pass(Rank rank, control::Type type, std::uint32_t ticket, std::uint32_t operation,
            Bytes body);

  Process& enrol(Rank rank) override;
  void report_failure(Rank rank, int exit_code, std::string_view why) override;
  void printed(Rank rank, int stream, std::string_view text) override;
  std::string calls(void const* context, std::uintptr_t place,
                    std::span<Loaded const> loaded) override;
  void ended(Rank rank, int wait_status) override;

 private:
  struct LoadedRank {
    std::vector<control::Message> early{};  ///< to a rank that has no Process yet
    RankLine* line = nullptr;               ///< once it has its Process, which owns it
    Process* process = nullptr;             ///< the same
  };

  bool receive();
  void become_branch();
  void note_checkpoint(Descriptor line, std::uint32_t milliseconds);
  void become_other_branch();
  void say_stuck() const;
  void handle(control::Message message, std::vector<Descriptor> descriptors);
  void welcomed(control::Welcome welcome, std::vector<Descriptor> descriptors);
  void load(control::RankLaunchRequest const& request, std::vector<Descriptor> descriptors);
  void deliver(control::RankMessage passed);
  void wait_for_exec(Deadline deadline);
  void sleep_until(Deadline again);

  Descriptor line_;
  Descriptor printing_{};
  std::optional<BranchServer> server_{};
  std::optional<Branch> branch_{};          ///< once this process is one
  std::optional<Checkpoint> checkpoint_{};  ///< that it is to be
  MutableBytes own_table_{};                ///< the id table that branches change
  std::unique_ptr<SharedProcess> shared_process_;
  std::unordered_map<std::int32_t, LoadedRank> loaded_;
  std::optional<SharedProcessParts> parts_{};  ///< once EXEC has said them
  control::ProgramDescription program_{};      ///< of the ranks that come now
  control::Assembler incoming_{};
  std::vector<Descriptor> arrived_{};  ///< with the parts of a message that is not whole yet
  std::vector<std::byte> room_ = std::vector<std::byte>(control::most_packet);
  int expected_ = 0;
  std::uint64_t traffic_ = 0;  ///< between ranks, when they last sent each other something
  Clock::duration pause_{};    ///< before EXEC is notified that they have sent nothing for a while
  Deadline quiet_again_{};     ///< when it ends
  bool begun_ = false;
};

/// A rank's part of the shared process's line. After each request the shared process waits until
/// EXEC has dealt with it. Ends of ranks are dealt with before the next request, and before ranks
/// run on after a look at the line.
class RankLine final : public Line {
 public:
  RankLine(Rank rank, SharedProcessLine& host, SharedProcess& shared_process)
      : rank_(rank), host_(host), shared_process_(shared_process) {}

  void ask(std::uint32_t ticket, std::uint32_t operation, Bytes request) override;
  void poll(ExecutiveSink& sink) override;
  void print(std::string_view line) override { shared_process_.print(line); }
  [[noreturn]] void exit(int code) override;
  [[noreturn]] void quit(int code) override;
  /// EXEC has announced the end; poll() handles it.
  void deliver(control::Message message) { said_.push_back(std::move(message)); }

 private:
  void send(control::Type type, std::uint32_t ticket, std::uint32_t operation,
            Bytes body) override {
    host_.pass(rank_, type, ticket, operation, body);
  }

  Frame locate(void const* address) const override;
  bool may_be_woken() const override { return shared_process_.may_be_woken(); }

  Rank rank_;
  SharedProcessLine& host_;
  SharedProcess& shared_process_;
  std::deque<control::Message> said_{};
};

/// In exec/runtime/boot.cpp. Front ends that are loaded from now on find no job: each rank gets its
/// own.
void become_shared_process();
/// The functions that front ends call for their program there.
void set_shared_process(SharedProcess const& shared_process);
/// The first of the descriptors that came with a welcome. Throws Error.
IdTable map_table(std::span<Descriptor const> descriptors);
/// The same, but changes stay in this process.
MutableBytes map_own_table(std::span<Descriptor const> descriptors);
/// Throws Error when EXEC is of another version.
void check_version(control::Welcome const& welcome);
/// Makes the rank's Process, and current. EXEC knows of it already. Throws Error.
Process& make_rank(SharedProcessParts const& parts, Rank rank, std::unique_ptr<RankLine> line);
/// The debuggers of a fork go on with these arguments. Throws Error when one cannot.
void continue_debuggers(Process& process, std::span<control::ToolUse const> uses);

}  // namespace earl::boot
