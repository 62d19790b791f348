// SPDX-License-Identifier: BSD-3-Clause
/// Leaving: sent messages are delivered, and no process leaves the library before all others do.
#include <algorithm>
#include <cstring>

#include "backends/hosted/port.hpp"

namespace earl::hosted_backend {

namespace {}  // namespace

/// Each host has a board of its own, and a process there must write it.
void LibraryPort::change(ProcessState state) {
  board_->change(me_, state);
  auto const word = static_cast<std::uint32_t>(state);
  for (auto const rank : elsewhere_) send_word(peer(rank), Word::state, bytes_of(word));
}

void LibraryPort::record_peer_state(Rank rank, Bytes payload) {
  std::uint32_t word = 0;
  if (payload.size() != sizeof word || board_->is_here(rank)) return;
  std::memcpy(&word, payload.data(), sizeof word);
  auto const state = static_cast<ProcessState>(word);
  if ((state == ProcessState::departed || state == ProcessState::drained) &&
      board_->state(rank) < state)
    board_->change(rank, state);
}

/// Serves other processes' requests and reads of exposed memory, and sleeps between them.
void LibraryPort::move_on() {
  DiscardingSink sink;
  if (poll(sink) == 0) wait(never);
}

/// Waits until every live process has received all packets of this one.
void LibraryPort::await_delivery() {
  for (auto const& one : peers_)
    if (one && !has_left(one->rank)) {
      send_word(*one, Word::answer);
      one->final_mark = one->window.mark();
    }
  auto const delivered = [&] {
    return std::ranges::all_of(peers_, [&](auto const& one) {
      return !one || has_left(one->rank) || one->window.reached(one->final_mark);
    });
  };
  while (!delivered()) move_on();
}

void LibraryPort::await_others(ProcessState state) {
  for (std::uint32_t i = 0; i < board_->processes(); ++i)
    while (board_->state(Rank{static_cast<std::int32_t>(i)}) < state) move_on();
}

void LibraryPort::carry_all() {
  for (departures_.reap(); !departures_.empty(); departures_.reap()) move_on();
}

/// The library must not end with packets that it could not carry, because their receiver has ended
/// before.
void LibraryPort::drain() {
  carry_all();
  change(ProcessState::drained);
}

void LibraryPort::leave() {
  if (left_) return;
  await_delivery();
  change(ProcessState::departed);
  await_others(ProcessState::departed);
  drain();
  await_others(ProcessState::drained);
  carry_all();
  left_ = true;
  finalize();
  my_row().state.store(static_cast<std::uint32_t>(ProcessState::outside));
}

void LibraryPort::finalize() {
  for (std::uint32_t i = 0; i < board_->processes(); ++i)
    // It would wait for it for ever.
    if (board_->state(Rank{static_cast<std::int32_t>(i)}) == ProcessState::ended) return;
  pulls_.close();
  arrivals_->close();
  expect_success(native_, native_.leave(), "end");
}

}  // namespace earl::hosted_backend
