// SPDX-License-Identifier: BSD-3-Clause
#include "backends/myrinet/switch.hpp"

#include "backends/myrinet/route.hpp"

namespace earl::myrinet {

Switch::Switch(unsigned ports, Slack slack)
    : inputs_(ports), outputs_(ports), counters_(ports), slack_(slack) {}

void Switch::arrive(unsigned in, Symbol symbol) {
  Input& input = inputs_[in];
  if (input.slack.size() == slack_.most) {
    ++counters_[in].overruns;
    return;
  }
  input.slack.push_back(symbol);
  look_at(in);
  update_stop(in);
}

/// Reads the route of the packet whose head is here.
void Switch::look_at(unsigned in) {
  Input& input = inputs_[in];
  while (!input.slack.empty() && input.phase == Phase::idle) {
    auto const head = take(input);
    auto const out = port_out(in, head.byte);
    if (head.tail || out >= ports()) {
      ++counters_[in].drops;
      input.phase = head.tail ? Phase::idle : Phase::discarding;
      discard(input);
      continue;
    }
    ++counters_[in].heads;
    input.wants = out;
    input.phase = Phase::waiting;
    grant(out);
  }
  if (input.phase == Phase::discarding) discard(input);
}

Symbol Switch::take(Input& input) {
  auto const symbol = input.slack.front();
  input.slack.pop_front();
  if (symbol.tail)
    input.sum = {};
  else
    input.sum.add(std::byte{symbol.byte});
  return symbol;
}

/// Throws away up to the tail, as far as it has come.
void Switch::discard(Input& input) {
  while (input.phase == Phase::discarding && !input.slack.empty())
    if (take(input).tail) input.phase = Phase::idle;
}

/// Gives the port to a waiting input, in turn.
void Switch::grant(unsigned out) {
  Output& output = outputs_[out];
  if (output.holder) return;
  for (unsigned i = 1; i <= ports(); ++i) {
    auto const in = (output.last + i) % ports();
    if (inputs_[in].phase != Phase::waiting || inputs_[in].wants != out) continue;
    inputs_[in].phase = Phase::moving;
    output.holder = output.last = in;
    output.sum = {};
    return;
  }
}

std::optional<Symbol> Switch::depart(unsigned out) {
  Output& output = outputs_[out];
  if (!output.holder) return {};
  if (output.cut) return finish(out, 0xff);
  if (output.stopped) return {};
  auto const in = *output.holder;
  Input& input = inputs_[in];
  if (input.slack.empty()) return {};
  auto const expected = input.sum.value();
  auto const symbol = take(input);
  update_stop(in);
  ++counters_[out].bytes;
  if (!symbol.tail) {
    output.sum.add(std::byte{symbol.byte});
    return symbol;
  }
  // The sum is another without the route byte, and as wrong as it was.
  auto const error = static_cast<std::uint8_t>(symbol.byte ^ expected);
  if (error != 0) ++counters_[in].sum_errors;
  ++counters_[out].packets;
  input.phase = Phase::idle;
  return finish(out, error);
}

/// The tail; the port is free after it.
Symbol Switch::finish(unsigned out, std::uint8_t error) {
  Output& output = outputs_[out];
  auto const in = *output.holder;
  const Symbol tail{static_cast<std::uint8_t>(output.sum.value() ^ error), true};
  output.holder.reset();
  output.cut = false;
  grant(out);
  look_at(in);
  update_stop(in);
  return tail;
}

void Switch::drop_waiting(unsigned in) {
  ++counters_[in].drops;
  inputs_[in].phase = Phase::discarding;
  look_at(in);
  update_stop(in);
}

void Switch::drop_stopped(unsigned out) {
  auto const in = *outputs_[out].holder;
  ++counters_[in].drops;
  outputs_[out].cut = true;
  inputs_[in].phase = Phase::discarding;
  look_at(in);
  update_stop(in);
}

void Switch::update_stop(unsigned in) {
  Input& input = inputs_[in];
  if (!input.stopping && input.slack.size() >= slack_.stop_at) {
    input.stopping = true;
    ++counters_[in].stops;
  } else if (input.stopping && input.slack.size() <= slack_.go_at) {
    input.stopping = false;
  }
}

}  // namespace earl::myrinet
