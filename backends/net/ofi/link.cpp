// SPDX-License-Identifier: BSD-3-Clause
#include "backends/net/ofi/link.hpp"

#include <sched.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "generic/base/error.hpp"
#include "generic/base/iovecs.hpp"

namespace earl::net::ofi {

namespace {

/// no_rank when it is too short to have one.
Prefix prefix_of(earl_ofi_arrival const& arrival) {
  Prefix prefix{.from = -1};
  if (arrival.size >= sizeof prefix) std::memcpy(&prefix, arrival.bytes, sizeof prefix);
  return prefix;
}

}  // namespace

OfiLink::OfiLink(std::unique_ptr<Board> board, Bell bell, Rank me, earl_ofi_calls const& calls,
                 char const* provider)
    : board_(std::move(board)),
      bell_(std::move(bell)),
      me_(me),
      calls_(calls),
      notices_(board_->notices_for(me)) {
  if (!board_->has(me))
    throw Error("process {} has no place in a job of at most {} processes; install Earl again",
                number(me), board_->capacity());
  auto const& here = board_->head();
  auto const* const host = *here.address ? here.address : nullptr;
  if (int const error = calls_.open(provider, host, sizeof(Prefix) + largest_frame, &ofi_))
    throw Error(
        "libfabric's provider {} cannot be opened: {}; `fi_info -l` of the package libfabric-bin "
        "names those that are here",
        provider ? provider : "(any)", calls_.error_text(error));
  longest_ = calls_.longest(ofi_);
  std::array<char, earl_ofi_longest_address> address{};
  int const size = calls_.address(ofi_, address.data());
  if (size < 0)
    throw Error("libfabric does not say where this process is reached: {}",
                calls_.error_text(size));
  board_->publish(me, {.host = here.host,
                       .provider = calls_.provider(ofi_),
                       .address = {address.data(), static_cast<std::size_t>(size)}});
}

OfiLink::~OfiLink() { shut(); }

/// Some providers leave files behind otherwise.
void OfiLink::shut() {
  if (ofi_) calls_.close(std::exchange(ofi_, nullptr));
}

void OfiLink::fail(char const* operation, int error) const {
  throw Error("libfabric ({}) cannot {}: {}", calls_.provider(ofi_), operation,
              calls_.error_text(error));
}

/// False: it is not there yet; EXEC rings when it is.
bool OfiLink::find(Peer& peer) {
  if (peer.destination) return true;
  auto& row = board_->row(peer.rank);
  row.wanted.store(1);
  if (!board_->has(peer.rank) || row.known.load(std::memory_order_acquire) == 0) return false;
  auto const provider = std::to_array(row.provider);
  auto const address = std::to_array(row.address);
  // Else it may be that of the process which has its place by now.
  if (board_->has_ended(peer.rank)) return false;
  if (std::string_view const mine = calls_.provider(ofi_); mine != provider.data())
    throw Error(
        "{} is reached by libfabric's provider {}, and this one by {}: EARL_OFI_PROVIDER can name "
        "one that all hosts have",
        board_->describe(peer.rank), provider.data(), mine);
  std::uint64_t destination = 0;
  if (int const error = calls_.insert(ofi_, address.data(), &destination))
    fail("take a peer's address", error);
  peer.destination = destination;
  return true;
}

bool OfiLink::send(Rank to, Gather const& frame) {
  if (is_down(to)) return true;
  bool const taken = transmit(peers_.find_or_add(to), Word::frame, frame);
  refused_ |= !taken;
  keep_moving();
  return taken;
}

bool OfiLink::transmit(Peer& to, Word word, Gather const& frame) {
  if (!find(to)) return false;
  Prefix const prefix{.key = board_->head().key,
                      .from = number(me_),
                      .to = number(to.rank),
                      .number = to.sent & 0xff'ffff'ffff'ffff,
                      .word = static_cast<std::uint8_t>(word)};
  Iovecs const pieces(bytes_of(prefix), frame);
  int const taken = calls_.send(ofi_, *to.destination, static_cast<std::uint32_t>(number(to.rank)),
                                pieces.all().data(), static_cast<int>(pieces.all().size()));
  // A departed process cannot be reached; EXEC notifies of its departure.
  if (taken < 0 && !is_down(to.rank)) fail("send", taken);
  if (taken != 0) ++to.sent;
  return taken != 0;
}

/// Asks the library, which moves everything along then.
void OfiLink::poll_events() {
  if (!is_here() && ofi_) look_once();
}

/// False: nothing has happened.
bool OfiLink::look_once() {
  earl_ofi_arrival arrival{};
  if (int const error = calls_.next(ofi_, &arrival)) fail("receive", error);
  switch (arrival.event) {
    case earl_ofi_nothing:
      return false;
    case earl_ofi_frame:
      frames_.push_back(arrival);
      return true;
    case earl_ofi_moved: {
      auto const over = moves_.ended(arrival);
      if (!over.sent) finished_.push_back(over);
      if (over.error_text && !over.cancelled) link_broke(over.peer, over.error_text);
      return true;
    }
    case earl_ofi_lost:
      link_broke(Rank{static_cast<std::int32_t>(arrival.peer)}, arrival.error_text);
      return true;
  }
  return false;
}

/// The receiver has said where it is: its address is known by now.
void OfiLink::start_direct_send(Rank to, std::uint64_t number, Bytes bytes) {
  if (is_down(to)) return;
  Peer& dest = peers_.find_or_add(to);
  if (!find(dest)) return;
  busy_until_ = Clock::now() + transfer;
  if (auto const over = moves_.send(ofi_, {to, *dest.destination, number, bytes}))
    link_broke(to, over->error_text);
  keep_moving();
}

void OfiLink::finish_direct_send(Rank to, std::uint64_t number) {
  moves_.drop_waiting(to, number);
  while (ofi_ && moves_.is_sending(to, number) && !is_down(to) && !peers_.find_or_add(to).left)
    if (!look_once()) ::sched_yield();
}

std::size_t OfiLink::hand_over_landed(FrameSink& sink) {
  auto const over = finished_.front();
  finished_.pop_front();
  sink.landed(over.tag, over.error_text == nullptr);
  return 1;
}

/// Returns how many it handed over. A frame that no process of this job can have sent is dropped.
std::size_t OfiLink::take(FrameSink& sink) {
  auto const arrival = frames_.front();
  frames_.pop_front();
  auto const prefix = prefix_of(arrival);
  const Rank source{prefix.from};
  if (prefix.key != board_->head().key || !board_->has_room_for(source) || source == me_ ||
      prefix.to != number(me_))
    return repost(arrival), 0;
  // This process may have fallen behind: then the list of ended ranks does not have it any more.
  if (!peers_.find(source) && is_down(source)) observe_death(source);
  Peer& from = peers_.find_or_add(source);
  if (prefix.number != from.taken) return from.early.emplace(prefix.number, arrival), 0;
  hand_over(from, arrival, sink);
  std::size_t taken = 1;
  for (; !from.early.empty() && from.early.begin()->first == from.taken; ++taken) {
    hand_over(from, from.early.begin()->second, sink);
    from.early.erase(from.early.begin());
  }
  return taken;
}

void OfiLink::hand_over(Peer& from, earl_ofi_arrival const& arrival, FrameSink& sink) {
  ++from.taken;
  auto const word = static_cast<Word>(prefix_of(arrival).word);
  const Bytes all{static_cast<std::byte const*>(arrival.bytes), arrival.size};
  if (word == Word::frame)
    sink.frame(from.rank, all.subspan(sizeof(Prefix)));
  else
    handle_word(from, word);
  repost(arrival);
}

void OfiLink::repost(earl_ofi_arrival const& arrival) {
  if (int const error = calls_.release(ofi_, arrival.slot)) fail("receive", error);
}

std::size_t OfiLink::progress(FrameSink& sink, std::size_t most) {
  if (!ofi_) return 0;
  if (poll_descriptor_) {
    poll_descriptor_->seen();
    bell_.listen();
  }
  std::size_t events = 0;
  for (poll_events(); is_here() && events < most; poll_events())
    events += frames_.empty() ? hand_over_landed(sink) : take(sink);
  if (moves_.waiting())
    if (auto const over = moves_.try_again(ofi_)) link_broke(over->peer, over->error_text);
  if (answers_pending_) {
    answers_pending_ = false;
    for (auto const& one : peers_)
      if (one->answer_pending) answer(*one);
  }
  if (notices_.take_control_notice()) {
    ++events;
    sink.on_control_ready();
  }
  if (notices_.has_deaths()) observe_deaths();
  if (!dying_.empty() && !is_here()) events += mark_ended(sink);
  if (!broken_.empty()) judge(sink);
  rearm();
  return events;
}

std::string OfiLink::route_description(Rank) const {
  return fmt::format("libfabric, provider {}", calls_.provider(ofi_));
}

}  // namespace earl::net::ofi
