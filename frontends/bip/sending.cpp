// SPDX-License-Identifier: BSD-3-Clause
/// Manual, 2.4, 2.5 and 3: sending. A short message is complete when its queue has room for it, a
/// long one when its receiver has it.
#include <algorithm>

#include "frontends/bip/call.hpp"

namespace earl::bip {

namespace {

/// News of room, from a receiver to its sender: Envelope::word says how many words.
constexpr Context news_context = context_of(Space::user, 0x4249'5000'0000);  // "BIP"

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

Envelope State::envelope(Outgoing const& what, Mode mode) const {
  return {.dest = peers_->rank_of(what.dst), .tag = Tag{what.tag}, .mode = mode};
}

void State::put(Outgoing const& what, Mode mode) {
  process_.send(envelope(what, mode), bytes(what));
}

/// News of room that has come meanwhile may make room.
bool State::take_room(Outgoing const& what) {
  auto const words = static_cast<std::uint32_t>(what.length);
  if (!peers_->holds(what.dst)) return true;  // other systems have no such queues
  if (stuck_at(what.dst, what.tag)) return false;
  while (!queues_->take(what.dst, what.tag, words)) {
    auto const got = process_.try_take({.source = peers_->rank_of(what.dst),
                                        .context = news_context,
                                        .tag = TagMatch::exactly(Tag{what.tag})});
    if (!got) return false;
    queues_->credited(what.dst, what.tag, got->envelope.word);
  }
  return true;
}

int State::start_send(Outgoing const& what) {
  check_tag(what.tag);
  check_buffer(what.buf, what.length);
  int const id = static_cast<int>(sends_++ % receive_bit);
  bool const usual =
      open_.empty() && what.length <= BIPSMALLSIZE && peers_->holds(what.dst) && what.dst != me_;
  if (!usual || !queues_->take(what.dst, what.tag, static_cast<std::uint32_t>(what.length)))
      [[unlikely]]
    return start_unusual(what, id);
  put(what, Mode::buffered);
  return id;
}

/// A send that is long, finds no room, is one of several, or is none.
int State::start_unusual(Outgoing const& what, int id) {
  if (what.dst == me_) throw Error("a message to oneself, node {}", me_);
  if (what.dst < 0 || peers_->rank_of(what.dst) == no_rank)
    throw Error("node {} is none of 0 to {}", what.dst, peers_->size() - 1);
  retire();
  if (open_.size() >= options_.sends)
    throw Error("{} sends are under way already, and no more may be", open_.size());
  auto const words = static_cast<std::uint32_t>(what.length);
  bool const is_short = what.length <= BIPSMALLSIZE;
  if (is_short && !(peers_->holds(what.dst) && queues_->never_fits(what.dst, what.tag, words))) {
    if (take_room(what))
      put(what, Mode::buffered);
    else
      get_stuck({.id = id, .what = what});
    return id;
  }
  if (is_short)
    mistake("{} words never fit the queue of tag {} at node {}", words, what.tag, what.dst);
  OpenSend send{.id = id, .what = what};
  if (stuck_at(what.dst, what.tag)) {  // it may not overtake them
    get_stuck(send);
  } else {
    if (options_.strict()) send.checksum = checksum(what);
    offer(send);
    open_.push_back(send);
  }
  return id;
}

/// Starts a send that waits for its receiver.
void State::offer(OpenSend& send) {
  auto const mode = options_.long_eager ? Mode::buffered : Mode::synchronous;
  send.request = process_.start_send(envelope(send.what, mode), bytes(send.what));
  if (options_.drop_after != 0) send.began = process_.clock();
}

// --- sends that wait for room

Stuck* State::stuck_at(int dst, int tag) {
  for (auto& one : stuck_)
    if (one.dst == dst && one.tag == tag) return &one;
  return nullptr;
}

RequestId State::await_news(int dst, int tag) {
  return process_.start_receive(
      {.source = peers_->rank_of(dst), .context = news_context, .tag = TagMatch::exactly(Tag{tag})},
      {});
}

void State::get_stuck(OpenSend const& send) {
  Stuck* known = stuck_at(send.what.dst, send.what.tag);
  if (!known) {
    stuck_.push_back({.dst = send.what.dst,
                      .tag = send.what.tag,
                      .news = await_news(send.what.dst, send.what.tag)});
    known = &stuck_.back();
  }
  known->ids.push_back(send.id);
  open_.push_back(send);
  if (options_.strict()) open_.back().checksum = checksum(send.what);
}

/// There is more room: sends messages that fit, and waits for news again if others remain.
void State::news(Stuck& stuck, Completion const& got) {
  queues_->credited(stuck.dst, stuck.tag, got.envelope.word);
  std::size_t sent = 0;
  for (; sent < stuck.ids.size(); ++sent) {
    OpenSend& send = *find_send(stuck.ids[sent]);
    const Outgoing what = send.what;
    auto const words = static_cast<std::uint32_t>(what.length);
    if (what.length > BIPSMALLSIZE || queues_->never_fits(what.dst, what.tag, words)) {
      offer(send);
      continue;
    }
    if (!queues_->take(stuck.dst, stuck.tag, words)) break;
    put(what, Mode::buffered);
    complete(stuck.ids[sent], {});
  }
  stuck.ids.erase(stuck.ids.begin(), stuck.ids.begin() + static_cast<std::ptrdiff_t>(sent));
  if (!stuck.ids.empty())
    stuck.news = await_news(stuck.dst, stuck.tag);
  else
    stuck_.erase(stuck_.begin() + (&stuck - stuck_.data()));
}

void State::advance() {
  for (std::size_t i = stuck_.size(); i-- > 0;)
    if (auto const got = process_.test(stuck_[i].news)) news(stuck_[i], *got);
}

std::optional<Completion> State::wait_or_news(RequestId request) {
  std::vector<RequestId> all;
  for (auto const& one : stuck_) all.push_back(one.news);
  if (request != no_request) all.push_back(request);
  auto const [position, got] = process_.wait_any(all);
  if (position == stuck_.size()) return got;
  news(stuck_[position], got);
  return {};
}

Completion State::wait(RequestId request) {
  while (!stuck_.empty()) [[unlikely]] if (auto const got = wait_or_news(request)) return *got;
  return process_.wait(request);
}

// --- sends under way

OpenSend* State::find_send(int id) {
  for (auto& one : open_)
    if (one.id == id) return &one;
  return nullptr;
}

/// The send is over: E12, E13.
void State::complete(int id, Completion const& got) {
  auto const found =
      std::find_if(open_.begin(), open_.end(), [&](auto& one) { return one.id == id; });
  const OpenSend send = *found;
  open_.erase(found);
  if (got.lost)
    process_.say(fmt::format("bip[{}]: node {} ended before it took a message of {} words (tag {})",
                             me_, send.what.dst, send.what.length, send.what.tag));
  if (options_.strict() && checksum(send.what) != send.checksum)
    throw Error(
        "the buffer of a message to node {} (tag {}) was changed before the send was complete",
        send.what.dst, send.what.tag);
  if (options_.drop_after == 0 || send.request == no_request) return;
  auto const took = process_.clock() - send.began;
  if (took > options_.drop_after)
    throw Error(
        "node {} took {} ms to receive a long message (tag {}): the network drops it after {}",
        send.what.dst, took / 1'000'000, send.what.tag, options_.drop_after / 1'000'000);
}

/// Sends that are over need not be waited for.
void State::retire() {
  advance();
  for (std::size_t i = open_.size(); i-- > 0;) {
    if (open_[i].request == no_request) continue;
    if (auto const got = process_.test(open_[i].request)) complete(open_[i].id, *got);
  }
}

bool State::test_send(int id) {
  advance();
  OpenSend const* send = find_send(id);
  if (!send) return true;
  if (send->request == no_request) return false;
  auto const got = process_.test(send->request);
  if (got) complete(id, *got);
  return got.has_value();
}

void State::wait_send(int id) {
  if (several()) return static_cast<void>(until([&] { return test_send(id); }));
  while (OpenSend const* send = find_send(id)) {
    if (send->request != no_request) return complete(id, wait(send->request));
    wait_or_news(no_request);
  }
}

void State::release(Envelope const& message, int from) {
  if (!peers_->holds(from) || is_long(message)) return;
  auto const words = static_cast<std::uint32_t>((message.length + word - 1) / word);
  auto const told = queues_->freed(from, number(message.tag), words);
  if (told == 0) [[likely]]
    return;
  process_.send({.dest = message.source,
                 .context = news_context,
                 .tag = message.tag,
                 .mode = Mode::buffered,
                 .word = told},
                {});
}

namespace {

int tisend(State& me, int dst, int tag, int* buf, int length) {
  return me.start_send({.dst = dst, .tag = tag, .buf = buf, .length = length});
}

void swait(State& me, int id) {
  if (!me.issued(id)) me.mistake("{} is no send's id", id);
  me.wait_send(id);
}

int stest(State& me, int id) {
  if (!me.issued(id)) me.mistake("{} is no send's id", id);
  return me.test_send(id) ? 1 : me.options().pending;
}

int tsend(State& me, int dst, int tag, int* buf, int length) {
  int const id = tisend(me, dst, tag, buf, length);
  if (me.sends_open()) [[unlikely]]
    me.wait_send(id);
  return 0;
}

int isend(State& me, int dst, int* buf, int length) { return tisend(me, dst, 0, buf, length); }
int send(State& me, int dst, int* buf, int length) { return tsend(me, dst, 0, buf, length); }

}  // namespace
}  // namespace earl::bip

namespace bip = earl::bip;

extern "C" int bip_tisend(int dst, int tag, int* buf, int length) {
  return bip::call("bip_tisend", bip::tisend, dst, tag, buf, length);
}
extern "C" void bip_swait(int id) { bip::call("bip_swait", bip::swait, id); }
extern "C" int bip_stest(int id) { return bip::call("bip_stest", bip::stest, id); }
extern "C" int bip_tsend(int dst, int tag, int* buf, int length) {
  return bip::call("bip_tsend", bip::tsend, dst, tag, buf, length);
}
extern "C" int bip_isend(int dst, int* buf, int length) {
  return bip::call("bip_isend", bip::isend, dst, buf, length);
}
extern "C" int bip_send(int dst, int* buf, int length) {
  return bip::call("bip_send", bip::send, dst, buf, length);
}
