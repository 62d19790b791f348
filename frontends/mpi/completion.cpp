// SPDX-License-Identifier: BSD-3-Clause
/// Standard, 3.7.3 and 3.7.5: completing operations, one or several.
#include <algorithm>
#include <utility>

#include "frontends/mpi/call.hpp"
#include "frontends/mpi/messages.hpp"
#include "generic/request_table.hpp"

namespace earl::mpi {

namespace {

/// The result for a handle that names nothing that is under way.
void write_empty(MPI_Status* status) {
  if (status == MPI_STATUS_IGNORE) return;
  write(status, {});
  status->MPI_ERROR = MPI_SUCCESS;
}

/// The status of the i-th of several.
MPI_Status* at(MPI_Status* statuses, int i) {
  return statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : statuses + i;
}

Outcome outcome(State const& me, Request const& request, Completion const* got) {
  if (got && got->cancelled) return {.cancelled = true};
  if (!request.receive) return {};
  return got ? me.outcome(*request.comm, *got) : from_proc_null;
}

/// The part of finish() that few requests need. True: it stays, inactive.
[[gnu::noinline]] bool finish_more(State& me, Request& request, Completion const* got) {
  if (request.more->expected && got)
    me.type_checks()->compare(*request.comm, *got, *request.more->expected);
  if (!request.more->again) return false;
  request.active = false;
  request.core = no_request;
  return true;
}

/// A request is complete: its handle is null, or inactive. Null `got`: there was nothing to do.
[[gnu::always_inline]] inline void finish(State& me, Request& request, Handle& handle,
                                          Completion const* got, MPI_Status* status) {
  write(status, outcome(me, request, got));
  bool const stays = request.more && finish_more(me, request, got);
  if (stays) return;
  me.requests().drop(request);
  handle = MPI_REQUEST_NULL;
}

/// Calls finish() and writes the status. Throws the error of the operation.
void complete(State& me, Handle& handle, Completion const* got, MPI_Status* status) {
  Request& request = *me.requests().find(handle);
  if (!got || error_of(*got) == ErrorClass::success) [[likely]]
    return finish(me, request, handle, got, status);
  Ref<Communicator> const comm = request.comm;
  finish(me, request, handle, got, status);
  me.use_handler_of(*comm);
  check(me, *got);
}

/// Null: it is MPI_REQUEST_NULL, or not active. Class REQUEST.
[[gnu::always_inline]] inline Request* active(State& me, Handle request) {
  if (request == MPI_REQUEST_NULL) return nullptr;
  auto* const found = me.requests().find(request);
  if (!found) handle::refuse(request, Kind::request, "request");
  return found->active ? found : nullptr;
}

Selection& select(State& me, std::span<Handle> requests) {
  Selection& chosen = me.empty_selection();
  chosen.ids.reserve(requests.size());
  chosen.waited.reserve(requests.size());
  for (std::size_t i = 0; i < requests.size(); ++i) {
    auto* const request = active(me, requests[i]);
    if (!request) continue;
    Selected const one{request, static_cast<int>(i)};
    if (request->core == no_request) {
      chosen.ready.push_back(one);
      continue;
    }
    chosen.ids.push_back(request->core);
    chosen.waited.push_back(one);
  }
  return chosen;
}

void wait(State& me, Handle& handle, MPI_Status* status) {
  auto const* const request = active(me, handle);
  if (!request) return write_empty(status);
  if (request->core == no_request) return complete(me, handle, nullptr, status);
  auto const got = me.process().wait(request->core);
  complete(me, handle, &got, status);
}

bool test(State& me, Handle& handle, MPI_Status* status) {
  auto const* const request = active(me, handle);
  if (!request) return write_empty(status), true;
  if (request->core == no_request) return complete(me, handle, nullptr, status), true;
  auto const got = me.process().test(request->core);
  if (got) complete(me, handle, &*got, status);
  return got.has_value();
}

/// Among several, one that there is nothing to wait for, or none. True: that decides it.
bool is_decided(State& me, std::span<Handle> requests, Selection const& chosen, int& index,
                MPI_Status* status) {
  if (chosen.none()) {
    index = MPI_UNDEFINED;
    write_empty(status);
    return true;
  }
  if (chosen.ready.empty()) return false;
  index = chosen.ready.front().position;
  complete(me, requests[static_cast<std::size_t>(index)], nullptr, status);
  return true;
}

void wait_any(State& me, std::span<Handle> requests, int& index, MPI_Status* status) {
  Selection const& chosen = select(me, requests);
  if (is_decided(me, requests, chosen, index, status)) return;
  auto const [place, got] = me.process().requests().wait_any(chosen.ids);
  index = chosen.waited[place].position;
  complete(me, requests[static_cast<std::size_t>(index)], &got, status);
}

bool test_any(State& me, std::span<Handle> requests, int& index, MPI_Status* status) {
  Selection const& chosen = select(me, requests);
  if (is_decided(me, requests, chosen, index, status)) return true;
  index = MPI_UNDEFINED;
  auto const done = me.process().requests().test_any(chosen.ids);
  if (!done) return false;
  index = chosen.waited[done->position].position;
  complete(me, requests[static_cast<std::size_t>(index)], &done->result, status);
  return true;
}

bool failed(Completion const& got) { return error_of(got) != ErrorClass::success; }
bool failed(Completed const& one) { return failed(one.result); }

/// Writes the results of several requests. Class IN_STATUS when `some_failed`: then each status has
/// its code, else MPI_ERROR stays as it is.
class Results {
 public:
  Results(State& me, std::span<Handle> requests, MPI_Status* statuses, bool some_failed)
      : me_(me), requests_(requests), statuses_(statuses), some_failed_(some_failed) {}

  /// `got` is null where there was nothing to do.
  void add(Selected const& one, Completion const* got, int place) {
    Handle& handle = requests_[static_cast<std::size_t>(one.position)];
    Request& request = *one.request;
    if (some_failed_ && got && !blamed_ && failed(*got)) blamed_ = request.comm;
    auto* const status = at(statuses_, place);
    finish(me_, request, handle, got, status);
    if (some_failed_ && status != MPI_STATUS_IGNORE)
      status->MPI_ERROR = code_of(got ? error_of(*got) : ErrorClass::success);
    ++count_;
  }
  /// Throws when one has failed.
  void judge() const {
    if (!some_failed_) return;
    me_.use_handler_of(*blamed_);
    throw MpiError(ErrorClass::in_status,
                   "some of {} operations have failed: see MPI_ERROR of their statuses", count_);
  }

 private:
  State& me_;
  std::span<Handle> requests_;
  MPI_Status* statuses_;
  bool some_failed_;
  int count_ = 0;
  Ref<Communicator> blamed_{};  ///< the first that failed is of this one
};

/// All of them are complete, `got` those of `chosen.ids`.
void complete_all(State& me, std::span<Handle> requests, Selection const& chosen,
                  std::span<Completion const> got, MPI_Status* statuses) {
  bool const all_active = chosen.ids.size() + chosen.ready.size() == requests.size();
  for (std::size_t i = 0; !all_active && i < requests.size(); ++i)
    if (!active(me, requests[i])) write_empty(at(statuses, static_cast<int>(i)));
  Results results(me, requests, statuses,
                  std::ranges::any_of(got, [](auto const& one) { return failed(one); }));
  for (auto const& one : chosen.ready) results.add(one, nullptr, one.position);
  for (std::size_t i = 0; i < got.size(); ++i)
    results.add(chosen.waited[i], &got[i], chosen.waited[i].position);
  results.judge();
}

void wait_all(State& me, std::span<Handle> requests, MPI_Status* statuses) {
  Selection& chosen = select(me, requests);
  chosen.results.resize(chosen.ids.size());
  me.process().requests().wait_all(chosen.ids, chosen.results);
  complete_all(me, requests, chosen, chosen.results, statuses);
}

bool test_all(State& me, std::span<Handle> requests, MPI_Status* statuses) {
  Selection& chosen = select(me, requests);
  chosen.results.resize(chosen.ids.size());
  if (!me.process().requests().test_all(chosen.ids, chosen.results)) return false;
  complete_all(me, requests, chosen, chosen.results, statuses);
  return true;
}

/// Where the results of several of `incount` requests go. Class ARG: one has no place.
struct SomeResults {
  int& count;
  int* indices;
  MPI_Status* statuses;

  SomeResults(int incount, int* outcount, int* array_of_indices, MPI_Status* array_of_statuses)
      : count(require(outcount, "outcount")),
        indices(array_of_indices),
        statuses(array_of_statuses) {
    if (incount > 0) check_given(indices, "array_of_indices");
    check_statuses(incount, statuses);
  }
};

/// The count is how many, or MPI_UNDEFINED when none is active.
void some(State& me, std::span<Handle> requests, bool waits, SomeResults const& to) {
  auto& [count, indices, statuses] = to;
  Selection& chosen = select(me, requests);
  count = MPI_UNDEFINED;
  if (chosen.none()) return;
  std::span<Completed> done;
  if (!chosen.ids.empty()) {
    chosen.completed.resize(chosen.ids.size());
    done = chosen.completed;
    done = done.first(waits && chosen.ready.empty()
                          ? me.process().requests().wait_some(chosen.ids, done)
                          : me.process().requests().test_some(chosen.ids, done));
  }
  Results results(me, requests, statuses,
                  std::ranges::any_of(done, [](auto const& one) { return failed(one); }));
  count = 0;
  for (auto const& one : chosen.ready) {
    indices[count] = one.position;
    results.add(one, nullptr, count++);
  }
  for (auto const& [place, got] : done) {
    indices[count] = chosen.waited[place].position;
    results.add(chosen.waited[place], &got, count++);
  }
  results.judge();
}

}  // namespace
}  // namespace earl::mpi

namespace mpi = earl::mpi;
using mpi::require;
using mpi::State;

extern "C" int PMPI_Wait(MPI_Request* request, MPI_Status* status) {
  return mpi::call("MPI_Wait", MPI_COMM_WORLD, [&](State& me) {
    mpi::check_status(status);
    mpi::wait(me, require(request, "request"), status);
  });
}
EARL_MPI(Wait)

extern "C" int PMPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  return mpi::call("MPI_Test", MPI_COMM_WORLD, [&](State& me) {
    mpi::check_status(status);
    require(flag, "flag") = 1;  // an error completes it
    *flag = mpi::test(me, require(request, "request"), status) ? 1 : 0;
  });
}
EARL_MPI(Test)

extern "C" int PMPI_Waitany(int count, MPI_Request* array_of_requests, int* index,
                            MPI_Status* status) {
  return mpi::call("MPI_Waitany", MPI_COMM_WORLD, [&](State& me) {
    mpi::check_status(status);
    mpi::wait_any(me, mpi::checked_requests(count, array_of_requests), require(index, "index"),
                  status);
  });
}
EARL_MPI(Waitany)

extern "C" int PMPI_Testany(int count, MPI_Request* array_of_requests, int* index, int* flag,
                            MPI_Status* status) {
  return mpi::call("MPI_Testany", MPI_COMM_WORLD, [&](State& me) {
    mpi::check_status(status);
    require(flag, "flag") = 1;
    auto const requests = mpi::checked_requests(count, array_of_requests);
    *flag = mpi::test_any(me, requests, require(index, "index"), status) ? 1 : 0;
  });
}
EARL_MPI(Testany)

extern "C" int PMPI_Waitall(int count, MPI_Request* array_of_requests,
                            MPI_Status* array_of_statuses) {
  return mpi::call("MPI_Waitall", MPI_COMM_WORLD, [&](State& me) {
    auto const requests = mpi::checked_requests(count, array_of_requests);
    mpi::check_statuses(count, array_of_statuses);
    mpi::wait_all(me, requests, array_of_statuses);
  });
}
EARL_MPI(Waitall)

extern "C" int PMPI_Testall(int count, MPI_Request* array_of_requests, int* flag,
                            MPI_Status* array_of_statuses) {
  return mpi::call("MPI_Testall", MPI_COMM_WORLD, [&](State& me) {
    require(flag, "flag") = 1;
    auto const requests = mpi::checked_requests(count, array_of_requests);
    mpi::check_statuses(count, array_of_statuses);
    *flag = mpi::test_all(me, requests, array_of_statuses) ? 1 : 0;
  });
}
EARL_MPI(Testall)

extern "C" int PMPI_Waitsome(int incount, MPI_Request* array_of_requests, int* outcount,
                             int* array_of_indices, MPI_Status* array_of_statuses) {
  return mpi::call("MPI_Waitsome", MPI_COMM_WORLD, [&](State& me) {
    auto const requests = mpi::checked_requests(incount, array_of_requests);
    mpi::some(me, requests, true, {incount, outcount, array_of_indices, array_of_statuses});
  });
}
EARL_MPI(Waitsome)

extern "C" int PMPI_Testsome(int incount, MPI_Request* array_of_requests, int* outcount,
                             int* array_of_indices, MPI_Status* array_of_statuses) {
  return mpi::call("MPI_Testsome", MPI_COMM_WORLD, [&](State& me) {
    auto const requests = mpi::checked_requests(incount, array_of_requests);
    mpi::some(me, requests, false, {incount, outcount, array_of_indices, array_of_statuses});
  });
}
EARL_MPI(Testsome)
