// SPDX-License-Identifier: BSD-3-Clause
/// Receives that name no source, many tags or any context take the oldest message that fits, and
/// no other.
#include <array>

#include "tests/conformance/conformance.hpp"

namespace earl::conformance::wildcards {

namespace {

constexpr Context other_context = context_of(Space::user, 77);

void send_one(Process& me, int tag, Context context = common_context) {
  const Data data = pattern(number(me.rank()), tag, 12);
  me.send({.dest = Rank{0}, .context = context, .tag = Tag{tag}}, Bytes{data});
}

void expect_tag(Process& me, MatchSpec spec, int source, int tag) {
  const Envelope envelope = expect(me, spec, source, tag, 12);
  EARL_EXPECT(envelope.tag == Tag{tag});
}

void tags_of_one(Process& me) {
  const std::array<Tag, 2> listed{Tag{9}, Tag{4}};
  expect_tag(me, {.tag = TagMatch::any_of(listed)}, 1, 4);
  expect_tag(me, {.tag = TagMatch::between(Tag{7}, Tag{8})}, 1, 7);
  expect_tag(me, {.tag = TagMatch::masked(1U << 2 | 1U << 5)}, 1, 2);
  expect_tag(me, {.tag = TagMatch::masked(1U << 30)}, 1, 40);
  expect_tag(me, {.tag = TagMatch::masked(~0U)}, 1, 3);
  expect_tag(me, {.tag = TagMatch::anything()}, 1, 1 << 30);
  expect_tag(me, {.source = Rank{1}, .context = other_context}, 1, 3);
  expect_tag(me, {.any_user_context = true}, 1, 6);
}

void any_source(Process& me, int n) {
  std::vector<int> received(static_cast<std::size_t>(n));
  for (int i = 1; i < n; ++i) {
    Data got(12);
    const Completion done =
        me.receive({.tag = TagMatch::exactly(Tag{11})}, Scatter{MutableBytes{got}});
    EARL_EXPECT(got == pattern(number(done.envelope.source), 11, 12));
    EARL_EXPECT(++received.at(index(done.envelope.source)) == 1);
  }
}

void a_set_of_sources(Process& me, int n) {
  const std::array<Rank, 2> welcome{Rank{2}, Rank{3}};
  const MatchSpec spec{.sources = welcome, .tag = TagMatch::exactly(Tag{12})};
  Data got(12);
  for (int i = 0; i < 2; ++i)
    EARL_EXPECT(me.receive(spec, Scatter{MutableBytes{got}}).envelope.source != Rank{1});
  EARL_EXPECT(!me.try_probe(spec));
  expect_tag(me, from(1, 12), 1, 12);
  for (int source = 4; source < n; ++source) expect_tag(me, from(source, 12), source, 12);
}

}  // namespace

void run(Process& me, int n) {
  const AllRanks all{me};
  if (me.rank() == Rank{1}) {
    for (int const tag : {1 << 30, 3, 40, 2, 7, 4}) send_one(me, tag);
    send_one(me, 3, other_context);
    send_one(me, 6, other_context);
  }
  all.barrier();
  if (me.rank() == Rank{0}) tags_of_one(me);
  all.barrier();
  if (me.rank() != Rank{0}) send_one(me, 11);
  if (me.rank() != Rank{0}) send_one(me, 12);
  all.barrier();
  if (me.rank() != Rank{0}) return;
  any_source(me, n);
  a_set_of_sources(me, n);
  EARL_EXPECT(!me.try_probe({.any_user_context = true}));
}

}  // namespace earl::conformance::wildcards
