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

namespace earl {

class Engine;

class RequestTable {
 public:
  RequestTable(Engine& engine, Endpoint& endpoint, HandlerQueue& handlers)
      : engine_(engine), endpoint_(endpoint), port_(*endpoint.port), handlers_(handlers) {}

  // As Process's functions of the same names.
  Completion wait(RequestId id);
  std::optional<Completion> test(RequestId id);
  std::pair<std::size_t, Completion> wait_any(std::span<const RequestId> ids);
  std::optional<std::pair<std::size_t, Completion>> test_any(std::span<const RequestId> ids);
  std::vector<std::pair<std::size_t, Completion>> wait_some(std::span<const RequestId> ids);
  std::vector<std::pair<std::size_t, Completion>> test_some(std::span<const RequestId> ids);
  std::vector<Completion> wait_all(std::span<const RequestId> ids);
  std::optional<std::vector<Completion>> test_all(std::span<const RequestId> ids);
  bool cancel(RequestId id);
  bool send_synchronous(Envelope const& to, Gather const& bytes);

  // --- for the other parts
  Request& take() { return requests_.take(); }
  static RequestId name_of(Request const& request) {
    return RequestId{Slab<Request>::name_of(request)};
  }
  /// Throws Error when there is no such request.
  Request& find(RequestId id);
  /// The request is complete: its handler is due, if it has one.
  void finished(Request& request) {
    request.state = Request::State::complete;
    handlers_.completed(request);
  }
  /// Gives the request's memory back, and what came of it to the caller.
  Completion release(Request& request) {
    const Completion result = request.result;
    if (request.take | request.watched) [[unlikely]]
      finish_release(request);
    requests_.give_back(request);
    return result;
  }
  /// As release(), of a receive of a whole message.
  Message take_message(Request& request) {
    Message message{request.result.envelope, request.result.id, std::move(request.body)};
    release(request);
    return message;
  }

 private:
  std::vector<Request*> find_all(std::span<const RequestId> ids);
  [[gnu::cold, gnu::noinline]] void finish_release(Request& request);
  std::vector<std::pair<std::size_t, Completion>> release_some(
      std::span<Request* const> requests, std::span<const std::uint32_t> positions);
  bool ask_debuggers_whether(bool now);
  std::vector<std::uint32_t> ask_debuggers_about(TestOp const& op,
                                                 std::span<Request* const> requests);
  bool cancel_receive(Request& request);
  bool cancel_send(Request& request);
  bool take_back(Request& request);

  Engine& engine_;
  Endpoint& endpoint_;
  Port& port_;
  HandlerQueue& handlers_;
  Slab<Request> requests_;
};

}  // namespace earl
