// SPDX-License-Identifier: BSD-3-Clause
/// Operations under way, and those that a program starts again and again.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "frontends/mpi/communicators.hpp"
#include "frontends/mpi/datatypes.hpp"
#include "frontends/mpi/translate.hpp"
#include "frontends/mpi/type_checks.hpp"
#include "generic/process.hpp"

namespace earl::mpi {

/// A send or a receive that MPI_Start does again. With MPI_PROC_NULL there is neither.
struct SendPlan {
  Envelope to{};
  Outgoing data{};
  bool buffered = false;  ///< through the buffer attached
};
struct ReceivePlan {
  MatchSpec spec{};
  Incoming room{};
};
struct Persistent {
  std::unique_ptr<SendPlan> send{};
  std::unique_ptr<ReceivePlan> receive{};
};

/// The members that few requests have.
struct RarelyNeeded {
  ~RarelyNeeded();                       // not inlined
  Kept kept{};                           ///< of what the core reads or fills
  std::unique_ptr<Expected> expected{};  ///< of a receive, where types are checked
  std::unique_ptr<Persistent> again{};   ///< null: for once
};

/// The object that a request handle names.
struct Request {
  RequestId core = no_request;  ///< none while inactive, or when there is nothing to wait for
  bool receive = false;
  bool active = true;
  Ref<Communicator> comm{};
  std::unique_ptr<RarelyNeeded> more{};  ///< null: none of them

  /// Null: for once.
  Persistent* again() const { return more ? more->again.get() : nullptr; }
  void keep(Kept kept) {
    if (!kept.pattern) return;
    more = std::make_unique<RarelyNeeded>();
    more->kept = std::move(kept);
  }
};

using Requests = Table<Request, Kind::request>;

/// Requests whose handles were freed while they were under way.
class Orphans {
 public:
  /// Looks, now and then, for those that are complete.
  void add(Process& process, Request request);
  /// Null: it is complete, or its handle was not freed.
  Request* find(RequestId core);

 private:
  void reap(Process& process);

  static constexpr std::size_t first_limit = 64;
  std::vector<Request> requests_{};
  std::size_t limit_ = first_limit;
};

/// One of a call's active requests, and its position in the program's array.
struct Selected {
  Request* request = nullptr;
  int position = 0;
};
/// All of them.
struct Selection {
  std::vector<RequestId> ids{};    ///< under way
  std::vector<Selected> waited{};  ///< of `ids`
  std::vector<Selected> ready{};   ///< those that there is nothing to wait for
  // Room for what comes of those under way.
  std::vector<Completion> results{};
  std::vector<Completed> completed{};
  bool none() const { return ids.empty() && ready.empty(); }
};

/// The requests of a call. Classes COUNT and ARG.
inline std::span<Handle> checked_requests(int count, Handle* requests) {
  return checked_array(count, requests, "array_of_requests", ErrorClass::count);
}

}  // namespace earl::mpi
