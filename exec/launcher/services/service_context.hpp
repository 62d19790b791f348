// SPDX-License-Identifier: BSD-3-Clause
/// The seam between a job and the services that answer requests of its processes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "exec/launcher/roster/roster.hpp"
#include "generic/message/header.hpp"
#include "generic/services/notices.hpp"
#include "generic/services/operations.hpp"

namespace earl::exec {

/// A request that has been taken in and has no answer yet; its owner answers it once, now or
/// when a later request or a death makes the answer known.
struct PendingReply {
  Rank to{};  ///< or the process's id (see process_of())
  std::uint32_t ticket = 0;
  std::uint32_t operation = 0;
};

/// The operations of a job for its services. Services are called in the order that debuggers allow
/// and record (JobInterceptor); their answers may depend on earlier calls and on nothing else.
class ServiceContext {
 public:
  /// To a process that has ended meanwhile: nothing happens.
  virtual void send_answer(PendingReply const& reply, Bytes answer) = 0;
  /// A packet for the matcher of `to` (or what it goes by), from exec_rank.
  virtual void send_message(Rank to, Header const& header, Bytes payload) = 0;
  virtual Roster const& roster() const = 0;
  /// The job's hosts as programs see them.
  virtual HostList hosts() const = 0;

  template <class Answer>
  void answer(PendingReply const& reply, Answer const& what) {
    Writer bytes;
    bytes(what);
    send_answer(reply, bytes.bytes());
  }

 protected:
  ~ServiceContext() = default;
};

/// Why a process has no answer yet.
struct WaitReason {
  std::string what{};        ///< that it waits for, as text
  std::vector<Rank> from{};  ///< processes that may do something about it
  bool all = false;          ///< and all of them must
  bool others = true;        ///< so may a process that is not among them
};

/// Something that keeps state for processes between their requests. Requests come through functions
/// of its own, called from the table in exec/launcher/job/requests.cpp.
class Service {
 public:
  virtual ~Service() = default;
  /// `rank` has ended, and all its earlier requests have been taken in. A process that waits for
  /// that may be answered; the ended one's own pending replies are to be forgotten.
  virtual void died(Rank rank, int wait_status) = 0;
  /// Null: this service owes it no answer.
  virtual std::optional<WaitReason> wait_reason_of(Rank /*rank*/) const { return std::nullopt; }
};

}  // namespace earl::exec
