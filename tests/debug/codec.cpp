// SPDX-License-Identifier: BSD-3-Clause
#include "debug/trace/codec.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <limits>
#include <random>

#include "tests/debug/helpers.hpp"

using namespace earl;
using namespace earl::trace;

namespace {

using Random = std::mt19937_64;

std::uint64_t below(Random& random, std::uint64_t limit) { return random() % limit; }

Selector some_selector(Random& random) {
  Selector selector;
  selector.kind = static_cast<TagMatch::Kind>(below(random, 5));
  selector.source = static_cast<std::int32_t>(below(random, 5)) - 1;
  selector.low = static_cast<std::int32_t>(random());
  selector.high = static_cast<std::int32_t>(random());
  selector.bits = static_cast<std::uint32_t>(random());
  selector.context = random();
  selector.any_context = below(random, 2) == 0;
  selector.sources = below(random, 4) == 0 ? 77 : 0;
  return selector;
}

/// Any outcome, with only the fields set that its record carries.
Outcome some_outcome(Random& random) {
  Outcome outcome;
  outcome.what = static_cast<OutcomeKind>(below(random, last_outcome_kind + 1));
  if (Predictions::has_site(outcome.what)) {
    outcome.site = static_cast<std::uint32_t>(below(random, 40));
    outcome.event = below(random, 8) == 0 ? random() : below(random, 1000);
    outcome.kind = static_cast<OpKind>(below(random, 5));
    outcome.yes = below(random, 2) == 0;
  }
  if (Predictions::has_post(outcome.what)) outcome.post = below(random, 1000);
  if (Predictions::has_selector(outcome.what)) outcome.selector = some_selector(random);
  if (Predictions::has_id(outcome.what))
    outcome.id = {.source = Rank{static_cast<std::int32_t>(below(random, 300)) - 3},
                  .sequence = random()};
  return outcome;
}

void fill(Outcome& outcome, Random& random) {
  switch (outcome.what) {
    case OutcomeKind::misses:
      outcome.count = random();
      break;
    case OutcomeKind::tested:
      for (std::uint64_t n = below(random, 9); n > 0; --n)
        outcome.positions.push_back(static_cast<std::uint32_t>(random()));
      break;
    case OutcomeKind::clock:
      outcome.value = static_cast<std::int64_t>(random() >> 1);
      break;
    case OutcomeKind::served:
      outcome.id.source = Rank{7};
      [[fallthrough]];
    case OutcomeKind::exec:
      outcome.count = below(random, 9);
      outcome.value = static_cast<std::int64_t>(random());
      outcome.text = std::string(below(random, 50), 'x');
      break;
    case OutcomeKind::hash:
      outcome.event = hash_every * below(random, 1000);
      outcome.count = static_cast<std::uint32_t>(random());
      break;
    case OutcomeKind::site:
      outcome.site = static_cast<std::uint32_t>(below(random, 100));
      outcome.count = below(random, 3);
      outcome.value = static_cast<std::int64_t>(random());
      outcome.text = "crecv";
      break;
    case OutcomeKind::module:
      outcome.count = below(random, 9);
      outcome.text = "/bin/program";
      outcome.more = "0badcafe";
      break;
    case OutcomeKind::label:
      outcome.value = static_cast<std::int64_t>(random());
      outcome.text = "communicator rows";
      break;
    case OutcomeKind::handler:
      outcome.count = random();
      outcome.post = below(random, 3);
      outcome.id = {.source = Rank{static_cast<std::int32_t>(below(random, 9))},
                    .sequence = random()};
      break;
    case OutcomeKind::printed:
      outcome.id.source = Rank{5};
      outcome.count = below(random, 2);
      outcome.value = static_cast<std::int64_t>(below(random, 5000));
      break;
    case OutcomeKind::died:
      outcome.id.source = exec_rank;
      outcome.value = -static_cast<std::int64_t>(below(random, 70'000));
      break;
    default:
      break;
  }
}

std::vector<Outcome> some_outcomes(std::uint64_t seed, std::size_t count) {
  Random random(seed);
  std::vector<Outcome> outcomes;
  for (std::size_t i = 0; i < count; ++i) {
    outcomes.push_back(some_outcome(random));
    fill(outcomes.back(), random);
  }
  return outcomes;
}

struct Encoded {
  std::vector<std::byte> bytes;
  std::vector<std::size_t> ends;  ///< where each record ends
};

Encoded encode(std::vector<Outcome> const& outcomes) {
  Encoded result;
  Encoder encoder;
  std::vector<std::byte> record(most_record_bytes);
  for (auto const& outcome : outcomes) {
    bool const expected =
        outcome.what == OutcomeKind::receive && encoder.take_expected(received_of(outcome));
    if (expected) record[0] = static_cast<std::byte>(number(outcome.id.source));
    auto const size = expected ? 1 : encoder.put(outcome, record.data());
    result.bytes.insert(result.bytes.end(), record.begin(),
                        record.begin() + static_cast<std::ptrdiff_t>(size));
    result.ends.push_back(result.bytes.size());
  }
  return result;
}

}  // namespace

TEST_CASE("numbers survive their few bytes") {
  auto const value = GENERATE(std::uint64_t{0}, std::uint64_t{127}, std::uint64_t{128},
                              std::uint64_t{1} << 35, std::numeric_limits<std::uint64_t>::max());
  std::array<std::byte, longest_varint> memory{};
  Put put(memory.data());
  put.number(value);
  Get get(Bytes{memory}.first(put.size()));
  CHECK(get.number() == value);
  CHECK((get.ok() && get.at_end()));
  CHECK(unzigzag(zigzag(static_cast<std::int64_t>(value))) == static_cast<std::int64_t>(value));
}

TEST_CASE("a number cut short is no number") {
  std::array<std::byte, 2> const half{std::byte{0x80}, std::byte{0x80}};
  Get get(half);
  CHECK(get.number() == 0);
  CHECK_FALSE(get.ok());
}

TEST_CASE("every outcome comes back as it was written") {
  auto const outcomes = some_outcomes(GENERATE(1U, 2U, 3U, 4U, 5U), 3000);
  auto const encoded = encode(outcomes);
  bool whole = false;
  auto const back = decode(encoded.bytes, &whole);
  CHECK(whole);
  REQUIRE(back.size() == outcomes.size());
  for (std::size_t i = 0; i < back.size(); ++i) {
    INFO("outcome " << i << ", kind " << static_cast<int>(outcomes[i].what));
    REQUIRE(back[i] == outcomes[i]);
  }
}

TEST_CASE("a receive that goes on as before is one byte, any other is none") {
  Encoder encoder;
  std::vector<std::byte> bytes(most_record_bytes);
  auto const nth = [](std::uint64_t n) {
    return Received{.post = n, .event = 2 * n, .site = 3, .id = {.source = Rank{5}, .sequence = n}};
  };
  CHECK_FALSE(encoder.take_expected(nth(0)));
  std::size_t size = encoder.put(outcome_of(nth(0)), bytes.data());
  size += encoder.put(outcome_of(nth(1)), bytes.data() + size);
  for (std::uint64_t n = 2; n < 100; ++n) {
    REQUIRE(encoder.take_expected(nth(n)));
    bytes[size++] = std::byte{5};
  }
  auto const back = decode(Bytes{bytes}.first(size));
  REQUIRE(back.size() == 100);
  for (std::uint64_t n = 0; n < 100; ++n) CHECK(back[n] == outcome_of(nth(n)));

  auto odd = nth(100);
  auto const differs = GENERATE(0, 1, 2, 3, 4, 5);
  if (differs == 0) ++odd.post;
  if (differs == 1) ++odd.event;
  if (differs == 2) ++odd.site;
  if (differs == 3) ++odd.id.sequence;
  if (differs == 4) odd.id.source = Rank{6};
  if (differs == 5) odd.selector.low = 9;
  CHECK_FALSE(encoder.take_expected(odd));
  CHECK(encoder.take_expected(nth(100)));  // nothing has happened
}

TEST_CASE("a narrow receive is as expected when the same one by its selector is") {
  constexpr Context context{9};
  const Envelope envelope{};
  auto const spec =
      GENERATE(NarrowSpec(any_rank, context, Tag{7}), NarrowSpec(any_rank, context, any_tag));
  Encoder encoder;
  std::vector<std::byte> bytes(most_record_bytes);
  auto const id = [](std::uint64_t n) { return MessageId{.source = Rank{5}, .sequence = n}; };
  auto const takes = [&](std::uint64_t n, NarrowSpec const& asked, MessageId const& got) {
    return encoder.take_expected(
        3, 2 * n, Receipt{.post = n, .spec = asked, .envelope = envelope, .id = got});
  };
  for (std::uint64_t n = 0; n < 3; ++n) {
    if (n < 2) CHECK_FALSE(takes(n, spec, id(n)));
    encoder.put(
        outcome_of(
            {.post = n, .event = 2 * n, .site = 3, .selector = selector_of(spec), .id = id(n)}),
        bytes.data());
  }
  CHECK_FALSE(takes(3, spec, id(4)));
  CHECK_FALSE(takes(3, NarrowSpec(any_rank, context, Tag{8}), id(3)));
  CHECK_FALSE(takes(3, NarrowSpec(any_rank, Context{8}, spec.tag()), id(3)));
  CHECK(takes(3, spec, id(3)));
  CHECK(encoder.take_expected(
      {.post = 4, .event = 8, .site = 3, .selector = selector_of(spec), .id = id(4)}));
  CHECK(selector_of(spec) == selector_of(spec.spec(TooLong::cut)));
}

TEST_CASE("a record cut at any byte gives the outcomes before it and no other") {
  auto const outcomes = some_outcomes(6, 60);
  auto const encoded = encode(outcomes);
  for (std::size_t size = 0; size <= encoded.bytes.size(); ++size) {
    auto const whole_ones = static_cast<std::size_t>(
        std::upper_bound(encoded.ends.begin(), encoded.ends.end(), size) - encoded.ends.begin());
    bool whole = false;
    auto const back = decode(Bytes{encoded.bytes}.first(size), &whole);
    REQUIRE(back.size() == whole_ones);
    REQUIRE(std::equal(back.begin(), back.end(), outcomes.begin()));
    auto const end = whole_ones == 0 ? 0 : encoded.ends[whole_ones - 1];
    REQUIRE(whole == (end == size));
  }
}

TEST_CASE("any bytes at all are decoded without harm") {
  Random random(7);
  for (int round = 0; round < 2000; ++round) {
    std::vector<std::byte> bytes(below(random, 300));
    for (auto& byte : bytes) byte = static_cast<std::byte>(random());
    CHECK(decode(bytes).size() <= bytes.size());
  }
}

TEST_CASE("a wildcard receive that goes on as before is one byte") {
  std::vector<Outcome> outcomes;
  // A tag that counts up is "as before", and so is one for each round of receives.
  auto const round = GENERATE(1U, 4U, 7U);
  for (std::uint64_t n = 0; n < 100; ++n) {
    Outcome outcome;
    outcome.site = 0;
    outcome.event = 3 * n + 1;
    outcome.post = n;
    outcome.id = {.source = Rank{static_cast<std::int32_t>(n % 4)}, .sequence = n / 4};
    outcome.selector.kind = TagMatch::Kind::exact;
    outcome.selector.low = static_cast<std::int32_t>(n / round);
    outcomes.push_back(outcome);
  }
  auto const encoded = encode(outcomes);
  for (std::size_t i = 4 * round; i < encoded.ends.size(); ++i)
    REQUIRE(encoded.ends[i] - encoded.ends[i - 1] == 1);
  CHECK(decode(encoded.bytes) == outcomes);
}
