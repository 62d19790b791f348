// SPDX-License-Identifier: BSD-3-Clause
#include "debug/trace/outcome.hpp"

namespace earl::trace {

Outcome outcome_of(Received const& received) {
  Outcome outcome;
  outcome.site = received.site;
  outcome.event = received.event;
  outcome.post = received.post;
  outcome.selector = received.selector;
  outcome.id = received.id;
  return outcome;
}

Received received_of(Outcome const& outcome) {
  return {.post = outcome.post,
          .event = outcome.event,
          .site = outcome.site,
          .selector = outcome.selector,
          .id = outcome.id};
}

char const* to_text(OpKind kind) {
  switch (kind) {
    case OpKind::send:
      return "send";
    case OpKind::receive:
      return "receive";
    case OpKind::probe:
      return "blocking probe";
    case OpKind::try_probe:
      return "probe";
    case OpKind::try_receive:
      return "receive if there";
    case OpKind::test:
      return "test";
    case OpKind::wait_any:
      return "wait for any";
    case OpKind::cancel:
      return "cancel";
    case OpKind::clock:
      return "clock";
    case OpKind::exec:
      return "request to EXEC";
    case OpKind::handler:
      return "handler";
    case OpKind::collective:
      return "collective";
  }
  return "operation";
}

}  // namespace earl::trace
