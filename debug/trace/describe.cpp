// SPDX-License-Identifier: BSD-3-Clause
#include "debug/trace/describe.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "generic/services/exec_messages.hpp"

namespace earl::trace {

namespace {

std::string with_thousands(std::uint64_t value) {
  if (value < 1000) return std::to_string(value);
  return fmt::format("{},{:03}", with_thousands(value / 1000), value % 1000);
}

std::string message(MessageId const& id) {
  if (id.source == exec_rank)
    return fmt::format("message {} with tag {} of EXEC", ExecMessages::nth_of(id),
                       number(ExecMessages::tag_of(id)));
  return fmt::format("message {} of {}", id.sequence, to_text(id.source));
}

}  // namespace

std::string notification_text(std::string_view subject) {
  return fmt::format("a notification of {}", subject);
}

std::string to_text(Rank rank) {
  return rank == exec_rank ? "EXEC" : fmt::format("rank {}", number(rank));
}

std::string counted(std::uint64_t count, char const* one, char const* many) {
  return fmt::format("{} {}", with_thousands(count), count == 1 ? one : many);
}

std::string operation_text(std::uint64_t post) {
  if (names_send(post)) return "a send";
  return fmt::format("receive {}", post);
}

std::string result_text(Outcome const& outcome, std::string_view context) {
  auto const asked = to_text(outcome.selector, context);
  switch (outcome.what) {
    case OutcomeKind::receive:
      if (outcome.yes) return fmt::format("{} was lost when its sender ended", message(outcome.id));
      return fmt::format("receive {} ({}) got {}", outcome.post, asked, message(outcome.id));
    case OutcomeKind::probe:
      return fmt::format("blocking probe ({}) saw {}", asked, message(outcome.id));
    case OutcomeKind::hit:
      return fmt::format("{} ({}) found {}", to_text(outcome.kind), asked, message(outcome.id));
    case OutcomeKind::misses:
      return fmt::format("{} no", counted(outcome.count, "answer", "answers"));
    case OutcomeKind::tested:
      return fmt::format("{} reported {}{}", to_text(outcome.kind),
                         fmt::join(outcome.positions, " "), outcome.yes ? " ..." : "");
    case OutcomeKind::cancel:
      return fmt::format("cancel of {} {}", operation_text(outcome.post),
                         outcome.yes ? "succeeded" : "came too late");
    case OutcomeKind::pending:
      return fmt::format("receive {} ({}) never got a message", outcome.post, asked);
    case OutcomeKind::handler:
      if (outcome.post == 0) return fmt::format("a handler ran for {}", message(outcome.id));
      return fmt::format("handler {} ran", outcome.post);
    case OutcomeKind::clock:
      return fmt::format("clock read {} ns", outcome.value);
    case OutcomeKind::exec:
      return fmt::format("EXEC answered operation {} with {} bytes", outcome.count,
                         outcome.text.size());
    case OutcomeKind::hash:
      return fmt::format("hash of all before {:08x}", outcome.count);
    case OutcomeKind::served:
      return fmt::format("operation {} of {} served", outcome.count, to_text(outcome.id.source));
    case OutcomeKind::died:
      return fmt::format("{} ended with status {:#x}", to_text(outcome.id.source), outcome.value);
    case OutcomeKind::printed:
      if (outcome.value == 0)
        return fmt::format("all that {} printed was delivered", to_text(outcome.id.source));
      return fmt::format("{} bytes that {} printed on {} were delivered", outcome.value,
                         to_text(outcome.id.source),
                         outcome.count == 0 ? "standard output" : "standard error");
    case OutcomeKind::named:
      return fmt::format("the next process became {}", to_text(outcome.id.source));
    case OutcomeKind::input:
      return counted(outcome.text.size(), "byte", "bytes") + " of standard input";
    case OutcomeKind::sends:
      return "checks of messages sent";
    case OutcomeKind::contributions:
      return "checks of data given to collectives";
    case OutcomeKind::free_receives:
      return "receives that need no outcome";
    case OutcomeKind::shared_memory:
      return fmt::format("{} of memory shared with other processes",
                         counted(outcome.count, "byte", "bytes"));
    case OutcomeKind::site:
    case OutcomeKind::module:
    case OutcomeKind::label:
      return "a name";
  }
  return "unknown";
}

std::string const& Describer::site(std::uint32_t number) {
  auto const known = texts_.find(number);
  if (known != texts_.end()) return known->second;
  return texts_.emplace(number, sites_.at(number).to_text()).first->second;
}

std::string Describer::line(Outcome const& outcome) {
  if (is_of_exec(outcome.what) || outcome.what == OutcomeKind::input) return result_text(outcome);
  if (is_of_checks(outcome.what) || outcome.what == OutcomeKind::shared_memory)
    return result_text(outcome);
  if (outcome.what == OutcomeKind::hash)
    return fmt::format("event {}: {}", outcome.event, result_text(outcome));
  return fmt::format("event {}: {}: {}", outcome.event, site(outcome.site),
                     result_text(outcome, labels_.of(outcome.selector)));
}

}  // namespace earl::trace
