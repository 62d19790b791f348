// SPDX-License-Identifier: BSD-3-Clause
#include "debug/trace/predictions.hpp"

#include <algorithm>

namespace earl::trace {

namespace {

Predictions::Site const unknown_site{};

}  // namespace

bool Predictions::has_site(OutcomeKind what) {
  switch (what) {
    case OutcomeKind::receive:
    case OutcomeKind::probe:
    case OutcomeKind::hit:
    case OutcomeKind::misses:
    case OutcomeKind::tested:
    case OutcomeKind::cancel:
    case OutcomeKind::pending:
    case OutcomeKind::clock:
    case OutcomeKind::exec:
    case OutcomeKind::handler:
      return true;
    default:
      return false;
  }
}

bool Predictions::has_selector(OutcomeKind what) {
  return what == OutcomeKind::receive || what == OutcomeKind::probe || what == OutcomeKind::hit ||
         what == OutcomeKind::pending;
}

bool Predictions::has_post(OutcomeKind what) {
  return what == OutcomeKind::receive || what == OutcomeKind::cancel ||
         what == OutcomeKind::pending;
}

bool Predictions::has_id(OutcomeKind what) {
  return what == OutcomeKind::receive || what == OutcomeKind::probe || what == OutcomeKind::hit;
}

void Predictions::reset() {
  for (auto& site : sites_) site = {};
  for (auto& channel : channels_) channel = {};
  last_site_ = no_site;
  next_site_ = 0;
  event_ = post_ = hash_block_ = 0;
  clock_ = 0;
}

Predictions::Site const& Predictions::at(std::uint32_t site) const {
  return site < sites_.size() ? sites_[site] : unknown_site;
}

Selector Predictions::selector(std::uint32_t site) const {
  auto const& known = at(site);
  auto selector = known.selector;
  selector.low = sum(selector.low, known.tag_steps.next());
  return selector;
}

std::uint64_t Predictions::sequence(Rank source) const {
  auto const channel = channel_of(source);
  if (channel >= channels_.size()) return 0;
  return moved(channels_[channel].last, channels_[channel].step);
}

void Predictions::learn(Outcome const& outcome) {
  if (outcome.what == OutcomeKind::hash) hash_block_ = outcome.event / hash_every;
  if (!has_site(outcome.what)) return;
  learn_site(outcome);
  if (has_id(outcome.what)) learn_channel(outcome.id);
  if (outcome.what == OutcomeKind::clock) clock_ = outcome.value;
}

void Predictions::learn_site(Outcome const& outcome) {
  if (outcome.site >= sites_.size()) sites_.resize(outcome.site + std::size_t{1});
  if (last_site_ != no_site) sites_[last_site_].next = outcome.site;
  auto& site = sites_[outcome.site];
  if (has_selector(outcome.what)) {
    if (site.known)
      site.tag_steps.take(sum(outcome.selector.low, -std::int64_t{site.selector.low}));
    site.selector = outcome.selector;
    site.known = true;
  }
  site.kind = outcome.kind;
  note_narrow(site);
  site.event_step = difference(event_, outcome.event);
  event_ = outcome.event;
  if (has_post(outcome.what)) {
    site.post_step = difference(post_, outcome.post);
    post_ = outcome.post;
  }
  if (site.next == no_site) site.next = outcome.site;
  last_site_ = outcome.site;
  next_site_ = site.next;
}

/// For take() of a Receipt.
void Predictions::note_narrow(Site& site) {
  auto const& selector = site.selector;
  bool const any = selector.kind == TagMatch::Kind::any;
  bool const fits = site.known && site.kind == OpKind::receive && is_narrow(selector) &&
                    selector.source == number(any_rank) && !(any && site.tag_steps.step() != 0);
  site.context = fits ? selector.context : no_context;
  site.tag = any ? any_tag : Tag{selector.low};
}

bool Predictions::take(Received const& received) {
  auto const source = static_cast<std::uint32_t>(number(received.id.source));
  if (received.site != next_site_ || source >= short_sources_) return false;
  Site& here = sites_[next_site_];
  Channel& from = channels_[first_channel + source];
  auto const step = here.tag_steps.next();
  auto selector = here.selector;
  selector.low = sum(selector.low, step);
  bool const expected = here.known && here.kind == OpKind::receive &&
                        received.id.sequence == moved(from.last, from.step) &&
                        received.event == moved(event_, here.event_step) &&
                        received.post == moved(post_, here.post_step) &&
                        received.selector == selector;
  if (!expected) return false;
  here.selector.low = selector.low;
  here.tag_steps.take(step);
  note_narrow(here);
  take(here, from, received);
  return true;
}

void Predictions::learn_channel(MessageId const& id) {
  auto const at = channel_of(id.source);
  if (at >= channels_.size()) {
    channels_.resize(at + std::size_t{1});
    auto const sources = channels_.size() - std::min(channels_.size(), first_channel);
    short_sources_ = static_cast<std::uint32_t>(std::min<std::size_t>(sources, first_code));
  }
  auto& channel = channels_[at];
  channel.step = channel.last == unknown ? 1 : difference(channel.last, id.sequence);
  channel.last = id.sequence;
}

}  // namespace earl::trace
