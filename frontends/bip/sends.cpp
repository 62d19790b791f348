// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/bip/sends.hpp"

#include <algorithm>

#include "frontends/bip/include/bip.h"
#include "generic/request_table.hpp"

namespace earl::bip {

namespace {

Bytes bytes(Outgoing const& what) {
  return {reinterpret_cast<std::byte const*>(what.buf),
          word * static_cast<std::size_t>(what.length)};
}

/// FNV-1a over the message.
std::uint64_t checksum(Outgoing const& what) {
  std::uint64_t sum = 0xcbf2'9ce4'8422'2325;
  for (auto const byte : bytes(what))
    sum = (sum ^ static_cast<std::uint8_t>(byte)) * 0x100'0000'01b3;
  return sum;
}

}  // namespace

Envelope Sends::envelope(Outgoing const& what, Mode mode) const {
  return {.dest = parts_.peers.rank_of(what.dst), .tag = Tag{what.tag}, .mode = mode};
}

void Sends::put(Outgoing const& what, Mode mode) {
  parts_.process.send(envelope(what, mode), bytes(what));
}

/// Credits that have arrived may make room.
bool Sends::take_room(Outgoing const& what) {
  auto const words = static_cast<std::uint32_t>(what.length);
  if (!parts_.peers.holds(what.dst)) return true;  // other systems have no such queues
  if (blocked_at(what.dst, what.tag)) return false;
  while (!parts_.queues.take(what.dst, what.tag, words)) {
    auto const got = parts_.process.try_take({.source = parts_.peers.rank_of(what.dst),
                                              .context = credit_context,
                                              .tag = TagMatch::exactly(Tag{what.tag})});
    if (!got) return false;
    parts_.queues.credited(what.dst, what.tag, got->envelope.word);
  }
  return true;
}

int Sends::start(Outgoing const& what) {
  int const id = static_cast<int>(started_++ % receive_bit);
  bool const usual = open_.empty() && what.length <= BIPSMALLSIZE && parts_.peers.holds(what.dst) &&
                     what.dst != parts_.me;
  if (!usual || !parts_.queues.take(what.dst, what.tag, static_cast<std::uint32_t>(what.length)))
      [[unlikely]]
    return start_unusual(what, id);
  put(what, Mode::buffered);
  return id;
}

/// A send that is long, finds no room, is one of several, or is none.
int Sends::start_unusual(Outgoing const& what, int id) {
  if (what.dst == parts_.me)
    throw Error("node is {}, this process itself: send to another node", parts_.me);
  if (what.dst < 0 || parts_.peers.rank_of(what.dst) == no_rank)
    throw Error("node is {}: pass 0 to {}", what.dst, parts_.peers.size() - 1);
  retire();
  if (open_.size() >= parts_.options.sends)
    throw Error("{} sends are under way, the most that BIP allows: complete one first",
                open_.size());
  auto const words = static_cast<std::uint32_t>(what.length);
  bool const is_short = what.length <= BIPSMALLSIZE;
  if (is_short &&
      !(parts_.peers.holds(what.dst) && parts_.queues.never_fits(what.dst, what.tag, words))) {
    if (take_room(what))
      put(what, Mode::buffered);
    else
      block({.id = id, .what = what});
    return id;
  }
  if (is_short)
    if (parts_.options.strict())
      throw Error(
          "a message of {} words never fits the queue of tag {} at node {}: enlarge it there "
          "(bip_taginit)",
          words, what.tag, what.dst);
  Open send{.id = id, .what = what};
  if (blocked_at(what.dst, what.tag)) {  // it may not overtake them
    block(send);
  } else {
    if (parts_.options.strict()) send.checksum = checksum(what);
    offer(send);
    open_.push_back(send);
  }
  return id;
}

/// Starts a send that waits for its receiver.
void Sends::offer(Open& send) {
  auto const mode = parts_.options.long_eager ? Mode::buffered : Mode::synchronous;
  send.request = parts_.process.start_send(envelope(send.what, mode), bytes(send.what));
  if (parts_.options.drop_after != 0) send.began = parts_.process.clock();
}

// --- sends that wait for room

Sends::Blocked* Sends::blocked_at(int dst, int tag) {
  for (auto& one : blocked_)
    if (one.dst == dst && one.tag == tag) return &one;
  return nullptr;
}

RequestId Sends::await_credit(int dst, int tag) {
  return parts_.process.start_receive({.source = parts_.peers.rank_of(dst),
                                       .context = credit_context,
                                       .tag = TagMatch::exactly(Tag{tag})},
                                      {});
}

void Sends::block(Open const& send) {
  Blocked* known = blocked_at(send.what.dst, send.what.tag);
  if (!known) {
    blocked_.push_back({.dst = send.what.dst,
                        .tag = send.what.tag,
                        .credit = await_credit(send.what.dst, send.what.tag)});
    known = &blocked_.back();
  }
  known->ids.push_back(send.id);
  open_.push_back(send);
  if (parts_.options.strict()) open_.back().checksum = checksum(send.what);
}

/// There is more room: sends messages that fit, and waits for credit again if others remain.
void Sends::add_credit(Blocked& blocked, Completion const& got) {
  parts_.queues.credited(blocked.dst, blocked.tag, got.envelope.word);
  std::size_t sent = 0;
  for (; sent < blocked.ids.size(); ++sent) {
    Open& send = *find(blocked.ids[sent]);
    const Outgoing what = send.what;
    auto const words = static_cast<std::uint32_t>(what.length);
    if (what.length > BIPSMALLSIZE || parts_.queues.never_fits(what.dst, what.tag, words)) {
      offer(send);
      continue;
    }
    if (!parts_.queues.take(blocked.dst, blocked.tag, words)) break;
    put(what, Mode::buffered);
    complete(blocked.ids[sent], {});
  }
  blocked.ids.erase(blocked.ids.begin(), blocked.ids.begin() + static_cast<std::ptrdiff_t>(sent));
  if (!blocked.ids.empty())
    blocked.credit = await_credit(blocked.dst, blocked.tag);
  else
    blocked_.erase(blocked_.begin() + (&blocked - blocked_.data()));
}

void Sends::advance() {
  for (std::size_t i = blocked_.size(); i-- > 0;)
    if (auto const got = parts_.process.test(blocked_[i].credit)) add_credit(blocked_[i], *got);
}

std::optional<Completion> Sends::wait_or_credit(RequestId request) {
  std::vector<RequestId> all;
  for (auto const& one : blocked_) all.push_back(one.credit);
  if (request != no_request) all.push_back(request);
  auto const [position, got] = parts_.process.requests().wait_any(all);
  if (position == blocked_.size()) return got;
  add_credit(blocked_[position], got);
  return {};
}

Completion Sends::wait_for(RequestId request) {
  while (!blocked_.empty()) [[unlikely]] if (auto const got = wait_or_credit(request)) return *got;
  return parts_.process.wait(request);
}

// --- sends under way

Sends::Open* Sends::find(int id) {
  for (auto& one : open_)
    if (one.id == id) return &one;
  return nullptr;
}

/// The send is over: E12, E13.
void Sends::complete(int id, Completion const& got) {
  auto const found =
      std::find_if(open_.begin(), open_.end(), [&](auto& one) { return one.id == id; });
  const Open send = *found;
  open_.erase(found);
  if (got.lost)
    parts_.process.print_line(
        fmt::format("bip[{}]: node {} ended before it took a message of {} words (tag {})",
                    parts_.me, send.what.dst, send.what.length, send.what.tag));
  if (parts_.options.strict() && checksum(send.what) != send.checksum)
    throw Error(
        "the buffer of a message to node {} (tag {}) was changed before the send was complete",
        send.what.dst, send.what.tag);
  if (parts_.options.drop_after == 0 || send.request == no_request) return;
  auto const took = parts_.process.clock() - send.began;
  if (took > parts_.options.drop_after)
    throw Error(
        "node {} took {} ms to receive a long message (tag {}): the network drops it after {}",
        send.what.dst, took / 1'000'000, send.what.tag, parts_.options.drop_after / 1'000'000);
}

/// Sends that are over need not be waited for.
void Sends::retire() {
  advance();
  for (std::size_t i = open_.size(); i-- > 0;) {
    if (open_[i].request == no_request) continue;
    if (auto const got = parts_.process.test(open_[i].request)) complete(open_[i].id, *got);
  }
}

bool Sends::test(int id) {
  advance();
  Open const* send = find(id);
  if (!send) return true;
  if (send->request == no_request) return false;
  auto const got = parts_.process.test(send->request);
  if (got) complete(id, *got);
  return got.has_value();
}

void Sends::wait(int id) {
  while (Open const* send = find(id)) {
    if (send->request != no_request) return complete(id, wait_for(send->request));
    wait_or_credit(no_request);
  }
}

}  // namespace earl::bip
