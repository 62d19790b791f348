// SPDX-License-Identifier: BSD-3-Clause
/// The message to the user when a replay cannot go on.
#include <fmt/format.h>

#include "debug/breakpoints/stop_here.hpp"
#include "debug/replay/replayer.hpp"
#include "debug/trace/describe.hpp"
#include "generic/base/error.hpp"

namespace earl::replay {

using trace::OutcomeKind;

namespace {

/// "crecv(any source, tag 7) at racy.c:88".
std::string call_text(trace::KnownSite const& site, std::string const& asked) {
  auto text = site.name + "(" + asked + ")";
  if (!site.module.empty()) text += " at " + site.place();
  return text;
}

std::string asked_text(trace::Outcome const& then, trace::KnownLabels const& labels) {
  switch (then.what) {
    case trace::OutcomeKind::receive:
    case trace::OutcomeKind::probe:
    case trace::OutcomeKind::hit:
      return trace::to_text(then.selector, labels.of(then.selector));
    default:
      return trace::to_text(then.kind);
  }
}

[[noreturn]] void report_survival() {
  check_failed("false", __FILE__, __LINE__, "a process that was stopped goes on");
}

std::string_view article(trace::OutcomeKind what) {
  return what == trace::OutcomeKind::misses ? " and got the answer no" : "";
}

/// "event 3, crecv at racy.c:31": the call that was begun last.
std::string place_of(std::uint64_t event, Call const& call) {
  if (event == 0) return "before its first call";
  return fmt::format("event {}, {}", event, trace::site_of(call).to_text());
}

/// The parts of the run that are not recorded: contents of shared memory, and with --keep all that
/// has been dropped.
std::string unrecorded_text(Recording const& recording) {
  std::string text;
  if (recording.shares_memory())
    text =
        "; the process shares memory with others, whose contents are not recorded: what it read "
        "there may have been otherwise in this replay";
  auto const first = recording.first_event();
  if (first == 1) return text;
  return text +
         fmt::format(
             "; the record is kept from event {} on, and what the program did before may have been "
             "otherwise in this replay",
             first);
}

}  // namespace

std::string Replayer::now_text(OpKind kind, trace::Selector const* selector) const {
  if (selector == nullptr) return call_text(trace::site_of(call_), trace::to_text(kind));
  auto const label =
      selector->any_context ? std::string{} : process_.context_label(Context{selector->context});
  return call_text(trace::site_of(call_), trace::to_text(*selector, label));
}

std::string Replayer::agreed_text() const {
  std::string text;
  constexpr std::uint64_t shown = 3;
  auto const first = event_ > shown ? event_ - shown : 1;
  for (auto event = first; event < event_; ++event)
    text += fmt::format("{}{} {}", text.empty() ? "; agreed before: " : ", ", event,
                        trace::site_of(earlier_[event % earlier_.size()]).to_text());
  return text;
}

void Replayer::stop(int exit_code, std::string const& sentence) {
  over_ = true;
  process_.stop(exit_code, sentence);
  report_survival();
}

std::string Replayer::what_differs(trace::Outcome const& then, std::string const& recorded,
                                   std::string const& now) const {
  if (recorded != now)
    return fmt::format("the recording did {}{}{}, the program now does {}", recorded,
                       article(then.what),
                       then.event != event_ ? fmt::format(" at event {}", then.event) : "", now);
  if (then.event > event_)
    return fmt::format(
        "the program does {} after {} fewer than in the recording, where it was event "
        "{}",
        now, trace::counted(then.event - event_, "call", "calls"), then.event);
  if (then.event < event_)
    return fmt::format(
        "the program does {} after {} more than in the recording, where it was event "
        "{}",
        now, trace::counted(event_ - then.event, "call", "calls"), then.event);
  if (then.what == OutcomeKind::misses)
    return fmt::format("{} got the answer no when recorded", now);
  return fmt::format(
      "the program does {}, and the recording did so at another place of that line or "
      "in another context",
      now);
}

void Replayer::diverged(trace::Outcome const& then, OpKind kind, trace::Selector const* selector) {
  auto const recorded =
      call_text(recording_.sites().at(then.site), asked_text(then, recording_.labels()));
  stop(diverged_code,
       fmt::format("replay diverged: rank {}, event {}: {}{}", number(process_.rank()), event_,
                   what_differs(then, recorded, now_text(kind, selector)), agreed_text()) +
           unrecorded_text(recording_));
}

void Replayer::sent_otherwise(trace::Sent const& then, trace::Sent const& now) {
  auto const message = [](trace::Sent const& sent) {
    return fmt::format("{} to rank {} with tag {}", trace::counted(sent.length, "byte", "bytes"),
                       sent.dest, sent.tag);
  };
  if (now.differs_in_contents_only(then))
    diverged(
        fmt::format("message {} of this process, {}, holds other bytes than recorded (`earl "
                    "replay --contents ignore` goes on)",
                    sent_, message(now)));
  diverged(fmt::format("message {} of this process is {}; in the recording it was {}", sent_,
                       message(now), message(then)));
}

void Replayer::contributed_otherwise(trace::Sent const& then, trace::Sent const& now,
                                     std::string_view collective) {
  auto const data = [](trace::Sent const& sent) {
    return fmt::format("{} with root {}, number {} of its group",
                       trace::counted(sent.length, "byte", "bytes"), sent.dest, sent.tag);
  };
  if (now.differs_in_contents_only(then))
    diverged(
        fmt::format("collective {} of this process, {} of {}, is given other bytes than recorded "
                    "(`earl replay --contents ignore` goes on)",
                    collectives_, collective, data(now)));
  diverged(fmt::format("collective {} of this process, {}, has {}; in the recording it had {}",
                       collectives_, collective, data(now), data(then)));
}

void Replayer::diverged(std::string_view what) {
  stop(diverged_code, fmt::format("replay diverged: rank {}, {}: {}{}", number(process_.rank()),
                                  place_of(event_, call_), what, agreed_text()) +
                          unrecorded_text(recording_));
}

void Replayer::stop_here() {
  if (stop_.forks) {
    stop_.event = stop_.forks->stop(event_);
    return;
  }
  auto const sentence = fmt::format("rank {} is at event {}: {}", number(process_.rank()), event_,
                                    breakpoints::place_text(call_, process_));
  if (!stop_.gdb) stop(breakpoints::stopped_code, sentence);
  auto const refusal = breakpoints::let_gdb_look(sentence, process_);
  if (!refusal.empty())
    stop(breakpoints::stopped_code, fmt::format("{}; --gdb: {}", sentence, refusal));
}

void Replayer::end_of_recording() {
  auto const& ending = recording_.ending();
  std::string why = "its process was killed";
  if (!ending.note.empty()) why = ending.note.substr(0, ending.note.find('\n'));
  if (!ending.gaps.empty()) why = "its file is damaged behind it";
  over_ = true;
  // Processes that go on received what it had sent.
  process_.stop_when_sent(
      cut_code, fmt::format("the recording of rank {} ends at {}: {}; replayed up to here",
                            number(process_.rank()), place_of(event_, call_), why));
  report_survival();
}

}  // namespace earl::replay
