// SPDX-License-Identifier: BSD-3-Clause
/// Manual, 2.4, 2.5 and 3: sending. A short message is complete when its queue has room for it, a
/// long one when its receiver has it.
#include "frontends/bip/call.hpp"

namespace earl::bip {

void State::release(Envelope const& message, int from) {
  if (!peers_->holds(from) || is_long(message)) return;
  auto const words = static_cast<std::uint32_t>((message.length + word - 1) / word);
  auto const freed = queues_->freed(from, number(message.tag), words);
  if (freed == 0) [[likely]]
    return;
  process_.send({.dest = message.source,
                 .context = credit_context,
                 .tag = message.tag,
                 .mode = Mode::buffered,
                 .word = freed},
                {});
}

namespace {

int tisend(State& me, int dst, int tag, int* buf, int length) {
  me.check_tag(tag);
  me.check_buffer(buf, length);
  return me.sends().start({.dst = dst, .tag = tag, .buf = buf, .length = length});
}

void wait(State& me, int id) {
  if (me.several())
    me.until([&] { return me.sends().test(id); });
  else
    me.sends().wait(id);
}

void swait(State& me, int id) {
  if (!me.sends().issued(id)) me.mistake("{} is no send's id", id);
  wait(me, id);
}

int stest(State& me, int id) {
  if (!me.sends().issued(id)) me.mistake("{} is no send's id", id);
  return me.sends().test(id) ? 1 : me.options().pending;
}

int tsend(State& me, int dst, int tag, int* buf, int length) {
  int const id = tisend(me, dst, tag, buf, length);
  if (me.sends().any_open()) [[unlikely]]
    wait(me, id);
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
