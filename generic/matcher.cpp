// SPDX-License-Identifier: BSD-3-Clause
#include "generic/matcher.hpp"

#include <algorithm>
#include <utility>

#include "generic/base/short_copy.hpp"

namespace earl {

namespace {

std::uint64_t bits_of(Context context) { return static_cast<std::uint64_t>(context); }
std::uint32_t bits_of(Tag tag) { return static_cast<std::uint32_t>(number(tag)); }
std::uint32_t bits_of(Rank rank) { return static_cast<std::uint32_t>(number(rank)); }

ChainKey key_of(Context context) { return {bits_of(context), 0}; }
ChainKey key_of(Context context, Tag tag) { return {bits_of(context), bits_of(tag)}; }
ChainKey key_of(Context context, Rank source) { return {bits_of(context), bits_of(source)}; }

Arrival* older(Arrival* a, Arrival* b) { return !b || (a && a->number < b->number) ? a : b; }

template <std::size_t Which>
Arrival* first_accepted(List<Arrival, Which> const* list, MatchSpec const& spec) {
  for (Arrival* arrival = list ? list->first() : nullptr; arrival; arrival = list->after(*arrival))
    if (spec.accepts(arrival->envelope)) return arrival;
  return nullptr;
}

}  // namespace

Arrival& UnexpectedQueue::enqueue(Envelope const& envelope, MessageId const& id) {
  Arrival& arrival = slab_.take();
  arrival.number = arrivals_++;
  arrival.envelope = envelope;
  arrival.id = id;
  arrival.charged = false;
  if (all_.empty()) {
    only_ = &arrival;
  } else {
    if (only_) file(*std::exchange(only_, nullptr));
    file(arrival);
  }
  all_.push_back(arrival);
  return arrival;
}

void UnexpectedQueue::file(Arrival& arrival) {
  Envelope const& envelope = arrival.envelope;
  arrival.by_context = &by_context_.get(key_of(envelope.context));
  arrival.by_tag = &by_tag_.get(key_of(envelope.context, envelope.tag));
  arrival.by_source = &by_source_.get(key_of(envelope.context, envelope.source));
  arrival.by_context->push_back(arrival);
  arrival.by_tag->push_back(arrival);
  arrival.by_source->push_back(arrival);
}

Arrival& UnexpectedQueue::add(Envelope const& envelope, MessageId const& id, Bytes payload) {
  bool const is_large = payload.size() > Arrival::inside;
  Buffer large = is_large ? Buffer{Gather{payload}} : Buffer{};
  Arrival& arrival = enqueue(envelope, id);
  arrival.offered = false;
  if (is_large)
    arrival.large = std::move(large);
  else
    copy_short(payload, arrival.little);
  return arrival;
}

Arrival& UnexpectedQueue::add_offer(Envelope const& envelope, MessageId const& id,
                                    Offer const& offer) {
  Arrival& arrival = enqueue(envelope, id);
  arrival.offered = true;
  ++offers_;
  copy(bytes_of(offer), arrival.little);
  return arrival;
}

void UnexpectedQueue::fill(Arrival& arrival, Buffer body) {
  arrival.offered = false;
  --offers_;
  if (body.size() <= Arrival::inside)
    copy(body.bytes(), arrival.little);
  else
    arrival.large = std::move(body);
}

void UnexpectedQueue::remove(Arrival& arrival) {
  if (arrival.offered) [[unlikely]]
    --offers_;
  all_.remove(arrival);
  if (only_) {
    only_ = nullptr;
  } else {
    arrival.by_context->remove(arrival);
    arrival.by_tag->remove(arrival);
    arrival.by_source->remove(arrival);
  }
  if (!arrival.large.empty()) arrival.large = {};
  slab_.release(arrival);
}

Arrival* UnexpectedQueue::find_beyond(MatchSpec const& spec, std::uint64_t most) const {
  std::uint64_t kept = 0;
  for (auto* arrival = all_.first(); arrival; arrival = all_.after(*arrival)) {
    if (!accepts(spec, *arrival)) continue;
    kept += arrival->envelope.length;
    if (kept > most) return arrival;
  }
  return nullptr;
}

std::size_t UnexpectedQueue::user_messages() const {
  std::size_t count = 0;
  for (auto const* arrival = all_.first(); arrival; arrival = all_.after(*arrival))
    count += space_of(arrival->envelope.context) == Space::user ? 1U : 0U;
  return count;
}

std::vector<Arrival const*> UnexpectedQueue::oldest_in(Space space, std::size_t most) const {
  std::vector<Arrival const*> found;
  for (auto const* arrival = all_.first(); arrival && found.size() < most;
       arrival = all_.after(*arrival))
    if (space_of(arrival->envelope.context) == space) found.push_back(arrival);
  return found;
}

Arrival* UnexpectedQueue::find_filed(MatchSpec const& spec) const {
  if (spec.nothing) return nullptr;
  if (spec.pinned) return find_pinned(spec);
  if (spec.buffered_only) [[unlikely]]
    return find_buffered(spec);
  if (spec.any_user_context) return first_accepted(&all_, spec);
  switch (spec.tag.kind) {
    case TagMatch::Kind::exact:
      return find_tag(spec, Tag{spec.tag.low});
    case TagMatch::Kind::list:
      return find_listed(spec);
    case TagMatch::Kind::mask:
      return find_masked(spec);
    default:
      return find_in_context(spec);
  }
}

Arrival* UnexpectedQueue::find_pinned(MatchSpec const& spec) const {
  auto first = [&](auto const* list) -> Arrival* {
    for (auto* arrival = list ? list->first() : nullptr; arrival; arrival = list->after(*arrival))
      if (is_pinned_to(spec, arrival->envelope, arrival->id)) return arrival;
    return nullptr;
  };
  if (spec.any_user_context) return first(&all_);
  if (!spec.guard) return first(by_source_.find(key_of(spec.context, spec.source)));
  auto const* chain = by_context_.find(key_of(spec.context));
  if (!chain || chain->size() <= 4 * spec.guard->sources().size()) return first(chain);
  return find_admitted(spec);
}

/// Looks at the oldest message of each source: most of a long queue may be for others.
Arrival* UnexpectedQueue::find_admitted(MatchSpec const& spec) const {
  Arrival* oldest = nullptr;
  for (Rank const source : spec.guard->sources()) {
    auto* const arrival = first_accepted(by_source_.find(key_of(spec.context, source)), spec);
    if (arrival && spec.guard->admits(arrival->envelope, arrival->id))
      oldest = older(oldest, arrival);
  }
  return oldest;
}

Arrival* UnexpectedQueue::find_tag(MatchSpec const& spec, Tag tag) const {
  auto const* by_tag = by_tag_.find(key_of(spec.context, tag));
  if (!by_tag || by_tag->empty()) return nullptr;
  if (spec.source == any_rank) {
    if (spec.sources.empty()) return by_tag->first();
    return first_accepted(by_tag, spec);
  }
  auto const* by_source = by_source_.find(key_of(spec.context, spec.source));
  if (!by_source || by_source->empty()) return nullptr;
  // Both chains hold the wanted messages in order of arrival: the shorter one has fewer others.
  if (by_source->size() >= by_tag->size()) return first_accepted(by_tag, spec);
  for (auto* arrival = by_source->first(); arrival; arrival = by_source->after(*arrival))
    if (arrival->envelope.tag == tag) return arrival;
  return nullptr;
}

Arrival* UnexpectedQueue::find_listed(MatchSpec const& spec) const {
  Arrival* oldest = nullptr;
  for (const Tag tag : spec.tag.tags) oldest = older(oldest, find_tag(spec, tag));
  return oldest;
}

Arrival* UnexpectedQueue::find_masked(MatchSpec const& spec) const {
  constexpr std::uint32_t every_large_tag = 1U << 30;
  if ((spec.tag.bits & every_large_tag) != 0) return find_in_context(spec);
  Arrival* oldest = nullptr;
  for (std::uint32_t bits = spec.tag.bits; bits != 0; bits &= bits - 1)
    oldest = older(oldest, find_tag(spec, Tag{__builtin_ctz(bits)}));
  return oldest;
}

Arrival* UnexpectedQueue::find_in_context(MatchSpec const& spec) const {
  if (spec.source != any_rank)
    return first_accepted(by_source_.find(key_of(spec.context, spec.source)), spec);
  return first_accepted(by_context_.find(key_of(spec.context)), spec);
}

Arrival* UnexpectedQueue::find_buffered(MatchSpec const& spec) const {
  auto first = [&](auto const* list) -> Arrival* {
    for (auto* arrival = list ? list->first() : nullptr; arrival; arrival = list->after(*arrival))
      if (arrival->envelope.mode != Mode::synchronous && spec.accepts(arrival->envelope))
        return arrival;
    return nullptr;
  };
  if (spec.any_user_context) return first(&all_);
  if (spec.tag.kind == TagMatch::Kind::exact)
    return first(by_tag_.find(key_of(spec.context, Tag{spec.tag.low})));
  if (spec.source != any_rank) return first(by_source_.find(key_of(spec.context, spec.source)));
  return first(by_context_.find(key_of(spec.context)));
}

Arrival* UnexpectedQueue::find_offer(Rank source, TransferId transfer) const {
  for (auto* arrival = all_.first(); arrival; arrival = all_.after(*arrival))
    if (arrival->offered && arrival->envelope.source == source &&
        arrival->offer().transfer == transfer)
      return arrival;
  return nullptr;
}

std::vector<Arrival*> UnexpectedQueue::offers_of(Rank source) const {
  std::vector<Arrival*> offers;
  if (offers_ == 0) return offers;
  for (auto* arrival = all_.first(); arrival; arrival = all_.after(*arrival))
    if (arrival->offered && arrival->envelope.source == source) offers.push_back(arrival);
  return offers;
}

Arrival* UnexpectedQueue::find_from(Request const& sender) const {
  for (auto* arrival = all_.first(); arrival; arrival = all_.after(*arrival))
    if (arrival->sender == &sender) return arrival;
  return nullptr;
}

namespace {

/// The key of a bucket: its context, its fixed parts (top bits, so that kinds never meet), the
/// rest.
ChainKey bucket_key(Context context, std::size_t fixed, std::uint32_t source, std::uint32_t tag) {
  constexpr unsigned kind_at = 60;  // space_of() uses the top byte's low bits, far below 16 spaces
  return {bits_of(context) ^ std::uint64_t{fixed + 1} << kind_at,
          std::uint64_t{source} << 32 | tag};
}

}  // namespace

void PostedQueue::file_all() {
  if (only_) push(*std::exchange(only_, nullptr));
  while (Request* const first = listed_.first()) {
    listed_.remove(*first);
    list_for(*first).push_back(*first);
  }
}

void PostedQueue::put_back(Request& request) {
  if (++size_ == 1) {
    only_ = &request;
    return;
  }
  file_all();
  auto& list = list_for(request);
  auto* younger = list.first();
  while (younger && younger->number < request.number) younger = list.after(*younger);
  list.insert(request, younger);
}

/// Where it waits; counts it there.
List<Request, 0>& PostedQueue::list_for(Request& request) {
  MatchSpec const& spec = request.spec;
  request.filed = true;
  bool const every_tag = spec.tag.kind == TagMatch::Kind::any;
  bool const odd = spec.pinned || spec.nothing || spec.any_user_context || !spec.sources.empty() ||
                   (!every_tag && spec.tag.kind != TagMatch::Kind::exact);
  if (odd) {
    request.chain = nullptr;
    return odd_;
  }
  bool const any_source = spec.source == any_rank;
  const Fixed fixed =
      any_source ? (every_tag ? neither : tag_only) : (every_tag ? source_only : both);
  ++in_bucket_[fixed];
  request.chain =
      &buckets_.get(bucket_key(spec.context, fixed, any_source ? 0 : bits_of(spec.source),
                               every_tag ? 0 : bits_of(Tag{spec.tag.low})));
  return *request.chain;
}

void PostedQueue::take_out(Request& request) {
  if (!request.chain) return odd_.remove(request);
  auto const fixed = (request.chain->key.high ^ bits_of(request.spec.context)) >> 60;
  --in_bucket_[fixed - 1];
  request.chain->remove(request);
}

/// Most messages come in the order of their receives: then nothing is hashed.
Request* PostedQueue::find_of_several(Envelope const& envelope, MessageId const& id) {
  if (listed_.size() == size_) {
    Request* request = listed_.first();
    for (int i = 0; request && i < looked_through; ++i, request = listed_.after(*request))
      if (accepts(request->spec, envelope, id)) return request;
    if (!request) return nullptr;
  }
  file_all();
  return find_filed(envelope, id);
}

Request* PostedQueue::find_filed(Envelope const& envelope, MessageId const& id) const {
  Request* oldest = nullptr;
  auto look = [&](Fixed fixed, std::uint32_t source, std::uint32_t tag) {
    if (in_bucket_[fixed] == 0) return;
    auto const* bucket = buckets_.find(bucket_key(envelope.context, fixed, source, tag));
    Request* const first = bucket ? bucket->first() : nullptr;
    if (first && (!oldest || first->number < oldest->number)) oldest = first;
  };
  look(both, bits_of(envelope.source), bits_of(envelope.tag));
  look(tag_only, 0, bits_of(envelope.tag));
  look(source_only, bits_of(envelope.source), 0);
  look(neither, 0, 0);
  for (auto* request = odd_.first(); request; request = odd_.after(*request)) {
    if (oldest && oldest->number < request->number) break;
    if (accepts(request->spec, envelope, id)) return request;
  }
  return oldest;
}

}  // namespace earl
