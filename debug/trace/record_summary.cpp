// SPDX-License-Identifier: BSD-3-Clause
#include "debug/trace/record_summary.hpp"

#include <fmt/format.h>

#include "debug/trace/free_receives.hpp"

namespace earl::trace {

void Totals::count(Outcome const& outcome) {
  if (outcome.what == OutcomeKind::receive && !outcome.is_loss()) ++receives;
  if (outcome.what == OutcomeKind::free_receives) {
    FreeLists lists;
    lists.read(outcome.text);
    free += lists.receives();
    completed += outcome.count;
  }
  if (outcome.what == OutcomeKind::probe || outcome.what == OutcomeKind::hit ||
      outcome.what == OutcomeKind::tested)
    ++looks;
  if (outcome.what == OutcomeKind::misses) misses += outcome.count;
  if (outcome.what == OutcomeKind::clock) ++clocks;
  if (outcome.what == OutcomeKind::served) ++served;
  if (outcome.what == OutcomeKind::input) input += outcome.text.size();
  if (outcome.event < last_event) return;
  last_event = outcome.event;
  if (outcome.site != no_site) last_site = outcome.site;
}

void RecordSummary::read(std::function<void(std::string const&)> const& line) {
  while (auto const outcomes = reader_.next())
    for (auto const& outcome : *outcomes) {
      if (describer_.learn(outcome)) continue;
      totals_.count(outcome);
      // A hash is of no use to a reader.
      if (outcome.what != OutcomeKind::hash && !is_of_checks(outcome.what))
        line(describer_.line(outcome));
    }
  totals_.misses += reader_.ending().misses;
}

std::string RecordSummary::cut_text() {
  auto const& end = reader_.ending();
  auto text = fmt::format(
      "{} after event {}",
      was_quiescent_ ? "ended by Earl (a deadlock" : "cut (the process was killed", end.events);
  if (totals_.last_site != no_site)
    text += fmt::format("; the last outcome is of event {}, {}", totals_.last_event,
                        describer_.site(totals_.last_site));
  if (end.misses != 0)
    text += fmt::format("; {} no were the last", counted(end.misses, "answer", "answers"));
  return text + ")";
}

std::string RecordSummary::ending_text() {
  auto const& end = reader_.ending();
  if (end.complete) {
    if (end.unreceived == 0) return "complete";
    return "complete, " + counted(end.unreceived, "message", "messages") + " never received";
  }
  if (!end.note.empty()) {
    auto note = end.note;
    note.erase(note.find_last_not_of('\n') + 1);
    return "cut short by the recorder (" + note + ")";
  }
  if (!end.gaps.empty()) return "damaged";
  if (reader_.rank() == exec_rank) return "cut (EXEC was killed)";
  return cut_text();
}

}  // namespace earl::trace
