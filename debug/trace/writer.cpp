// SPDX-License-Identifier: BSD-3-Clause
#include "debug/trace/writer.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "generic/base/error.hpp"

namespace earl::trace {

namespace {

/// Longest record but for its lists and texts.
constexpr std::size_t fixed_part = 160;

std::size_t bound(Outcome const& outcome) {
  return fixed_part + 5 * outcome.positions.size() + std::min(outcome.text.size(), most_text) +
         std::min(outcome.more.size(), most_text);
}

}  // namespace

TraceWriter::TraceWriter(TraceFileOptions options) : file_(std::move(options)) {}

void TraceWriter::put(Outcome const& outcome) {
  if (file_.misses() != 0) [[unlikely]]
    end_misses();
  if (outcome.positions.size() <= most_positions) return write(outcome);
  Outcome part = outcome;
  for (std::size_t at = 0; at < outcome.positions.size(); at += most_positions) {
    auto const n = std::min(most_positions, outcome.positions.size() - at);
    auto const from = outcome.positions.begin() + static_cast<std::ptrdiff_t>(at);
    part.positions.assign(from, from + static_cast<std::ptrdiff_t>(n));
    part.yes = at + n < outcome.positions.size();
    write(part);
  }
}

void TraceWriter::write(Outcome const& outcome) {
  auto* const to = file_.reserve(bound(outcome));
  if (to == nullptr) return;
  if (file_.frame() != encoder_frame_) {
    encoder_.reset();
    encoder_frame_ = file_.frame();
  }
  file_.commit(encoder_.put(outcome, to));
}

void TraceWriter::miss(Outcome const& asked) {
  if (file_.misses() == std::numeric_limits<std::uint32_t>::max()) end_misses();
  if (file_.misses() == 0) {
    run_ = asked;
    run_.what = OutcomeKind::misses;
  }
  file_.miss();
}

void TraceWriter::end_misses() {
  run_.count = file_.misses();
  write(run_);
}

void TraceWriter::finish(std::uint64_t events, std::uint64_t unreceived, std::uint32_t hash) {
  if (file_.misses() != 0) end_misses();
  std::array<std::byte, 3 * longest_varint> ending{};
  Put put(ending.data());
  put.number(events);
  put.number(unreceived);
  put.word(hash);
  file_.finish(Bytes{ending}.first(put.size()));
}

}  // namespace earl::trace
