// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/bip/state.hpp"

#include <cstdint>

extern "C" {
int bip_mynode = 0;
int bip_numnodes = 0;
}

namespace earl::bip {

namespace {

std::size_t const slot = new_slot();

}  // namespace

State& state_of(Process& process) { return process.state<State>(slot); }

State::State(Process& process) : process_(process), options_(options_from_environment()) {}

void State::refuse_tag(int tag) { throw Error("tag is {}: pass 0 to {}", tag, most_tags - 1); }

void State::judge_buffer(void const* buf, int length) const {
  if (length < 0) throw Error("length {} is negative: pass 0 or more words", length);
  if (length > 0 && !buf)
    throw Error("the buffer of {} words is a null pointer: pass memory", length);
  if (reinterpret_cast<std::uintptr_t>(buf) % word != 0)
    mistake("the buffer is not aligned to words of {} bytes", word);
}

void State::refuse(Queue const& queue, int tag) {
  if (queue.posted != no_request)
    throw Error("a receive is posted on tag {} already: complete it by bip_rwait or bip_rtest",
                tag);
  throw Error("{} messages got on tag {} are not freed: bip_tfreemsg first", queue.held.size(),
              tag);
}

}  // namespace earl::bip
