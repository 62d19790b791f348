// SPDX-License-Identifier: BSD-3-Clause
#include "debug/replay/recording.hpp"

#include <algorithm>

#include "debug/trace/codec.hpp"
#include "debug/trace/describe.hpp"
#include "generic/base/error.hpp"

namespace earl::replay {

using trace::Outcome;
using trace::OutcomeKind;

Recording Recording::none(std::string why) {
  Recording recording;
  recording.ending_.note = std::move(why);
  return recording;
}

Recording::Recording(std::string const& path, Rank rank, trace::RunId const& run) : path_(path) {
  scan();
  reader_ = std::make_unique<trace::TraceReader>(path_);
  if (reader_->run() != run)
    throw Error("{} is of another recording: its run id is {:x}, EXEC's stream says {:x}", path,
                reader_->run().low, run.low);
  if (reader_->rank() != rank)
    throw Error("{} is the record of {}, not of {}", path, trace::to_text(reader_->rank()),
                trace::to_text(rank));
}

// The first pass: collects the facts that are needed before the program runs.
void Recording::scan() {
  trace::TraceReader reader(path_);
  std::uint64_t last_event = 0;
  while (auto const frame = reader.next_frame()) {
    if (reader.met_gap()) break;
    reader.each(*frame, [&](auto&& outcome) {
      last_event = std::max(last_event, outcome.event);
      scan(outcome);
    });
  }
  prefix_ = reader.prefix();
  parts_ = reader.parts();
  free_sources_ = prefix_ ? prefix_->sources() : free_.sources();
  ending_ = reader.ending();
  // Nothing is known behind damage: the run can be replayed up to it.
  if (!ending_.gaps.empty()) {
    ending_.complete = false;
    ending_.misses = 0;
    ending_.events = last_event;
  }
}

void Recording::scan(Outcome const& outcome) {
  if (sites_.learn(outcome) || labels_.learn(outcome)) return;
  if (outcome.what == OutcomeKind::contributions) has_contributions_ = true;
  if (outcome.what == OutcomeKind::shared_memory) shares_memory_ = true;
  if (outcome.what == OutcomeKind::free_receives) free_.read(outcome.text);
  if (outcome.what == OutcomeKind::pending) open_.insert(outcome.post);
  if (outcome.what == OutcomeKind::cancel && outcome.yes) cancelled_.insert(outcome.post);
  if (outcome.is_loss()) losses_.push_back({outcome.id, outcome.post, outcome.names_source()});
}

bool Recording::load() {
  if (!reader_) return false;
  auto const frame = reader_->next_frame();
  if (!frame || reader_->met_gap()) {
    reader_.reset();
    if (ending_.misses == 0) return false;
    Outcome open_run;
    open_run.what = OutcomeKind::misses;
    open_run.count = ending_.misses;
    answers_.push_back(open_run);
    return true;
  }
  receives_.drop_taken();
  reader_->each(*frame, [&](auto&& outcome) { sort_in(std::forward<decltype(outcome)>(outcome)); });
  return true;
}

void Recording::sort_in(Outcome&& outcome) {
  if (outcome.what != OutcomeKind::receive) read_to_ = std::max(read_to_, outcome.event);
  switch (outcome.what) {
    case OutcomeKind::receive:
      if (outcome.is_loss()) return;
      return sort_in(received_of(outcome));
    case OutcomeKind::handler:
      handlers_.push_back(std::move(outcome));
      return;
    case OutcomeKind::sends:
      return sends_.add(std::move(outcome.text));
    case OutcomeKind::contributions:
      return contributions_.add(std::move(outcome.text));
    case OutcomeKind::hash:
      hashes_.push_back(std::move(outcome));
      return;
    case OutcomeKind::probe:
    case OutcomeKind::hit:
    case OutcomeKind::misses:
    case OutcomeKind::tested:
    case OutcomeKind::cancel:
    case OutcomeKind::clock:
    case OutcomeKind::exec:
      answers_.push_back(std::move(outcome));
      return;
    default:
      return;
  }
}

trace::Received const* Recording::take_receive(std::uint64_t post) {
  used_.receives = post + 1;
  bool const has_none = (!open_.empty() && open_.contains(post)) ||
                        (!cancelled_.empty() && cancelled_.contains(post));
  if (has_none) return nullptr;
  auto const* found = receives_.take(post);
  while (found == nullptr && load()) found = receives_.take(post);
  return found;
}

Recording::Loss const* Recording::loss_of(MessageId const& id) const {
  auto const found = std::ranges::find_if(losses_, [&](Loss const& loss) { return loss.id == id; });
  return found == losses_.end() ? nullptr : &*found;
}

Recording::Loss const* Recording::failure_of(std::uint64_t post) const {
  auto const found = std::ranges::find_if(
      losses_, [&](Loss const& loss) { return loss.failed && loss.post == post; });
  return found == losses_.end() ? nullptr : &*found;
}

Outcome const* Recording::next_answer() {
  while (answers_.empty())
    if (!load()) return nullptr;
  return &answers_.front();
}

void Recording::drop_answer() {
  ++used_.answers;
  auto& next = answers_.front();
  if (next.what == OutcomeKind::misses && --next.count != 0) return;
  answers_.pop_front();
}

void Recording::skip(Used const& used) {
  receives_.skip(used.receives);
  used_.receives = used.receives;
  while (used_.answers < used.answers) {
    if (!next_answer()) throw Error("{} has fewer answers than were given so far", path_);
    drop_answer();
  }
  while (used_.handlers < used.handlers) {
    while (handlers_.empty())
      if (!load()) throw Error("{} has fewer handlers than have run so far", path_);
    drop_handler();
  }
  while (used_.sends < used.sends) static_cast<void>(take_send());
  while (used_.contributions < used.contributions) static_cast<void>(take_contribution());
}

Outcome const* Recording::next_handler(std::uint64_t event) {
  while (handlers_.empty() && read_to_ <= event && load()) {
  }
  return handlers_.empty() ? nullptr : &handlers_.front();
}

std::optional<std::uint32_t> Recording::hash_at(std::uint64_t event) {
  auto const behind = [&] { return !hashes_.empty() && hashes_.back().event >= event; };
  while (!behind() && load()) {
  }
  while (!hashes_.empty() && hashes_.front().event < event) hashes_.pop_front();
  if (hashes_.empty() || hashes_.front().event != event) return std::nullopt;
  return static_cast<std::uint32_t>(hashes_.front().count);
}

std::optional<trace::Sent> Recording::take(trace::SendsAhead& checks) {
  auto sent = checks.take();
  while (!sent && load()) sent = checks.take();
  return sent;
}

std::size_t Recording::left_over() {
  while (load()) {
  }
  return receives_.left() + answers_.size() + handlers_.size();
}

bool take_miss(Recording& recording) {
  auto const* const next = recording.next_answer();
  if (next == nullptr || next->what != OutcomeKind::misses) return false;
  recording.drop_answer();
  return true;
}

}  // namespace earl::replay
