// SPDX-License-Identifier: BSD-3-Clause
#include "debug/events/codec.hpp"

#include <algorithm>

namespace earl::events {

using trace::Get;
using trace::Put;

namespace {

// The first byte: the kind, and in its upper three bits the fields that follow because they are not
// as expected.
constexpr unsigned kind_bits = 0x1f;
constexpr unsigned first = 0x20;
constexpr unsigned second = 0x40;

constexpr unsigned last_operation = static_cast<unsigned>(OpKind::collective);
constexpr unsigned last_flow = static_cast<unsigned>(DataFlow::in_order);
constexpr unsigned last_mode = static_cast<unsigned>(Mode::standard_by_default);

bool is_definition(EventKind kind) { return kind <= EventKind::string; }
bool is_of_message(EventKind kind) {
  return kind >= EventKind::send && kind <= EventKind::found && kind != EventKind::post;
}

template <class T>
void put_list(std::vector<T> const& list, Put& to) {
  auto const size = std::min(list.size(), most_listed);
  to.number(size);
  for (std::size_t i = 0; i < size; ++i)
    to.signed_number(static_cast<std::int64_t>(static_cast<std::int32_t>(list[i])));
}

template <class T>
void get_list(Get& from, std::vector<T>& list) {
  list.clear();
  for (auto left = from.number(); left != 0 && from.ok() && list.size() < most_listed; --left)
    list.push_back(static_cast<T>(static_cast<std::int32_t>(from.signed_number())));
}

void put_filter(Filter const& filter, Put& to) {
  to.byte(static_cast<unsigned>(filter.kind) | (filter.any_context ? 16U : 0U) |
          (filter.contested ? 32U : 0U));
  to.signed_number(filter.source);
  to.signed_number(filter.low);
  to.signed_number(filter.high);
  to.number(filter.bits);
  to.number(filter.context);
  put_list(filter.sources, to);
  put_list(filter.tags, to);
}

bool get_filter(Get& from, Filter& filter) {
  auto const flags = from.byte();
  if ((flags & 15U) > static_cast<unsigned>(TagMatch::Kind::mask)) return false;
  filter.kind = static_cast<TagMatch::Kind>(flags & 15U);
  filter.any_context = (flags & 16U) != 0;
  filter.contested = (flags & 32U) != 0;
  filter.source = static_cast<std::int32_t>(from.signed_number());
  filter.low = static_cast<std::int32_t>(from.signed_number());
  filter.high = static_cast<std::int32_t>(from.signed_number());
  filter.bits = static_cast<std::uint32_t>(from.number());
  filter.context = from.number();
  get_list(from, filter.sources);
  get_list(from, filter.tags);
  return from.ok();
}

std::string_view cut(std::string const& text) {
  return std::string_view{text}.substr(0, most_text);
}

/// An event that names a message by its channel: the number that is expected, then the next.
std::uint64_t& sequence_of(Expected& expected, Event const& event) {
  bool const out = event.kind == EventKind::send || event.kind == EventKind::sent;
  return out ? expected.sent_to(event.peer) : expected.got_from(event.peer);
}

bool has_post(EventKind kind) { return kind == EventKind::match || kind == EventKind::completed; }

}  // namespace

std::size_t bound(Event const& event) {
  return most_fixed + std::min(event.text.size(), most_text) +
         std::min(event.more.size(), most_text) +
         5 * (std::min(event.ranks.size(), most_listed) +
              std::min(event.filter.sources.size(), most_listed) +
              std::min(event.filter.tags.size(), most_listed));
}

std::size_t Encoder::put(Event const& event, std::byte* to) {
  Put out(to);
  if (is_definition(event.kind))
    put_definition(event, out);
  else if (is_of_message(event.kind))
    put_message(event, out);
  else
    put_other(event, out);
  return out.size();
}

void Encoder::put_definition(Event const& event, Put& to) {
  to.byte(static_cast<unsigned>(event.kind));
  if (event.kind == EventKind::filter) return put_filter(event.filter, to);
  if (event.kind == EventKind::members) return put_list(event.ranks, to);
  if (event.kind == EventKind::site) {
    to.number(event.count);
    to.number(event.offset);
  }
  to.text(cut(event.text));
  if (event.kind == EventKind::module) to.text(cut(event.more));
}

void Encoder::put_message(Event const& event, Put& to) {
  auto const kind = static_cast<unsigned>(event.kind);
  if (event.kind == EventKind::completed) {
    to.byte(kind | (event.post != expected_.post ? first : 0));
    if (event.post != expected_.post)
      to.signed_number(trace::difference(expected_.post, event.post));
    return;
  }
  auto& sequence = sequence_of(expected_, event);
  bool const posted = event.kind == EventKind::match && event.post != expected_.post;
  bool const elsewhere = event.kind == EventKind::send && event.context != expected_.context;
  to.byte(kind | (posted || elsewhere ? first : 0) | (event.sequence != sequence ? second : 0));
  if (posted) to.signed_number(trace::difference(expected_.post, event.post));
  if (elsewhere) to.number(expected_.context = event.context);
  to.signed_number(event.peer);
  if (event.sequence != sequence) to.signed_number(trace::difference(sequence, event.sequence));
  if (event.kind != EventKind::sent) sequence = event.sequence + 1;
  if (event.kind == EventKind::found) {
    to.byte(static_cast<unsigned>(event.operation) | (event.count != 0 ? first : 0));
    to.number(event.what);
  }
  if (event.kind != EventKind::send) return;
  to.signed_number(event.tag);
  to.number(event.length << 3 | static_cast<unsigned>(event.mode));
  to.word(event.check);
}

void Encoder::put_other(Event const& event, Put& to) {
  auto const kind = static_cast<unsigned>(event.kind);
  switch (event.kind) {
    case EventKind::call:
      to.byte(kind | (event.call != expected_.call + 1 ? first : 0));
      if (event.call != expected_.call + 1)
        to.signed_number(trace::difference(expected_.call, event.call));
      to.number(event.site);
      to.signed_number(event.time - expected_.time);
      expected_.call = event.call;
      expected_.time = event.time;
      return;
    case EventKind::post:
      to.byte(kind | (event.post != expected_.post + 1 ? first : 0));
      if (event.post != expected_.post + 1)
        to.signed_number(trace::difference(expected_.post, event.post));
      to.number(event.what);
      expected_.post = event.post;
      return;
    case EventKind::missed:
      to.byte(kind | (event.operation != OpKind::test ? first : 0));
      if (event.operation != OpKind::test) to.number(event.what);
      to.byte(static_cast<unsigned>(event.operation));
      to.number(event.count);
      return to.number(expected_.call = event.call);
    case EventKind::taken:
    case EventKind::unsent:
    case EventKind::lost:
      to.byte(kind);
      to.signed_number(event.peer);
      return to.number(event.sequence);
    case EventKind::cancelled:
    case EventKind::handler:
      to.byte(kind);
      return to.number(event.post);
    case EventKind::tested:
      to.byte(kind | (event.number > 1 ? first : 0) |
              (event.operation == OpKind::wait_any ? second : 0));
      if (event.number > 1) {
        to.number(event.number);
        put_list(event.ranks, to);
      }
      return to.number(event.count);
    case EventKind::end:
      to.byte(kind);
      return to.number(event.count);
    case EventKind::unreleased:
      to.byte(kind);
      to.number(event.site);
      return to.number(event.count);
    case EventKind::mistyped:
      to.byte(kind);
      to.signed_number(event.peer);
      to.number(event.sequence);
      to.number(event.what);
      return to.number(event.count);
    case EventKind::send_completed:
      to.byte(kind);
      to.signed_number(event.peer);
      to.number(event.sequence);
      return to.number(event.count);
    case EventKind::collective_types:
      to.byte(kind);
      to.number(event.what);
      return to.number(event.count);
    case EventKind::collective:
      to.byte(kind);
      to.number(event.what);
      to.byte(static_cast<unsigned>(event.flow));
      to.number(event.context);
      to.number(event.number);
      to.number(event.root);
      to.number(event.count);
      return to.number(event.length);
    case EventKind::exec:
      to.byte(kind);
      to.number(event.number);
      return put_list(event.ranks, to);
    case EventKind::meeting:
      to.byte(kind);
      to.number(event.number);
      to.number(event.what);
      return to.number(event.count);
    case EventKind::label:
      to.byte(kind);
      to.number(event.context);
      return to.text(cut(event.text));
    case EventKind::notice:
      to.byte(kind);
      to.number(event.sequence);
      return to.text(cut(event.text));
    case EventKind::waited:
      to.byte(kind);
      return to.number(static_cast<std::uint64_t>(event.time));
    default:
      return to.byte(kind);
  }
}

bool Decoder::get(Get& from, Event& event) {
  auto const head = from.byte();
  auto const flags = head & ~kind_bits;
  if (!from.ok() || (head & kind_bits) > last_event_kind) return from.bytes(from.left()), false;
  event.kind = static_cast<EventKind>(head & kind_bits);
  if (is_definition(event.kind)) {
    if (!get_definition(from, event)) return from.bytes(from.left()), false;
  } else if (is_of_message(event.kind)) {
    get_message(from, event, flags);
  } else {
    get_other(from, event, flags);
  }
  return from.ok();
}

bool Decoder::get_definition(Get& from, Event& event) {
  if (event.kind == EventKind::filter) return get_filter(from, event.filter);
  if (event.kind == EventKind::members) return get_list(from, event.ranks), from.ok();
  if (event.kind == EventKind::site) {
    event.count = from.number();
    event.offset = from.number();
  }
  event.text = from.text();
  if (event.kind == EventKind::module) event.more = from.text();
  return from.ok();
}

void Decoder::get_message(Get& from, Event& event, unsigned flags) {
  bool const said = (flags & first) != 0;
  if (has_post(event.kind))
    event.post = said ? trace::moved(expected_.post, from.signed_number()) : expected_.post;
  if (event.kind == EventKind::completed) return;
  if (event.kind == EventKind::send)
    event.context = expected_.context = said ? from.number() : expected_.context;
  event.peer = static_cast<std::int32_t>(from.signed_number());
  auto& sequence = sequence_of(expected_, event);
  event.sequence = (flags & second) != 0 ? trace::moved(sequence, from.signed_number()) : sequence;
  if (event.kind != EventKind::sent) sequence = event.sequence + 1;
  if (event.kind == EventKind::found) {
    auto const how = from.byte();
    event.operation = static_cast<OpKind>(std::min(how & kind_bits, last_operation));
    event.count = (how & first) != 0 ? 1 : 0;
    event.what = static_cast<std::uint32_t>(from.number());
  }
  if (event.kind != EventKind::send) return;
  event.tag = static_cast<std::int32_t>(from.signed_number());
  auto const length = from.number();
  event.length = length >> 3;
  event.mode = static_cast<Mode>(std::min<std::uint64_t>(length & 7, last_mode));
  event.check = from.word();
}

void Decoder::get_other(Get& from, Event& event, unsigned flags) {
  bool const said = (flags & first) != 0;
  switch (event.kind) {
    case EventKind::call:
      event.call = said ? trace::moved(expected_.call, from.signed_number()) : expected_.call + 1;
      event.site = static_cast<std::uint32_t>(from.number());
      event.time = static_cast<std::int64_t>(
          trace::moved(static_cast<std::uint64_t>(expected_.time), from.signed_number()));
      expected_.call = event.call;
      expected_.time = event.time;
      return;
    case EventKind::post:
      event.post = said ? trace::moved(expected_.post, from.signed_number()) : expected_.post + 1;
      event.what = static_cast<std::uint32_t>(from.number());
      expected_.post = event.post;
      return;
    case EventKind::missed:
      event.what = said ? static_cast<std::uint32_t>(from.number()) : no_filter;
      event.operation = static_cast<OpKind>(std::min(from.byte(), last_operation));
      event.count = from.number();
      event.call = expected_.call = from.number();
      return;
    case EventKind::taken:
    case EventKind::unsent:
    case EventKind::lost:
      event.peer = static_cast<std::int32_t>(from.signed_number());
      event.sequence = from.number();
      return;
    case EventKind::cancelled:
    case EventKind::handler:
      event.post = from.number();
      return;
    case EventKind::tested:
      event.operation = (flags & second) != 0 ? OpKind::wait_any : OpKind::test;
      event.number = said ? from.number() : 1;
      event.ranks.clear();
      if (said) get_list(from, event.ranks);
      event.count = from.number();
      return;
    case EventKind::end:
      event.count = from.number();
      return;
    case EventKind::unreleased:
      event.site = static_cast<std::uint32_t>(from.number());
      event.count = from.number();
      return;
    case EventKind::mistyped:
      event.peer = static_cast<std::int32_t>(from.signed_number());
      event.sequence = from.number();
      event.what = static_cast<std::uint32_t>(from.number());
      event.count = from.number();
      return;
    case EventKind::send_completed:
      event.peer = static_cast<std::int32_t>(from.signed_number());
      event.sequence = from.number();
      event.count = from.number();
      return;
    case EventKind::collective_types:
      event.what = static_cast<std::uint32_t>(from.number());
      event.count = from.number();
      return;
    case EventKind::collective:
      event.what = static_cast<std::uint32_t>(from.number());
      event.flow = static_cast<DataFlow>(std::min(from.byte(), last_flow));
      event.context = from.number();
      event.number = from.number();
      event.root = from.number();
      event.count = from.number();
      event.length = from.number();
      return;
    case EventKind::exec:
      event.number = from.number();
      return get_list(from, event.ranks);
    case EventKind::meeting:
      event.number = from.number();
      event.what = static_cast<std::uint32_t>(from.number());
      event.count = from.number();
      return;
    case EventKind::label:
      event.context = from.number();
      event.text = from.text();
      return;
    case EventKind::notice:
      event.sequence = from.number();
      event.text = from.text();
      return;
    case EventKind::waited:
      event.time = static_cast<std::int64_t>(from.number());
      return;
    default:
      return;
  }
}

}  // namespace earl::events
