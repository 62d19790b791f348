// SPDX-License-Identifier: BSD-3-Clause
/// Operations under way, and those that a program starts again and again.
#pragma once

#include <memory>
#include <span>
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

/// The object that a request handle names.
struct Request {
  RequestId core = no_request;  ///< none while inactive, or when there was nothing to wait for
  bool receive = false;
  bool active = true;
  Ref<Communicator> comm{};
  Kept kept{};                           ///< of what the core reads or fills
  std::unique_ptr<Expected> expected{};  ///< of a receive, where types are checked
  std::unique_ptr<Persistent> again{};   ///< null: for once
};

using Requests = Table<Request, Kind::request>;

/// Requests whose handles were freed while they were under way.
class Orphans {
 public:
  /// Looks, now and then, for those that are complete.
  void add(Process& process, Request request);

 private:
  void reap(Process& process);

  static constexpr std::size_t first_limit = 64;
  std::vector<Request> requests_{};
  std::size_t limit_ = first_limit;
};

/// The active requests of one call. Positions are those of the program's array.
struct Selection {
  std::vector<RequestId> ids{};  ///< under way
  std::vector<int> positions{};  ///< of `ids`
  std::vector<int> ready{};      ///< positions of those that there is nothing to wait for
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
