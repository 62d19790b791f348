// SPDX-License-Identifier: BSD-3-Clause
#include "generic/handler_queue.hpp"

#include <algorithm>

#include "generic/base/error.hpp"

namespace earl {

void HandlerQueue::attach(Request& request, CompletionHandler handler) {
  in_use_ = true;
  request.handled = true;
  request.handler = handler;
  request.handler_number = ++attached_;
  if (request.complete()) completed(request);
}

FilterId HandlerQueue::add_filter(MatchSpec const& spec, MessageHandler handler) {
  EARL_CHECK(user_visible(spec), "a filter for messages of Earl's own");
  in_use_ = true;
  filters_.push_back({.id = FilterId{++last_filter_}, .spec = spec, .handler = handler});
  return filters_.back().id;
}

bool HandlerQueue::remove_filter(FilterId id) {
  return std::erase_if(filters_, [&](Filter const& filter) { return filter.id == id; }) != 0;
}

bool HandlerQueue::may_end_waits() const {
  return attached_ != 0 || running_ || std::ranges::any_of(filters_, [](Filter const& filter) {
           return !filter.handler.only_answers || !*filter.handler.only_answers;
         });
}

Filter const* HandlerQueue::filter_for(Envelope const& envelope) const {
  auto const found = std::find_if(filters_.rbegin(), filters_.rend(), [&](Filter const& filter) {
    return filter.spec.accepts(envelope);
  });
  return found == filters_.rend() ? nullptr : &*found;
}

/// A message may have been taken by another receive meanwhile, or its filter may be gone.
std::optional<PendingHandler> HandlerQueue::next() {
  while (!due_.empty()) {
    const PendingHandler due = due_.front();
    due_.pop_front();
    if (due.request) return due;
    bool const there = due.arrival->generation == due.generation;
    if (there && filter_for(due.arrival->envelope)) return due;
  }
  return std::nullopt;
}

std::optional<PendingHandler> HandlerQueue::take(std::uint64_t handler) {
  auto const found = std::find_if(due_.begin(), due_.end(), [&](PendingHandler const& due) {
    return due.request && due.request->handler_number == handler;
  });
  if (found == due_.end()) return std::nullopt;
  const PendingHandler due = *found;
  due_.erase(found);
  return due;
}

}  // namespace earl
