// SPDX-License-Identifier: BSD-3-Clause
#include "generic/seams/report.hpp"

#include "generic/base/error.hpp"

namespace earl {

namespace {

/// No process has more peers, and no list of anything here is longer.
constexpr std::uint32_t most_entries = 1U << 20;

template <class Entry, class Write>
void write_list(Writer& to, std::vector<Entry> const& list, Write write) {
  to.u32(static_cast<std::uint32_t>(list.size()));
  for (auto const& entry : list) write(entry);
}

template <class Entry, class Read>
void read_list(Reader& from, std::vector<Entry>& list, Read read) {
  auto const count = from.u32();
  if (count > most_entries) throw Error("a report with a list of {} entries", count);
  for (std::uint32_t i = 0; i < count; ++i) list.push_back(read());
}

template <class Enum>
Enum read_enum(Reader& from, Enum last) {
  auto const value = from.u32();
  if (value > static_cast<std::uint32_t>(last)) throw Error("a report with {} for a kind", value);
  return static_cast<Enum>(value);
}

void write_selector(Writer& to, Selector const& selector) {
  to.i32(selector.source);
  to.u32(selector.sources);
  to.u32(static_cast<std::uint32_t>(selector.kind));
  to.i32(selector.low);
  to.i32(selector.high);
  to.u32(selector.bits);
  to.u64(selector.context);
  to.u32(selector.any_context ? 1 : 0);
}

Selector read_selector(Reader& from) {
  Selector selector;
  selector.source = from.i32();
  selector.sources = from.u32();
  selector.kind = read_enum(from, TagMatch::Kind::mask);
  selector.low = from.i32();
  selector.high = from.i32();
  selector.bits = from.u32();
  selector.context = from.u64();
  selector.any_context = from.u32() != 0;
  return selector;
}

void write_need(Writer& to, Need const& need) {
  to.u32(static_cast<std::uint32_t>(need.kind));
  write_list(to, need.from, [&](Rank rank) { to.i32(number(rank)); });
  write_selector(to, need.selector);
  to.u32(need.operation);
  to.i32(number(need.crowd.tag));
  to.u64(need.crowd.length);
  to.u64(need.crowd.messages);
  to.u64(need.crowd.bytes);
}

Need read_need(Reader& from) {
  Need need;
  need.kind = read_enum(from, OpKind::collective);
  read_list(from, need.from, [&] { return Rank{from.i32()}; });
  need.selector = read_selector(from);
  need.operation = from.u32();
  need.crowd.tag = Tag{from.i32()};
  need.crowd.length = from.u64();
  need.crowd.messages = from.u64();
  need.crowd.bytes = from.u64();
  return need;
}

Leftover read_leftover(Reader& from) {
  Leftover leftover;
  leftover.source = Rank{from.i32()};
  leftover.tag = Tag{from.i32()};
  leftover.length = from.u64();
  return leftover;
}

Frame read_frame(Reader& from) {
  Frame frame;
  frame.module = from.text();
  frame.offset = from.u64();
  return frame;
}

}  // namespace

void Report::write(Writer& to) const {
  to.u32(static_cast<std::uint32_t>(state));
  to.u64(progress);
  to.u64(polls);
  to.u32(all ? 1 : 0);
  write_list(to, needs, [&](Need const& need) { write_need(to, need); });
  write_list(to, leftovers, [&](Leftover const& leftover) {
    to.i32(number(leftover.source));
    to.i32(number(leftover.tag));
    to.u64(leftover.length);
  });
  to.u64(left_over);
  to.u64(sent);
  to.u64(arrived);
  to.text(call);
  write_list(to, stack, [&](Frame const& frame) {
    to.text(frame.module);
    to.u64(frame.offset);
  });
  to.u32(serves ? 1 : 0);
  to.u64(traffic);
  to.u32(idle ? 1 : 0);
  to.u32(sees_clocks ? 1 : 0);
  to.u32(question);
}

Report Report::read(Reader& from) {
  Report report;
  report.state = read_enum(from, State::sleeps);
  report.progress = from.u64();
  report.polls = from.u64();
  report.all = from.u32() != 0;
  read_list(from, report.needs, [&] { return read_need(from); });
  read_list(from, report.leftovers, [&] { return read_leftover(from); });
  report.left_over = from.u64();
  report.sent = from.u64();
  report.arrived = from.u64();
  report.call = from.text();
  read_list(from, report.stack, [&] { return read_frame(from); });
  report.serves = from.u32() != 0;
  report.traffic = from.u64();
  report.idle = from.u32() != 0;
  report.sees_clocks = from.u32() != 0;
  report.question = from.u32();
  return report;
}

}  // namespace earl
