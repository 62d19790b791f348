// SPDX-License-Identifier: BSD-3-Clause
/// Files of events: written events come back, also from a cut file, and the file is small.
#include <catch2/catch.hpp>

#include "debug/events/listener.hpp"
#include "debug/events/reader.hpp"
#include "tests/debug/fake.hpp"
#include "tests/debug/helpers.hpp"

using namespace earl;
using events::Event;
using events::EventKind;
using trace::TemporaryFolder;

namespace {

trace::TraceFileOptions options(std::string const& path) {
  return {.path = path,
          .rank = Rank{2},
          .run = {.high = 1, .low = 2},
          .initial = 4,
          .kind = trace::FrameKind::events};
}

std::vector<Event> read_events(std::string const& path) {
  events::EventReader reader(path);
  std::vector<Event> all;
  for (Event event; reader.next(event);) all.push_back(event);
  return all;
}

std::size_t count(std::vector<Event> const& all, EventKind kind) {
  return static_cast<std::size_t>(std::ranges::count(all, kind, &Event::kind));
}

}  // namespace

TEST_CASE("each kind of event comes back as it was written") {
  events::Encoder encoder;
  events::Decoder decoder;
  for (unsigned kind = 0; kind <= events::last_event_kind; ++kind) {
    Event event;
    event.kind = static_cast<EventKind>(kind);
    event.operation = OpKind::try_receive;
    event.flow = DataFlow::to_root;
    event.mode = Mode::synchronous;
    event.peer = 3;
    event.tag = -7;
    event.what = 5;
    event.check = 0xdeadbeef;
    event.call = 1000;
    event.post = 70;
    event.sequence = 90;
    event.context = 1ULL << 56 | 4;
    event.length = 1ULL << 40;
    event.number = 6;
    event.root = 2;
    event.count = 1;
    event.time = 123'456'789;
    event.filter = {.source = -1,
                    .sources = {1, 2},
                    .kind = TagMatch::Kind::list,
                    .tags = {Tag{4}, Tag{9}},
                    .any_context = true,
                    .contested = true};
    event.ranks = {0, 5, 2};
    event.text = "text";
    event.more = "more";
    std::vector<std::byte> bytes(events::bound(event));
    auto const size = encoder.put(event, bytes.data());
    REQUIRE(size <= bytes.size());
    trace::Get from(Bytes{bytes}.first(size));
    Event back = event;
    REQUIRE(decoder.get(from, back));
    CHECK(from.at_end());
    CHECK(back.kind == event.kind);
    CHECK(back.peer == event.peer);
    CHECK(back.tag == event.tag);
    CHECK(back.context == event.context);
    CHECK(back.text == event.text);
    CHECK(back.call == event.call);
    CHECK(back.post == event.post);
    CHECK(back.sequence == event.sequence);
    CHECK(back.context == event.context);
    CHECK(back.length == event.length);
    CHECK(back.mode == event.mode);
    CHECK(back.check == event.check);
    CHECK(back.what == event.what);
    CHECK(back.number == event.number);
    CHECK(back.count == event.count);
    CHECK(back.root == event.root);
    CHECK(back.time == event.time);
    CHECK(back.ranks == event.ranks);
    CHECK(back.text == event.text);
    CHECK(back.filter == event.filter);
    for (std::size_t cut = 0; cut < size; ++cut) {
      trace::Get part(Bytes{bytes}.first(cut));
      CHECK_FALSE(events::Decoder{}.get(part, back));
    }
  }
}

TEST_CASE("the events of a process are written in its order, and survive it") {
  TemporaryFolder const folder;
  FakeDebuggedProcess debugged(2);
  events::Listener listener(options(folder / "e.ert"), debugged);
  FakeProcess process(listener, {1, 3});
  process.crecv(MatchSpec{});
  process.csend(1, 9);
  process.cprobe(MatchSpec{});
  // It has not ended: as if it had been killed.
  std::vector<EventKind> kinds;
  for (auto const& event : read_events(folder / "e.ert"))
    if (event.kind > EventKind::string) kinds.push_back(event.kind);
  CHECK(kinds == std::vector<EventKind>{EventKind::call, EventKind::post, EventKind::match,
                                        EventKind::call, EventKind::send, EventKind::call,
                                        EventKind::found});
}

TEST_CASE("a message that is received as other types is named with both") {
  TemporaryFolder const folder;
  FakeDebuggedProcess debugged(2);
  {
    events::Listener listener(options(folder / "e.ert"), debugged);
    CHECK(listener.compares_types());
    listener.mistyped({.id = {Rank{3}, 5}, .sent = "reals", .received = "words"});
    listener.collective_types({.given = "words", .taken = "reals"});
  }
  std::vector<std::string> strings;
  for (auto const& event : read_events(folder / "e.ert")) {
    if (event.kind == EventKind::string) strings.push_back(event.text);
    if (event.kind == EventKind::collective_types)
      CHECK(strings.at(event.what) + " " + strings.at(event.count) == "words reals");
    if (event.kind != EventKind::mistyped) continue;
    CHECK(event.peer == 3);
    CHECK(event.sequence == 5);
    CHECK(strings.at(event.what) == "reals");
    CHECK(strings.at(event.count) == "words");
  }
  CHECK(strings.size() == 2);
  CHECK(count(read_events(folder / "e.ert"), EventKind::mistyped) == 1);
  CHECK(count(read_events(folder / "e.ert"), EventKind::collective_types) == 1);
}

TEST_CASE("failed polls with the same arguments are one event") {
  TemporaryFolder const folder;
  FakeDebuggedProcess debugged(2);
  events::Listener listener(options(folder / "e.ert"), debugged);
  FakeProcess process(listener, {});
  for (int i = 0; i < 1000; ++i) process.iprobe(MatchSpec{});
  for (int i = 0; i < 500; ++i) process.msgdone(1, {});
  process.csend(0, 1);
  process.exit();
  auto const all = read_events(folder / "e.ert");
  CHECK(count(all, EventKind::missed) == 2);
  CHECK(count(all, EventKind::call) == 3);
  auto const send = std::ranges::find(all, EventKind::send, &Event::kind);
  REQUIRE(send != all.end());
  CHECK((send - 1)->call == 1501);
}

TEST_CASE("an event takes 12 bytes at most, in the mean of a run") {
  TemporaryFolder const folder;
  FakeDebuggedProcess debugged(2);
  events::Listener listener(options(folder / "e.ert"), debugged);
  std::vector<std::int32_t> sources;
  for (int i = 0; i < 5000; ++i) sources.push_back(i * 7 % 5);
  FakeProcess process(listener, sources);
  for (int i = 0; i < 5000; ++i) {
    process.crecv(MatchSpec{});
    process.csend(i % 5, i % 11, "payload " + std::to_string(i));
  }
  process.exit();
  events::EventReader reader(folder / "e.ert");
  std::uint64_t number = 0;
  for (Event event; reader.next(event);) ++number;
  CHECK(reader.ending().complete);
  CHECK(number > 25'000);
  CHECK(reader.stored_bytes() < 12 * number);
}

TEST_CASE("damage in a file of events is passed over and noted") {
  TemporaryFolder const folder;
  auto const path = folder / "e.ert";
  FakeDebuggedProcess debugged(2);
  {
    events::Listener listener(options(path), debugged);
    FakeProcess process(listener, {});
    for (int i = 0; i < 20'000; ++i) process.csend(0, 1);
    process.exit();
  }
  auto bytes = trace::contents_of(path);
  bytes[200] = static_cast<char>(bytes[200] ^ 1);
  trace::write_file(path, bytes);
  events::EventReader reader(path);
  std::uint64_t number = 0;
  for (Event event; reader.next(event);) ++number;
  CHECK(number > 1000);
  CHECK(reader.ending().gaps.size() == 1);
}

TEST_CASE(
    "a context's name stands before its first event, and again at the end if it has changed") {
  TemporaryFolder const folder;
  auto const path = folder / "e00002.ert";
  FakeDebuggedProcess process(2);
  Context const grid{0x77}, row{0x78};
  process.labels = {{grid, "grid"}, {row, "communicator 5"}};
  events::Listener listener(options(path), process);
  for (Context const context : {grid, common_context, grid, row}) {
    listener.entered({.name = "MPI_Send"});
    Envelope const envelope{.dest = Rank{1}, .context = context, .tag = Tag{7}};
    listener.sending({.envelope = envelope, .payload = Gather{}});
  }
  process.labels = {{row, "row"}, {common_context, "world"}};
  listener.ended(0);
  std::vector<std::string> names;
  std::vector<Context> contexts;
  bool sent_unnamed = false;
  for (auto const& event : read_events(path)) {
    if (event.kind == EventKind::send && Context{event.context} == grid && names.empty())
      sent_unnamed = true;
    if (event.kind != EventKind::label) continue;
    names.push_back(event.text);
    contexts.push_back(Context{event.context});
  }
  CHECK_FALSE(sent_unnamed);
  CHECK(names == std::vector<std::string>{"grid", "communicator 5", "world", "row"});
  CHECK(contexts == std::vector<Context>{grid, row, common_context, row});
}

TEST_CASE("a filter is said with its context's name, else with the number") {
  events::Filter const filter{
      .source = 3, .kind = TagMatch::Kind::exact, .low = 7, .context = 0x77};
  CHECK(filter.to_text("grid") == "source 3, tag 7, grid");
  CHECK(filter.to_text("") == "source 3, tag 7, context 77");
}

TEST_CASE("a filter with lists names what is in them") {
  events::Filter filter{.kind = TagMatch::Kind::list, .tags = {Tag{5}, Tag{6}}};
  CHECK(filter.to_text("") == "any source, tags 5 or 6");
  filter.sources = {3};
  filter.tags.push_back(Tag{7});
  CHECK(filter.to_text("grid") == "source 3, tags 5, 6 or 7, grid");
  CHECK(events::Filter{.sources = {1, 2}, .any_context = true}.to_text("") ==
        "sources 1 or 2, any tag, any context");
}
