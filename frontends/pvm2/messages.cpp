// SPDX-License-Identifier: BSD-3-Clause
// Sending, receiving and looking.
#include <algorithm>
#include <cstring>
#include <vector>

#include "frontends/pvm2/routines.hpp"

namespace earl::pvm2 {

namespace {

/// A message carries its sender's instance number + 1, by which its component is found.
std::uint32_t word_of(State const& state) {
  return static_cast<std::uint32_t>(state.self->instance) + 1;
}

std::optional<int> instance_in(Envelope const& envelope) {
  if (envelope.word == 0 || envelope.word > 0x7fff'ffff) return std::nullopt;
  return static_cast<int>(envelope.word - 1);
}

/// A selection, with the memory it refers to.
struct Wanted {
  std::vector<Tag> tags{};
  MatchSpec spec{};
};

/// Null: among `types` is one that no message can have.
std::optional<Wanted> wanted(std::span<int const> types, Way way) {
  Wanted result;
  for (int const type : types) {
    if (type != any_type && !is_type(type)) return std::nullopt;
    result.tags.push_back(Tag{type});
  }
  result.spec.context = context_of_way(way);
  if (result.tags.empty()) return std::nullopt;
  if (std::ranges::find(types, any_type) != types.end())
    result.spec.tag = TagMatch::anything();
  else if (result.tags.size() == 1)
    result.spec.tag = TagMatch::exactly(result.tags.front());
  else
    result.spec.tag = TagMatch::any_of(result.tags);
  return result;
}

}  // namespace

int send(State& state, char const* component, int instance, int type, Way way) {
  if (int const code = judge_name(component); code < 0) return code;
  if (!is_type(type) || instance < -1) return PvmBadParam;
  std::vector<Rank> receivers;
  if (instance == -1)
    receivers = state.directory.all(component);
  else if (auto const one = state.directory.find(component, instance))
    receivers = {*one};
  if (receivers.empty()) return PvmNoComp;
  state.me.send_to_all(receivers,
                       {.context = context_of_way(way),
                        .tag = Tag{type},
                        .mode = Mode::buffered,
                        .encoding = Encoding::xdr,
                        .word = word_of(state)},
                       Gather{state.building.bytes()});
  return PvmOk;
}

int receive(State& state, std::span<int const> types, Way way) {
  auto const what = wanted(types, way);
  if (!what) return PvmBadParam;
  state.current = state.me.take(what->spec);
  state.cursor = 0;
  return number(state.current->envelope.tag);
}

int probe(State& state, std::span<int const> types) {
  auto const what = wanted(types, Way::usual);
  if (!what) return PvmBadParam;
  if (auto const found = state.me.try_probe(what->spec)) return number(found->envelope.tag);
  state.me.idle();
  return PvmNoMsg;
}

int message_facts(State& state, int* bytes, int* type, char* component, int* instance) {
  if (!state.current) return PvmNoMsg;
  auto const& envelope = state.current->envelope;
  if (bytes) *bytes = static_cast<int>(envelope.length);
  if (type) *type = number(envelope.tag);
  if (!component && !instance) return PvmOk;
  auto const sender = state.directory.name_of(envelope.source, instance_in(envelope));
  if (component) std::strcpy(component, sender.component.c_str());
  if (instance) *instance = sender.instance;
  return PvmOk;
}

}  // namespace earl::pvm2
