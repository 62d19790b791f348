// SPDX-License-Identifier: BSD-3-Clause
/// Functions of the program that run because a message has moved: NX's hrecv and hsend, PVM's
/// pvm_addmhf.
///
/// They run inside Earl's calls, on the process's own thread: when a call begins and while it
/// waits, never in the middle of a message and never inside another handler. A handler may do what
/// the program may, blocking calls included.
#pragma once

#include "generic/message/match_spec.hpp"
#include "generic/request.hpp"

namespace earl {

/// For one request, once: it gets the result that wait() would have given.
struct CompletionHandler {
  void (*function)(void* with, Completion const& completion) = nullptr;
  void* with = nullptr;
};

/// For every message that a standing filter accepts; the message is the handler's.
struct MessageHandler {
  void (*function)(void* with, Message message) = nullptr;
  void* with = nullptr;
  /// While it is true the handler does nothing but answer the sender of its message, so that no
  /// other wait ends by it; must stay as long as the filter. Null: it may do anything.
  bool const* only_answers = nullptr;
};

/// Names a standing filter of one process; never 0, never reused.
enum class FilterId : std::uint64_t {};

class Engine;

/// A process's handlers, as Process::handlers() gives them.
class ProgramHandlers {
 public:
  /// `observed` becomes true with the first handler: API calls run those that are due.
  ProgramHandlers(Engine& engine, bool& observed) : engine_(engine), observed_(observed) {}

  /// Runs `handler` once when the request is complete, and releases the request: no call may wait
  /// for it. If it is cancelled, the handler never runs.
  void on_completion(RequestId request, CompletionHandler handler);
  /// From now on each message that `spec` accepts and no posted receive takes goes to `handler`, of
  /// several filters to the youngest. Memory that `spec` refers to stays until remove_filter().
  FilterId add_filter(MatchSpec const& spec, MessageHandler handler);
  /// False: there is no such filter.
  bool remove_filter(FilterId filter);
  /// True holds handlers back until false, which runs those that are due. Returns the previous
  /// value. A handler's own change ends with it.
  bool mask(bool hold);
  /// Whether the caller is a handler.
  bool running() const;

 private:
  Engine& engine_;
  bool& observed_;
};

}  // namespace earl
