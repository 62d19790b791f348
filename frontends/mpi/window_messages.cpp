// SPDX-License-Identifier: BSD-3-Clause
/// The origin's part of one-sided operations, and the window that both share.
#include <algorithm>
#include <array>

#include "frontends/mpi/state.hpp"
#include "frontends/mpi/windows.hpp"
#include "generic/system/heap.hpp"

namespace earl::mpi {

namespace {

/// The program's request that waits for the same; null: it is complete.
Request* open_request(State& me, Window::Fetch const& fetch) {
  auto* const found = me.requests().find(fetch.handle);
  if (found && found->core == fetch.request) return found;
  return me.orphans().find(fetch.request);
}

void finish_fetch(State& me, Window::Fetch const& fetch) {
  if (fetch.handle == MPI_REQUEST_NULL) {
    me.process().wait(fetch.request);
    return;
  }
  auto* const request = open_request(me, fetch);
  if (!request) return;
  me.process().wait(fetch.request);
  request->core = no_request;
}

}  // namespace

Window::Window(Process& owner, Ref<Communicator> members)
    : process(owner),
      scope(std::move(members)),
      epochs(static_cast<std::size_t>(scope->local->size())) {}

void Window::serve() {
  MatchSpec const requests{.context = scope->context,
                           .tag = TagMatch::exactly(tag_of(WindowTag::request))};
  filter = process.handlers().add_filter(requests, {.function =
                                                        [](void* with, earl::Message message) {
                                                          serve_access(*static_cast<Window*>(with),
                                                                       message.envelope.source,
                                                                       message.body.bytes());
                                                        },
                                                    .with = this,
                                                    .only_answers = &only_answers});
}

Window::~Window() {
  if (filter) process.handlers().remove_filter(*filter);
  if (allocated) heap::program_free(allocated);
}

// Never waits for the receiver, which may be the process itself or in a handler.
void Window::send(Rank to, WindowTag tag, Gather const& bytes) {
  process.send({.dest = to, .context = scope->context, .tag = tag_of(tag), .mode = Mode::buffered},
               bytes);
}

void Window::await(int member, WindowTag tag) {
  Rank const from = scope->local->rank_of(member);
  // The answer to oneself is here at once. A loop of such calls must serve others all the same.
  if (from == process.rank()) process.idle();
  auto const got = process.receive(
      {.source = from, .context = scope->context, .tag = TagMatch::exactly(tag_of(tag))}, {});
  if (got.lost)
    throw MpiError(ErrorClass::intern, "rank {} of {} ended and answers no more; see why it ended",
                   member, scope->to_text());
}

void Window::ask(int target, AccessHead head, LayoutWords const& words, Bytes data) {
  head.words = static_cast<std::uint32_t>(words.size());
  std::array const pieces{Bytes{bytes_of(head)}, std::as_bytes(std::span{words}), data};
  send(scope->local->rank_of(target), WindowTag::request, Gather{pieces});
}

void Window::flush(int target) {
  if (direct.in_use()) {
    DirectAccess::complete();
    epochs.set_dirty(target, false);
    return direct.let_others_run(process);
  }
  if (!epochs.is_dirty(target)) return;
  ask(target, {.access = Access::flush});
  await(target, WindowTag::done);
  finish_fetches(target);
}

void Window::flush_all() {
  if (direct.in_use()) {
    DirectAccess::complete();
    epochs.set_all_clean();
    return direct.let_others_run(process);
  }
  for (int target = 0; target < members(); ++target)
    if (epochs.is_dirty(target)) ask(target, {.access = Access::flush});
  for (int target = 0; target < members(); ++target)
    if (epochs.is_dirty(target)) {
      await(target, WindowTag::done);
      finish_fetches(target);
    }
}

void Window::finish_fetches(int target) {
  State& me = state_of(process);
  for (auto const& one : fetches)
    if (one.target == target) finish_fetch(me, one);
  std::erase_if(fetches, [&](Fetch const& one) { return one.target == target; });
  epochs.set_dirty(target, false);
}

void Window::add_fetch(Fetch fetch) {
  if (fetches.size() >= limit_) {
    State& me = state_of(process);
    std::erase_if(fetches, [&](Fetch const& one) {
      return one.handle != MPI_REQUEST_NULL && !open_request(me, one);
    });
    limit_ = std::max(first_limit, 2 * fetches.size());
  }
  fetches.push_back(std::move(fetch));
}

}  // namespace earl::mpi
