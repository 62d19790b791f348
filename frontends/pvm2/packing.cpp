// SPDX-License-Identifier: BSD-3-Clause
// Building a message and reading one. All of it travels as XDR.
#include <algorithm>
#include <cstring>

#include "frontends/common/fortran_text.hpp"
#include "frontends/pvm2/routines.hpp"

namespace earl::pvm2 {

namespace {

constexpr auto encoding = Encoding::xdr;

bool valid(void const* address, int count) { return count == 0 || (count > 0 && address); }

Items items_of(Element element, int count) {
  return {.element = element, .count = static_cast<std::size_t>(count)};
}

Bytes rest(State const& state) { return state.current->body.bytes().subspan(state.cursor); }

/// Later, smaller calls find nothing either.
int no_data(State& state) {
  if (state.current) state.cursor = state.current->body.size();
  return PvmNoData;
}

/// The next text of the message; null: there is none.
std::optional<std::string_view> next_text(State& state) {
  if (!state.current) return std::nullopt;
  auto const got = unpack_text(rest(state), state.current->envelope.encoding);
  if (!got) return std::nullopt;
  state.cursor += got->bytes;
  return got->text;
}

}  // namespace

int start_message(State& state) {
  state.building.clear();
  return PvmOk;
}

int put(State& state, Element element, void const* from, int count) {
  if (!valid(from, count)) return PvmBadParam;
  if (count == 0) return PvmOk;
  auto const items = items_of(element, count);
  pack(items, from, encoding, state.building.append(packed_size(items, encoding)));
  return PvmOk;
}

int put_text(State& state, char const* text) {
  if (!text) return PvmBadParam;
  const std::string_view with_nul{text, std::strlen(text) + 1};
  pack(with_nul, encoding, state.building.append(packed_size(with_nul, encoding)));
  return PvmOk;
}

int get(State& state, Element element, void* to, int count) {
  if (!valid(to, count)) return PvmBadParam;
  if (count == 0) return PvmOk;
  if (!state.current) return PvmNoData;
  auto const got =
      unpack(items_of(element, count), rest(state), state.current->envelope.encoding, to);
  state.cursor += got.bytes;
  return got.all ? PvmOk : no_data(state);
}

int get_text(State& state, char* to) {
  if (!to) return PvmBadParam;
  auto const text = next_text(state);
  if (!text) return no_data(state);
  std::copy(text->begin(), text->end(), to);
  return PvmOk;
}

int get_text(State& state, char* to, std::size_t length) {
  auto const text = next_text(state);
  if (!text) return no_data(state);
  fortran::give(to, length, std::string{*text}.c_str());
  return PvmOk;
}

}  // namespace earl::pvm2
