// SPDX-License-Identifier: BSD-3-Clause
/// The sends and receives under way: waiting for them, testing them, taking them back.
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "generic/endpoint.hpp"
#include "generic/handler_queue.hpp"
#include "generic/operation.hpp"
#include "generic/watched_sends.hpp"

namespace earl {

class Engine;

class RequestTable {
 public:
  RequestTable(Engine& engine, Endpoint& endpoint, HandlerQueue& handlers)
      : engine_(engine), endpoint_(endpoint), port_(*endpoint.port), handlers_(handlers) {}

  // --- starting, for front ends whose programs start many
  /// Like Process::start_send(), but `no_request` for a send that is over: its bytes may be reused.
  /// One that debugger or handler may want to know of has a request.
  [[nodiscard]] RequestId start_send(Envelope const& to, Gather const& bytes);
  /// Like Process::start_receive(), for the commonest of specs; a longer message is cut.
  [[nodiscard]] RequestId start_receive(NarrowSpec spec, Scatter const& room);

  // --- for front ends; a released id is Fault::bad_request from then on. What they write to the
  // caller's memory has room for one result each. None allocates, but for the first calls with so
  // many requests.
  /// Waits until at least one is complete; gives and releases the one that was complete first.
  Completed wait_any(std::span<const RequestId> ids);
  /// Like wait_any() when one is complete, else null and all stay.
  std::optional<Completed> test_any(std::span<const RequestId> ids);
  /// Waits until at least one is complete; writes and releases all that are, in the list's order.
  /// Says how many.
  std::size_t wait_some(std::span<const RequestId> ids, std::span<Completed> completed);
  /// Like wait_some(), but does not wait; 0: none is complete.
  std::size_t test_some(std::span<const RequestId> ids, std::span<Completed> completed);
  /// Waits for every one; the results are in the list's order.
  void wait_all(std::span<const RequestId> ids, std::span<Completion> results);
  /// Like wait_all() when every one is complete, else false and all stay.
  bool test_all(std::span<const RequestId> ids, std::span<Completion> results);

  // --- as Process's functions of the same names
  Completion wait(RequestId id);
  std::optional<Completion> test(RequestId id);
  bool cancel(RequestId id);
  bool send_synchronous(Envelope const& to, Gather const& bytes);

  /// The program does not complete this send by a call: it gets to know otherwise that it is over.
  void unwatch_send(RequestId id) { watched_sends_.remove(id); }

  // --- for the other parts
  Request& take() { return requests_.take(); }
  /// For a debugger that watches sends: of the memory that the program sends.
  void watch_send(RequestId id, Gather const& memory) { watched_sends_.add(id, memory); }
  static RequestId name_of(Request const& request) {
    return RequestId{Slab<Request>::name_of(request)};
  }
  /// Throws Error when there is no such request.
  Request& find(RequestId id);
  /// Whether waits for it end: it is complete, also in the sense of Interceptor::stands_still().
  bool is_over(Request const& request) const {
    return request.complete() && (!endpoint_.debugger || may_end(request));
  }
  /// The request is complete: its handler is due, if it has one.
  void finished(Request& request) {
    mark_complete(request);
    handlers_.completed(request);
  }
  /// Gives the request's memory back, and what came of it to the caller.
  Completion release(Request& request) {
    Completion result = request.result;
    drop(request);
    return result;
  }
  /// Like release(), of a receive of a whole message.
  Message take_message(Request& request) {
    Message message{request.result.envelope, request.result.id, std::move(request.body)};
    release(request);
    return message;
  }

 private:
  bool may_end(Request const& complete) const;
  void drop(Request& request) {
    if (request.take | request.watched) [[unlikely]]
      finish_release(request);
    requests_.release(request);
  }
  /// The memory of one call about several requests.
  struct Lists {
    std::vector<Request*> requests{};
    std::vector<std::uint32_t> positions{};  ///< of those that are complete
  };
  /// Lists out of a stock, to which they go back: a handler that runs meanwhile may need others.
  class BorrowedLists {
   public:
    explicit BorrowedLists(RequestTable& table);
    ~BorrowedLists() { stock_.push_back(std::move(lists_)); }
    BorrowedLists(BorrowedLists const&) = delete;
    BorrowedLists& operator=(BorrowedLists const&) = delete;
    Lists* operator->() { return &lists_; }
    Lists& operator*() { return lists_; }

   private:
    std::vector<Lists>& stock_;
    Lists lists_{};
  };

  void mark_complete(Request& request) {
    request.completed = ++completions_;
    request.state = Request::State::complete;
  }
  void find_all(std::span<const RequestId> ids, Lists& lists);
  [[gnu::cold, gnu::noinline]] void finish_release(Request& request);
  std::size_t release_some(Lists const& lists, std::span<Completed> completed);
  Completed release_one(Lists const& lists);
  bool ask_debuggers_whether(bool now);
  void ask_debuggers_about(TestOp const& op, Lists& lists);
  static void list_complete(TestOp const& op, Lists& lists);
  bool cancel_receive(Request& request);
  bool cancel_send(Request& request);
  bool take_back(Request& request);

  Engine& engine_;
  Endpoint& endpoint_;
  Port& port_;
  HandlerQueue& handlers_;
  Slab<Request> requests_;
  std::uint64_t completions_ = 0;
  std::vector<Lists> stock_{};
  WatchedSends watched_sends_{};
};

}  // namespace earl
