// SPDX-License-Identifier: BSD-3-Clause
#include "debug/trace/codec.hpp"

#include <algorithm>

namespace earl::trace {

namespace {

// The second byte of the others: the fields that follow because they are not as expected.
constexpr unsigned new_site = 1;
constexpr unsigned new_event = 2;
constexpr unsigned new_post = 4;
constexpr unsigned new_selector = 8;
constexpr unsigned new_sequence = 16;
constexpr unsigned new_kind = 32;
constexpr unsigned says_yes = 64;

constexpr std::int32_t lowest_source = number(exec_rank);
constexpr std::uint64_t most_sources = (1U << 29) + 3;
constexpr unsigned last_kind_of_operation = static_cast<unsigned>(OpKind::collective);

void put_selector(Selector const& selector, Put& to) {
  to.byte(static_cast<unsigned>(selector.kind) | (selector.any_context ? 16U : 0U) |
          (selector.sources != 0 ? 32U : 0U));
  to.signed_number(selector.source);
  if (selector.sources != 0) to.word(selector.sources);
  to.signed_number(selector.low);
  to.signed_number(selector.high);
  to.number(selector.bits);
  to.number(selector.context);
}

bool get_selector(Get& from, Selector& selector) {
  auto const flags = from.byte();
  if ((flags & 15U) > static_cast<unsigned>(TagMatch::Kind::mask)) return false;
  selector.kind = static_cast<TagMatch::Kind>(flags & 15U);
  selector.any_context = (flags & 16U) != 0;
  selector.source = static_cast<std::int32_t>(from.signed_number());
  selector.sources = (flags & 32U) != 0 ? from.word() : 0;
  selector.low = static_cast<std::int32_t>(from.signed_number());
  selector.high = static_cast<std::int32_t>(from.signed_number());
  selector.bits = static_cast<std::uint32_t>(from.number());
  selector.context = from.number();
  return from.ok();
}

void put_source(Rank source, Put& to) {
  to.number(static_cast<std::uint64_t>(number(source) - lowest_source));
}

bool get_source(Get& from, Rank& source) {
  auto const value = from.number();
  if (!from.ok() || value >= most_sources) return false;
  source = Rank{static_cast<std::int32_t>(value) + lowest_source};
  return true;
}

void put_positions(Outcome const& outcome, Put& to) {
  to.number(outcome.positions.size());
  std::uint32_t last = 0;
  for (auto const position : outcome.positions) {
    to.signed_number(difference(last, position));
    last = position;
  }
}

bool get_positions(Get& from, Outcome& outcome) {
  auto const count = from.number();
  if (count > from.left()) return false;
  std::uint32_t last = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    last = static_cast<std::uint32_t>(moved(last, from.signed_number()));
    outcome.positions.push_back(last);
  }
  return from.ok();
}

std::string_view cut(std::string const& text) {
  return std::string_view{text}.substr(0, most_text);
}

void put_content(Outcome const& outcome, Predictions const& expected, Put& to) {
  switch (outcome.what) {
    case OutcomeKind::misses:
    case OutcomeKind::shared_memory:
      return to.number(outcome.count);
    case OutcomeKind::tested:
      return put_positions(outcome, to);
    case OutcomeKind::clock:
      return to.signed_number(outcome.value - expected.clock());
    case OutcomeKind::exec:
      to.number(outcome.count);
      to.number(static_cast<std::uint64_t>(outcome.value));
      return to.text(cut(outcome.text));
    case OutcomeKind::hash:
      to.number(outcome.event / hash_every - expected.hash_block());
      return to.word(static_cast<std::uint32_t>(outcome.count));
    case OutcomeKind::site:
      to.number(outcome.site);
      to.number(outcome.count);
      to.number(static_cast<std::uint64_t>(outcome.value));
      return to.text(cut(outcome.text));
    case OutcomeKind::label:
      to.number(static_cast<std::uint64_t>(outcome.value));
      return to.text(cut(outcome.text));
    case OutcomeKind::module:
      to.number(outcome.count);
      to.text(cut(outcome.text));
      return to.text(cut(outcome.more));
    case OutcomeKind::served:
      put_source(outcome.id.source, to);
      to.number(outcome.count);
      to.number(static_cast<std::uint64_t>(outcome.value));
      return to.text(cut(outcome.text));
    case OutcomeKind::died:
      put_source(outcome.id.source, to);
      return to.signed_number(outcome.value);
    case OutcomeKind::printed:
      put_source(outcome.id.source, to);
      to.number(outcome.count);
      return to.number(static_cast<std::uint64_t>(outcome.value));
    case OutcomeKind::named:
      return put_source(outcome.id.source, to);
    case OutcomeKind::input:
    case OutcomeKind::sends:
    case OutcomeKind::contributions:
    case OutcomeKind::free_receives:
      to.number(outcome.count);
      return to.text(cut(outcome.text));
    case OutcomeKind::handler:
      to.number(outcome.count);
      to.number(outcome.post);
      put_source(outcome.id.source, to);
      return to.number(outcome.id.sequence);
    default:
      return;
  }
}

bool get_content(Get& from, Predictions const& expected, Outcome& outcome) {
  switch (outcome.what) {
    case OutcomeKind::misses:
    case OutcomeKind::shared_memory:
      outcome.count = from.number();
      return from.ok();
    case OutcomeKind::tested:
      return get_positions(from, outcome);
    case OutcomeKind::clock:
      outcome.value = static_cast<std::int64_t>(
          moved(static_cast<std::uint64_t>(expected.clock()), from.signed_number()));
      return from.ok();
    case OutcomeKind::served:
      if (!get_source(from, outcome.id.source)) return false;
      [[fallthrough]];
    case OutcomeKind::exec:
      outcome.count = from.number();
      outcome.value = static_cast<std::int64_t>(from.number());
      outcome.text = from.text();
      return from.ok();
    case OutcomeKind::hash:
      outcome.event = (from.number() + expected.hash_block()) * hash_every;
      outcome.count = from.word();
      return from.ok();
    case OutcomeKind::site:
      outcome.site = static_cast<std::uint32_t>(std::min<std::uint64_t>(from.number(), no_site));
      outcome.count = from.number();
      outcome.value = static_cast<std::int64_t>(from.number());
      outcome.text = from.text();
      return from.ok() && outcome.site < most_sites;
    case OutcomeKind::label:
      outcome.value = static_cast<std::int64_t>(from.number());
      outcome.text = from.text();
      return from.ok();
    case OutcomeKind::module:
      outcome.count = from.number();
      outcome.text = from.text();
      outcome.more = from.text();
      return from.ok();
    case OutcomeKind::handler:
      outcome.count = from.number();
      outcome.post = from.number();
      if (!get_source(from, outcome.id.source)) return false;
      outcome.id.sequence = from.number();
      return from.ok();
    case OutcomeKind::died:
      if (!get_source(from, outcome.id.source)) return false;
      outcome.value = from.signed_number();
      return from.ok();
    case OutcomeKind::named:
      return get_source(from, outcome.id.source);
    case OutcomeKind::printed:
      if (!get_source(from, outcome.id.source)) return false;
      outcome.count = from.number();
      outcome.value = static_cast<std::int64_t>(from.number());
      return from.ok();
    case OutcomeKind::input:
    case OutcomeKind::sends:
    case OutcomeKind::contributions:
    case OutcomeKind::free_receives:
      outcome.count = from.number();
      outcome.text = from.text();
      return from.ok();
    default:
      return from.ok();
  }
}

}  // namespace

std::size_t Encoder::put(Outcome const& outcome, std::byte* to) {
  Put record(to);
  put_long(outcome, record);
  expected_.learn(outcome);
  return record.size();
}

void Encoder::put_long(Outcome const& outcome, Put& to) const {
  to.byte(first_code + static_cast<unsigned>(outcome.what));
  if (Predictions::has_site(outcome.what)) put_asked(outcome, to);
  put_content(outcome, expected_, to);
}

void Encoder::put_asked(Outcome const& outcome, Put& to) const {
  auto const site = outcome.site;
  unsigned flags = outcome.yes ? says_yes : 0;
  if (site != expected_.site()) flags |= new_site;
  if (outcome.kind != expected_.kind(site)) flags |= new_kind;
  if (outcome.event != expected_.event(site)) flags |= new_event;
  if (Predictions::has_post(outcome.what) && outcome.post != expected_.post(site))
    flags |= new_post;
  if (Predictions::has_selector(outcome.what) && outcome.selector != expected_.selector(site))
    flags |= new_selector;
  auto const sequence =
      Predictions::has_id(outcome.what) ? expected_.sequence(outcome.id.source) : 0;
  if (Predictions::has_id(outcome.what) && outcome.id.sequence != sequence) flags |= new_sequence;

  to.byte(flags);
  if ((flags & new_site) != 0) to.number(site);
  if ((flags & new_kind) != 0) to.byte(static_cast<unsigned>(outcome.kind));
  if ((flags & new_event) != 0) to.signed_number(difference(expected_.event(site), outcome.event));
  if ((flags & new_post) != 0) to.signed_number(difference(expected_.post(site), outcome.post));
  if ((flags & new_selector) != 0) put_selector(outcome.selector, to);
  if (Predictions::has_id(outcome.what)) put_source(outcome.id.source, to);
  if ((flags & new_sequence) != 0) to.signed_number(difference(sequence, outcome.id.sequence));
}

bool Decoder::get(Get& from, Outcome& outcome) {
  outcome = {};
  auto const first = from.byte();
  if (!from.ok()) return false;
  if (first < first_code)
    get_short(first, outcome);
  else if (first - first_code > last_outcome_kind ||
           !get_long(static_cast<OutcomeKind>(first - first_code), from, outcome))
    return from.bytes(from.left()), false;
  expected_.learn(outcome);
  return true;
}

void Decoder::get_short(unsigned source, Outcome& outcome) const {
  outcome.what = OutcomeKind::receive;
  outcome.site = expected_.site();
  outcome.kind = expected_.kind(outcome.site);
  outcome.event = expected_.event(outcome.site);
  outcome.post = expected_.post(outcome.site);
  outcome.selector = expected_.selector(outcome.site);
  outcome.id.source = Rank{static_cast<std::int32_t>(source)};
  outcome.id.sequence = expected_.sequence(outcome.id.source);
}

bool Decoder::get_long(OutcomeKind what, Get& from, Outcome& outcome) const {
  outcome.what = what;
  if (Predictions::has_site(what) && !get_asked(from, outcome)) return false;
  return get_content(from, expected_, outcome);
}

bool Decoder::get_asked(Get& from, Outcome& outcome) const {
  auto const flags = from.byte();
  outcome.yes = (flags & says_yes) != 0;
  auto const site = (flags & new_site) != 0 ? from.number() : expected_.site();
  if (!from.ok() || site >= most_sites) return false;
  outcome.site = static_cast<std::uint32_t>(site);
  outcome.kind = expected_.kind(outcome.site);
  if ((flags & new_kind) != 0) {
    auto const kind = from.byte();
    if (kind > last_kind_of_operation) return false;
    outcome.kind = static_cast<OpKind>(kind);
  }
  outcome.event = expected_.event(outcome.site);
  if ((flags & new_event) != 0) outcome.event = moved(outcome.event, from.signed_number());
  if (Predictions::has_post(outcome.what)) {
    outcome.post = expected_.post(outcome.site);
    if ((flags & new_post) != 0) outcome.post = moved(outcome.post, from.signed_number());
  }
  if (Predictions::has_selector(outcome.what)) {
    outcome.selector = expected_.selector(outcome.site);
    if ((flags & new_selector) != 0 && !get_selector(from, outcome.selector)) return false;
  }
  if (!Predictions::has_id(outcome.what)) return from.ok();
  if (!get_source(from, outcome.id.source)) return false;
  outcome.id.sequence = expected_.sequence(outcome.id.source);
  if ((flags & new_sequence) != 0)
    outcome.id.sequence = moved(outcome.id.sequence, from.signed_number());
  return from.ok();
}

std::vector<Outcome> decode(Bytes bytes, bool* whole) {
  std::vector<Outcome> outcomes;
  Decoder decoder;
  Get from(bytes);
  Outcome outcome;
  bool all = true;
  while (!from.at_end()) {
    all = decoder.get(from, outcome);
    if (!all) break;
    outcomes.push_back(std::move(outcome));
  }
  if (whole != nullptr) *whole = all;
  return outcomes;
}

}  // namespace earl::trace
