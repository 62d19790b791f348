// SPDX-License-Identifier: BSD-3-Clause
/// Standard, 3.8 and 3.9: starting planned operations, freeing and cancelling.
#include "frontends/mpi/requests.hpp"

#include <algorithm>

#include "frontends/mpi/call.hpp"
#include "generic/request_table.hpp"

namespace earl::mpi {

RarelyNeeded::~RarelyNeeded() = default;

void Orphans::add(Process& process, Request request) {
  if (requests_.size() >= limit_) {
    reap(process);
    limit_ = std::max(first_limit, 2 * requests_.size());
  }
  // The program may write to its buffer when it knows otherwise that the message has come.
  process.requests().unwatch_send(request.core);
  requests_.push_back(std::move(request));
}

Request* Orphans::find(RequestId core) {
  auto const found = std::ranges::find(requests_, core, &Request::core);
  return found != requests_.end() ? &*found : nullptr;
}

void Orphans::reap(Process& process) {
  std::erase_if(requests_, [](Request const& one) { return one.core == no_request; });
  std::vector<RequestId> ids;
  ids.reserve(requests_.size());
  for (auto const& one : requests_) ids.push_back(one.core);
  std::vector<Completed> done(ids.size());
  done.resize(process.requests().test_some(ids, done));
  for (auto const& one : done) requests_[one.position].core = no_request;
  std::erase_if(requests_, [](Request const& one) { return one.core == no_request; });
}

namespace {

/// Class REQUEST.
Request& named(State& me, Handle request) {
  if (auto* const found = me.requests().find(request)) return *found;
  handle::refuse(request, Kind::request, "request");
}

void begin(State& me, Request& request) {
  Persistent& plan = *request.again();
  if (plan.send && plan.send->buffered)
    me.buffered_sends().send(me.process(), plan.send->to, plan.send->data.pieces);
  else if (plan.send)
    request.core = me.process().requests().start_send(plan.send->to, plan.send->data.pieces);
  else if (plan.receive)
    request.core = me.process().start_receive(plan.receive->spec, plan.receive->room.pieces);
  request.active = true;
}

void start(State& me, Handle handle) {
  Request& request = named(me, handle);
  if (!request.again())
    throw MpiError(
        ErrorClass::request,
        "request is {:#x}, which was started when it was made: start those of MPI_*_init",
        handle::bits(handle));
  if (request.active)
    throw MpiError(ErrorClass::request, "request is {:#x}, which is active: wait for it first",
                   handle::bits(handle));
  me.use_handler_of(*request.comm);
  begin(me, request);
  me.clear_error_handler();
}

void start_all(State& me, int count, MPI_Request* requests) {
  for (auto const one : checked_requests(count, requests)) start(me, one);
}

void free_request(State& me, Handle& handle) {
  named(me, handle);
  Request request = me.requests().close(handle);
  handle = MPI_REQUEST_NULL;
  if (request.core != no_request) me.orphans().add(me.process(), std::move(request));
}

void cancel(State& me, Handle handle) {
  Request const& request = named(me, handle);
  if (!request.active)
    throw MpiError(ErrorClass::request, "request is {:#x}, which is not active: start it first",
                   handle::bits(handle));
  if (request.core != no_request) me.process().cancel(request.core);
}

}  // namespace
}  // namespace earl::mpi

namespace mpi = earl::mpi;
using mpi::State;

extern "C" int PMPI_Start(MPI_Request* request) {
  return mpi::call("MPI_Start", MPI_COMM_WORLD,
                   [&](State& me) { mpi::start(me, mpi::require(request, "request")); });
}
EARL_MPI(Start)

extern "C" int PMPI_Startall(int count, MPI_Request* array_of_requests) {
  return mpi::call("MPI_Startall", MPI_COMM_WORLD,
                   [&](State& me) { mpi::start_all(me, count, array_of_requests); });
}
EARL_MPI(Startall)

extern "C" int PMPI_Request_free(MPI_Request* request) {
  return mpi::call("MPI_Request_free", MPI_COMM_WORLD,
                   [&](State& me) { mpi::free_request(me, mpi::require(request, "request")); });
}
EARL_MPI(Request_free)

extern "C" int PMPI_Cancel(MPI_Request* request) {
  return mpi::call("MPI_Cancel", MPI_COMM_WORLD,
                   [&](State& me) { mpi::cancel(me, mpi::require(request, "request")); });
}
EARL_MPI(Cancel)

extern "C" int PMPI_Test_cancelled(MPI_Status const* status, int* flag) {
  return mpi::call("MPI_Test_cancelled", MPI_COMM_WORLD, [&](State&) {
    mpi::require(flag, "flag") = mpi::cancelled_in(mpi::require(status, "status")) ? 1 : 0;
  });
}
EARL_MPI(Test_cancelled)
