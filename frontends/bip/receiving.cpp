// SPDX-License-Identifier: BSD-3-Clause
/// Manual, 3: receiving into the program's memory, probing, and receiving in place. By tag only.
#include "frontends/bip/call.hpp"

namespace earl::bip {

std::optional<Found> State::head(int tag) {
  if (sends_->any_blocked()) [[unlikely]]
    sends_->advance();
  auto found = process_.try_probe(spec(tag));
  if (found && is_long(found->envelope)) return {};
  return found;
}

int State::accept(Completion const& got, std::size_t room, int* node) {
  Envelope const& message = got.envelope;
  int const from = number_of(message.source);
  if (message.length > room)
    throw Error("a message of {} words (tag {}, from node {}) is longer than the {} asked for",
                (message.length + word - 1) / word, number(message.tag), from, room / word);
  if (got.lost)
    throw Error("node {} ended before its message (tag {}) could be read", from,
                number(message.tag));
  release(message, from);
  if (node) *node = from;
  return static_cast<int>((message.length + word - 1) / word);
}

Completion State::receive(MatchSpec const& spec, MutableBytes room) {
  if (!sends_->any_blocked()) [[likely]]
    return process_.receive(spec, room);
  return sends_->wait_for(process_.start_receive(spec, room));
}

Message State::take(MatchSpec const& spec) {
  if (several())
    return *until([&] {
      sends_->advance();
      return process_.try_take(spec);
    });
  while (sends_->any_blocked()) [[unlikely]] {
      if (auto message = process_.try_take(spec)) return std::move(*message);
      sends_->advance();
    }
  return process_.take(spec);
}

// A receive's id names its tag, so that polling finds it at once.

int State::new_receive_id(int tag) {
  constexpr std::uint32_t serials = 1 << 22;
  return static_cast<int>(receive_bit | (receives_started_++ % serials) << 8 |
                          static_cast<std::uint32_t>(tag));
}

Queue* State::find_posted(int id) {
  auto const tag = static_cast<std::uint32_t>(id) & 0xff;
  if (id < 0 || tag >= most_tags) return nullptr;
  Queue& one = queues_here_[tag];
  return one.posted != no_request && one.posted_id == id ? &one : nullptr;
}

namespace {

int tirecv(State& me, int tag, int* buf, int maxlength) {
  Queue& queue = me.free_queue(tag);
  MutableBytes const room = me.mutable_bytes(buf, maxlength);
  queue.posted = me.process().start_receive(me.spec(tag), room);
  queue.posted_id = me.new_receive_id(tag);
  queue.room = room.size();
  return queue.posted_id;
}

int done(State& me, Queue& queue, Completion const& got, int* node) {
  queue.posted = no_request;
  return me.accept(got, queue.room, node);
}

std::optional<Completion> peek(State& me, Queue const& queue) {
  me.sends().advance();
  return me.process().test(queue.posted);
}

int rwaitx(State& me, int id, int* node) {
  Queue* const queue = me.find_posted(id);
  if (!queue) me.mistake("{} is no receive's id, or it is complete", id);
  if (!queue) return -1;
  auto const got = me.several() ? *me.until([&] { return peek(me, *queue); })
                                : me.sends().wait_for(queue->posted);
  return done(me, *queue, got, node);
}

int rtestx(State& me, int id, int* node) {
  Queue* const queue = me.find_posted(id);
  if (!queue) me.mistake("{} is no receive's id, or it is complete", id);
  if (!queue) return -1;
  auto const got = peek(me, *queue);
  return got ? done(me, *queue, *got, node) : -1;
}

int trecvx(State& me, int tag, int* buf, int maxlength, int* node) {
  if (me.several()) [[unlikely]]
    return rwaitx(me, tirecv(me, tag, buf, maxlength), node);
  me.free_queue(tag);
  MutableBytes const room = me.mutable_bytes(buf, maxlength);
  return me.accept(me.receive(me.spec(tag), room), room.size(), node);
}

int tnrecvx(State& me, int tag, int* buf, int maxlength, int* node) {
  me.free_queue(tag);
  MutableBytes const room = me.mutable_bytes(buf, maxlength);
  if (!me.head(tag)) return -1;
  return me.accept(me.process().receive(me.spec(tag), room), room.size(), node);
}

int tprobe(State& me, int tag) {
  me.queue(tag);
  auto const found = me.head(tag);
  return found ? static_cast<int>((found->envelope.length + word - 1) / word) : -1;
}

/// The queue that messages are held on: held ones do not keep others from being got.
Queue& holding_queue(State& me, int tag) {
  Queue& queue = me.queue(tag);
  return queue.held.empty() ? me.free_queue(tag) : queue;
}

int* hold(Queue& queue, State& me, Message message, int* length, int* node) {
  if (length) *length = static_cast<int>((message.envelope.length + word - 1) / word);
  if (node) *node = me.number_of(message.envelope.source);
  if (message.body.empty()) message.body = Buffer{word};  // no message is null
  queue.held.push_back(std::move(message));
  return reinterpret_cast<int*>(queue.held.back().body.data());
}

int* tgetmsg(State& me, int tag, int* length, int* node) {
  Queue& queue = holding_queue(me, tag);
  auto message = me.take(me.spec(tag));
  if (me.is_long(message.envelope))
    me.mistake("a long message of {} words on tag {} is in no queue: receive it into memory",
               message.envelope.length / word, tag);
  return hold(queue, me, std::move(message), length, node);
}

int* tngetmsg(State& me, int tag, int* length, int* node) {
  Queue& queue = holding_queue(me, tag);
  if (!me.head(tag)) return nullptr;
  return hold(queue, me, me.process().take(me.spec(tag)), length, node);
}

void tfreemsg(State& me, int tag) {
  Queue& queue = me.queue(tag);
  if (queue.held.empty()) {
    me.mistake("no message is held on tag {}", tag);
    return me.process().print_line(
        fmt::format("bip[{}] bip_tfreemsg: no message is held on tag {}", me.me(), tag));
  }
  auto const& message = queue.held.front().envelope;
  me.release(message, me.number_of(message.source));
  queue.held.pop_front();
}

}  // namespace
}  // namespace earl::bip

namespace bip = earl::bip;

extern "C" int bip_tirecv(int tag, int* buf, int maxlength) {
  return bip::call("bip_tirecv", bip::tirecv, tag, buf, maxlength);
}
extern "C" int bip_irecv(int* buf, int maxlength) {
  return bip::call("bip_irecv", bip::tirecv, 0, buf, maxlength);
}

extern "C" int bip_rwait(int id) {
  return bip::call("bip_rwait", bip::rwaitx, id, static_cast<int*>(nullptr));
}
extern "C" int bip_rwaitx(int id, int* node) {
  return bip::call("bip_rwaitx", bip::rwaitx, id, node);
}
extern "C" int bip_rtest(int id) {
  return bip::call("bip_rtest", bip::rtestx, id, static_cast<int*>(nullptr));
}
extern "C" int bip_rtestx(int id, int* node) {
  return bip::call("bip_rtestx", bip::rtestx, id, node);
}

extern "C" int bip_trecv(int tag, int* buf, int maxlength) {
  return bip::call("bip_trecv", bip::trecvx, tag, buf, maxlength, static_cast<int*>(nullptr));
}
extern "C" int bip_recv(int* buf, int maxlength) {
  return bip::call("bip_recv", bip::trecvx, 0, buf, maxlength, static_cast<int*>(nullptr));
}
extern "C" int bip_trecvx(int tag, int* buf, int maxlength, int* node) {
  return bip::call("bip_trecvx", bip::trecvx, tag, buf, maxlength, node);
}
extern "C" int bip_recvx(int* buf, int maxlength, int* node) {
  return bip::call("bip_recvx", bip::trecvx, 0, buf, maxlength, node);
}

extern "C" int bip_tnrecv(int tag, int* buf, int maxlength) {
  return bip::call("bip_tnrecv", bip::tnrecvx, tag, buf, maxlength, static_cast<int*>(nullptr));
}
extern "C" int bip_nrecv(int* buf, int maxlength) {
  return bip::call("bip_nrecv", bip::tnrecvx, 0, buf, maxlength, static_cast<int*>(nullptr));
}
extern "C" int bip_tnrecvx(int tag, int* buf, int maxlength, int* node) {
  return bip::call("bip_tnrecvx", bip::tnrecvx, tag, buf, maxlength, node);
}
extern "C" int bip_nrecvx(int* buf, int maxlength, int* node) {
  return bip::call("bip_nrecvx", bip::tnrecvx, 0, buf, maxlength, node);
}

extern "C" int bip_tprobe(int tag) { return bip::call("bip_tprobe", bip::tprobe, tag); }
extern "C" int bip_probe(void) { return bip::call("bip_probe", bip::tprobe, 0); }

extern "C" int* bip_tgetmsg(int tag, int* length, int* node) {
  return bip::call("bip_tgetmsg", bip::tgetmsg, tag, length, node);
}
extern "C" int* bip_getmsg(int* length, int* node) {
  return bip::call("bip_getmsg", bip::tgetmsg, 0, length, node);
}
extern "C" int* bip_tngetmsg(int tag, int* length, int* node) {
  return bip::call("bip_tngetmsg", bip::tngetmsg, tag, length, node);
}
extern "C" int* bip_ngetmsg(int* length, int* node) {
  return bip::call("bip_ngetmsg", bip::tngetmsg, 0, length, node);
}
extern "C" void bip_tfreemsg(int tag) { bip::call("bip_tfreemsg", bip::tfreemsg, tag); }
extern "C" void bip_freemsg(void) { bip::call("bip_freemsg", bip::tfreemsg, 0); }
