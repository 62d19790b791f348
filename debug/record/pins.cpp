// SPDX-License-Identifier: BSD-3-Clause
#include "debug/record/pins.hpp"

#include <algorithm>

namespace earl::record {

std::uint64_t Pins::word_for(Rank dest) const {
  auto const peer = peers_.find(dest);
  const std::uint32_t its = peer == peers_.end() ? 0 : peer->second.receives;
  return std::uint64_t{its} << 32 | completed_;
}

/// The sender of a message to itself knows all that its receiver knows.
void Pins::sent(Rank dest, std::uint64_t sequence) {
  if (dest != rank_) return;
  words_[{rank_, sequence}] = std::uint64_t{completed_} << 32 | completed_;
}

std::uint32_t Pins::known_to_sender(MessageId const& id) const {
  auto const word = words_.find(id);
  return word == words_.end() ? 0 : static_cast<std::uint32_t>(word->second >> 32);
}

void Pins::posting(MatchSpec const& spec) {
  bool const lists_tags = spec.tag.kind == TagMatch::Kind::list;
  if (spec.sources.empty() && !lists_tags) return;
  auto const selector = trace::selector_of(spec);
  if (!spec.sources.empty())
    sources_.try_emplace(selector.sources, spec.sources.begin(), spec.sources.end());
  if (lists_tags) tags_.try_emplace(selector.bits, spec.tag.tags.begin(), spec.tag.tags.end());
}

bool Pins::accepts(trace::Selector const& selector, Rank source, Context context, Tag tag) const {
  MatchSpec spec{.source = Rank{selector.source},
                 .context = Context{selector.context},
                 .any_user_context = selector.any_context,
                 .tag = {.kind = selector.kind,
                         .low = selector.low,
                         .high = selector.high,
                         .bits = selector.bits}};
  if (selector.sources != 0) spec.sources = sources_.at(selector.sources);
  if (selector.kind == TagMatch::Kind::list) spec.tag.tags = tags_.at(selector.bits);
  return spec.accepts({.source = source, .context = context, .tag = tag});
}

bool Pins::must_pin(Received const& receive, Envelope const& envelope, Posts const& open) {
  // A long message is whole after younger ones: an older receive that waits for its bytes has been
  // matched.
  bool const overtakes = open.any_before(receive.post, [&](Received const& older) {
    return accepts(older.selector, envelope.source, envelope.context, envelope.tag);
  });
  bool const pinned = overtakes || completed_ == not_complete || races(receive, envelope);
  if (!pinned) remember(receive, envelope.source);
  matched(receive.post, envelope, receive.id);
  return pinned;
}

bool Pins::races(Received const& receive, Envelope const& envelope) const {
  auto const known = known_to_sender(receive.id);
  for (auto one = free_.rbegin(); one != free_.rend(); ++one) {
    if (one->highest <= known) return false;
    if (one->post > receive.post || one->number <= known) continue;
    if (!accepts(one->selector, envelope.source, envelope.context, envelope.tag)) continue;
    bool const behind =
        one->source == envelope.source || is_behind(*one, envelope.source, receive.id.sequence);
    if (!behind) return true;
    // All have one selector: the older ones match the same earlier message, so none of them races.
    if (uniform_) return false;
  }
  return dropped_ > known;
}

bool Pins::is_behind(Free const& one, Rank source, std::uint64_t sequence) const {
  auto const peer = peers_.find(source);
  if (peer == peers_.end()) return false;
  return std::ranges::any_of(peer->second.earlier, [&](Earlier const& earlier) {
    return earlier.post > one.post && earlier.sequence < sequence &&
           accepts(one.selector, source, earlier.context, earlier.tag);
  });
}

void Pins::remember(Received const& receive, Rank source) {
  uniform_ = uniform_ && (free_.empty() || free_.back().selector == receive.selector);
  if (free_.size() == most_free) {
    dropped_ = std::max(dropped_, free_.front().number);
    free_.pop_front();
  }
  free_.push_back({.post = receive.post, .source = source, .selector = receive.selector});
}

void Pins::update_highest(std::size_t from) {
  for (auto i = from; i < free_.size(); ++i) {
    auto const before = i == 0 ? dropped_ : free_[i - 1].highest;
    free_[i].highest = std::max(before, free_[i].number);
  }
}

void Pins::note_earlier(std::uint64_t post, Envelope const& envelope, MessageId const& id) {
  auto& earlier = peers_[envelope.source].earlier;
  auto const same = std::ranges::find_if(earlier, [&](Earlier const& one) {
    return one.context == envelope.context && one.tag == envelope.tag;
  });
  if (same != earlier.end()) earlier.erase(same);
  if (earlier.size() == most_earlier) earlier.erase(earlier.begin());
  earlier.push_back(
      {.context = envelope.context, .tag = envelope.tag, .post = post, .sequence = id.sequence});
}

std::uint64_t Pins::take_word(MessageId const& id) {
  auto const at = words_.find(id);
  if (at == words_.end()) return 0;
  auto const word = at->second;
  words_.erase(at);
  return word;
}

void Pins::matched(std::uint64_t post, Envelope const& envelope, MessageId const& id) {
  note_earlier(post, envelope, id);
  pending_.push_back({post, id.source, static_cast<std::uint32_t>(take_word(id))});
}

void Pins::taken(std::uint64_t post, Envelope const& envelope, MessageId const& id) {
  note_earlier(post, envelope, id);
  learn(id.source, static_cast<std::uint32_t>(take_word(id)));
}

void Pins::learn(Rank source, std::uint32_t receives) {
  auto& known = peers_[source].receives;
  known = std::max(known, receives);
}

void Pins::completed(std::uint64_t post) {
  if (completed_ != not_complete) ++completed_;
  for (auto i = free_.size(); i-- > 0;) {
    if (free_[i].post != post) continue;
    free_[i].number = completed_;
    update_highest(i);
    break;
  }
  for (auto i = pending_.size(); i-- > 0;) {
    if (pending_[i].post != post) continue;
    learn(pending_[i].source, pending_[i].receives);
    pending_.erase(pending_.begin() + static_cast<std::ptrdiff_t>(i));
    break;
  }
}

}  // namespace earl::record
