// SPDX-License-Identifier: BSD-3-Clause
/// Filters of the program, and the handlers that are due: which one runs next. The engine runs it.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "generic/handlers.hpp"
#include "generic/operation.hpp"

namespace earl {

/// A standing filter.
struct Filter {
  FilterId id{};
  MatchSpec spec{};
  MessageHandler handler{};
};

/// The cause of a due handler: a request that is complete, or a message that a filter may want.
struct PendingHandler {
  Request* request = nullptr;
  Arrival* arrival = nullptr;
  std::uint32_t generation = 0;  ///< of the arrival; another one: the message has been taken
};

class HandlerQueue {
 public:
  /// There have been handlers: waits run them.
  bool in_use() const { return in_use_; }
  /// A message may run a handler by which waits end, its own process's too.
  bool may_end_waits() const;
  /// There have been filters: they may take what a receive asks for.
  bool contested() const { return last_filter_ != 0; }
  bool has_filters() const { return !filters_.empty(); }

  /// `handler` runs once the request is complete.
  void attach(Request& request, CompletionHandler handler);
  FilterId add_filter(MatchSpec const& spec, MessageHandler handler);
  /// False: there is no such filter.
  bool remove_filter(FilterId id);
  /// The youngest filter that accepts the message; null: none.
  Filter const* filter_for(Envelope const& envelope) const;

  /// A request is complete.
  void completed(Request& request) {
    if (request.handled) [[unlikely]]
      due_.push_back({.request = &request});
  }
  /// A message has come that no receive takes: a filter may.
  void arrived(Arrival& arrival) {
    if (!filters_.empty()) [[unlikely]]
      due_.push_back({.arrival = &arrival, .generation = arrival.generation});
  }
  /// The next handler that is due, no longer waiting; none are.
  std::optional<PendingHandler> next();
  /// The one with this number (Request::handler_number), no longer waiting; null: not yet due.
  std::optional<PendingHandler> take(std::uint64_t handler);

  /// Handlers are run at safepoints, which are counted (HandlerOp::point).
  std::uint64_t next_safepoint() { return ++safepoints_; }
  /// Whether none may run now.
  bool held() const { return masked_ || running_; }
  bool running() const { return running_; }
  /// Holds handlers back, or no longer; says what it was.
  bool mask(bool hold) { return std::exchange(masked_, hold); }

  /// A handler runs while it lives. What that does to the mask ends with it.
  class Run {
   public:
    explicit Run(HandlerQueue& queue)
        : queue_(queue), running_(std::exchange(queue.running_, true)), masked_(queue.masked_) {}
    ~Run() {
      queue_.masked_ = masked_;
      queue_.running_ = running_;
    }
    Run(Run const&) = delete;
    Run& operator=(Run const&) = delete;

   private:
    HandlerQueue& queue_;
    bool running_;
    bool masked_;
  };

 private:
  bool in_use_ = false;
  bool masked_ = false;
  bool running_ = false;
  std::uint64_t safepoints_ = 0;
  std::uint64_t attached_ = 0;  ///< completion handlers so far: HandlerOp::handler
  std::uint64_t last_filter_ = 0;
  std::vector<Filter> filters_;  ///< oldest first
  std::deque<PendingHandler> due_;
};

}  // namespace earl
