// SPDX-License-Identifier: BSD-3-Clause
/// The content of a record: the outcomes of operations whose result depends on timing, and the
/// arguments of these operations.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "generic/message/selector.hpp"
#include "generic/seams/interceptor.hpp"

namespace earl::trace {

enum class OutcomeKind : std::uint8_t {
  receive,  ///< a posted wildcard receive got `id`; `yes`: any receive lost `id` with its sender
  probe,    ///< a blocking wildcard probe saw `id`
  hit,      ///< a try found `id`
  misses,   ///< `count` tries and tests in a row answered no
  tested,   ///< a test or wait reported `positions`; `yes`: more positions follow
  cancel,   ///< of the receive `post`; `yes`: it was still free and is gone
  pending,  ///< a posted wildcard receive that never got anything; at an orderly end
  clock,    ///< `value` was read
  exec,     ///< EXEC answered operation `count`; `text` is the answer, `value` its hash
  hash,     ///< rolling hash `count` of all events before `event`
  site,     ///< defines site `site`: module `count`, offset `value`, API name `text`
  module,   ///< defines module `count`: path `text`, build-id `more`
  served,   ///< EXEC took in operation `count` of rank `id.source`; `value` hashes the request
  died,     ///< rank `id.source` ended with wait status `value`
  handler,  ///< at point `count` handler number `post` ran, or if 0, a filter's for message `id`
  printed,  ///< `value` bytes of stream `count` of rank `id.source` were delivered to another; 0:
            ///< the end
  named,    ///< the next process got rank `id.source`, because ranks before it were in use
  input,    ///< `text` is the next piece of EXEC's standard input; `count` 1: the rest is not kept
  sends,    ///< `text`: checks of the next messages sent (sends.hpp)
  contributions,  ///< `text`: checks of what was given to the next collectives (sends.hpp)
  free_receives,  ///< `text`: receives of this frame without an outcome (free_receives.hpp);
                  ///< `count` receives of any kind were completed
  shared_memory,  ///< the process shares `count` bytes of memory, which no outcome is about
  label,          ///< context `value` is called `text`
};
inline constexpr unsigned last_outcome_kind = static_cast<unsigned>(OutcomeKind::label);

/// Whether it is about contents, which only replays compare.
constexpr bool is_of_checks(OutcomeKind what) {
  return what == OutcomeKind::sends || what == OutcomeKind::contributions;
}

/// Whether EXEC's order is made of such outcomes.
constexpr bool is_of_exec(OutcomeKind what) {
  return what == OutcomeKind::served || what == OutcomeKind::died || what == OutcomeKind::printed ||
         what == OutcomeKind::named;
}

using earl::Selector;
using earl::selector_of;
using earl::to_text;
/// For people: "probe".
char const* to_text(OpKind kind);

inline constexpr std::uint32_t no_site = 0xffff'ffff;
/// Sites beyond this many are all recorded as the last one.
inline constexpr std::uint32_t most_sites = 1U << 15;

/// A posted wildcard receive and the message it got: most outcomes are of this kind, so they have a
/// compact form of their own.
struct Received {
  std::uint64_t post = 0;
  std::uint64_t event = 0;
  std::uint32_t site = no_site;
  Selector selector{};
  MessageId id{};
};

struct Outcome {
  OutcomeKind what = OutcomeKind::receive;
  OpKind kind = OpKind::receive;
  bool yes = false;
  std::uint32_t site = no_site;
  std::uint64_t event = 0;  ///< the API call it belongs to, counted from 1
  std::uint64_t post = 0;
  Selector selector{};
  MessageId id{};
  std::uint64_t count = 0;
  std::int64_t value = 0;
  std::vector<std::uint32_t> positions{};
  std::string text{};
  std::string more{};

  /// A message that was found is gone with its sender; no receive has got it.
  bool is_loss() const { return what == OutcomeKind::receive && yes; }
  /// For a loss: the receive named the sender, and has failed.
  bool names_source() const {
    return kind == OpKind::receive && selector.source != number(any_rank);
  }

  bool operator==(Outcome const&) const = default;
};

Outcome outcome_of(Received const& received);
Received received_of(Outcome const& outcome);

}  // namespace earl::trace
