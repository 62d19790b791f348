// SPDX-License-Identifier: BSD-3-Clause
/// A process's dialogue with EXEC: process operations, each a request and an answer that is an
/// input of the run, and EXEC's own messages.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "generic/seams/executive.hpp"
#include "generic/services/exec_messages.hpp"
#include "generic/services/groups.hpp"
#include "generic/services/notices.hpp"
#include "generic/services/operations.hpp"
#include "generic/services/partitions.hpp"
#include "generic/services/store.hpp"

namespace earl {

class Engine;  // generic/engine.hpp

class ExecClient final : private ExecutiveSink {
 public:
  /// `call`: the API call that is under way, kept up to date by the Process.
  ExecClient(Engine& engine, std::unique_ptr<Executive> executive, Call const& call)
      : engine_(engine), executive_(std::move(executive)), call_(call) {}

  // --- processes
  SpawnAnswer spawn(SpawnRequest const& request);
  StatusAnswer signal(SignalRequest const& request);
  StatusAnswer status(Rank rank);
  /// For a report: the calls that this process and `other` are in, as far as is known.
  CallsAnswer calls(Rank other);
  ProcessList processes();
  HostList hosts();
  /// `subject`: for reports, as ExpectedNotices::expect() has it.
  NoticeAnswer notify(NoticeRequest const& request, std::string subject = {});
  /// Leaves groups and takes entries and notices back, as the process's end would.
  void retire();

  // --- processes by place (generic/services/partitions.hpp). Operations on a partition that does
  // not exist answer with nothing found.
  /// The caller becomes the host of the partitions that it allocates or attaches.
  PartitionAnswer allocate(AllocateRequest const& request);
  PartitionAnswer attach(std::string_view name);
  /// Ends all that runs in it and gives the places back.
  CountAnswer release(std::uint32_t partition);
  PartitionList partitions();
  /// Ranks of processes that may not have been loaded yet: messages to them wait. Any place: all
  /// places of the partition; the label must be given.
  ReserveAnswer reserve(Places const& where);
  /// Starts processes; returns when they are started, not when they have registered.
  LoadAnswer load(LoadRequest const& request);
  /// Whether a forked child can become a process of the job.
  bool may_fork() const;
  /// Makes one of a child that waits for its welcome; `line` is EXEC's end of its line.
  LoadAnswer adopt(AdoptRequest const& request, int line);
  /// Starts those that were loaded held.
  CountAnswer unhold(Places const& where);
  /// Waits for the end of one process, or of all, that the places cover and that have not been
  /// waited for.
  WaitAnswer wait_one(Places const& where);
  WaitAnswer wait_all(Places const& where);
  /// Ends processes, the caller too if the places cover it, and drops messages to them.
  CountAnswer end_processes(Places const& where);

  // --- services by name (generic/services/groups.hpp, generic/services/store.hpp). What a name
  // does not fit is a fault in the answer; groups and entries end with the process.
  GroupAnswer join_group(std::string const& name);
  GroupAnswer leave_group(std::string const& name);
  /// Any process may ask.
  Members group_members(std::string const& name);
  /// Waits until as many members as the request says have come.
  GroupAnswer group_barrier(MeetRequest const& request);
  /// Like group_barrier(); no process can join from then on, and one that leaves ends the group.
  GroupAnswer freeze_group(MeetRequest const& request);
  /// Waits until as many processes as the request says have come; they need no group.
  GroupAnswer named_barrier(MeetRequest const& request);
  EventAnswer post_event(std::string const& name);
  EventAnswer clear_event(std::string const& name);
  /// Waits until it is posted.
  EventAnswer wait_event(std::string const& name);
  StoreAnswer put_entry(StorePut const& request);
  /// Reads an entry, deletes it, or waits for it.
  StoreAnswer get_entry(StoreGet const& request);
  StoreListing entries();

  // --- for the engine
  Executive& executive() { return *executive_; }
  /// Takes in what EXEC has written.
  void poll() { executive_->poll(*this); }
  /// Messages or questions of EXEC that wait until nothing else arrives.
  bool has_waiting() const { return !messages_.empty() || !inquiries_.empty(); }
  /// Delivers the messages, or answers the questions; returns the number of messages.
  std::size_t take_waiting();
  /// Requests, answers and messages so far.
  std::uint64_t exchanged() const { return tickets_ + received_; }

 private:
  // ExecutiveSink
  void answered(std::uint32_t ticket, Buffer answer) override;
  void message(Header const& header, Bytes payload) override;
  void inquired(std::uint32_t question) override { inquiries_.push_back(question); }
  Report report() override;
  Call under_way() const override { return call_; }

  /// Waits for the answer, which may come much later; messages move and handlers run meanwhile.
  Buffer ask(Operation operation, Bytes request);
  template <class Answer, class Request>
  Answer ask(Operation operation, Request const& request);

  Engine& engine_;
  std::unique_ptr<Executive> executive_;
  Call const& call_;
  std::uint32_t tickets_ = 0;  ///< requests
  std::unordered_map<std::uint32_t, Buffer> answers_;
  std::uint64_t received_ = 0;  ///< answers and messages
  std::vector<std::pair<Envelope, Buffer>> messages_;
  std::vector<std::uint32_t> inquiries_;
  ExecMessages names_;
};

}  // namespace earl
