// SPDX-License-Identifier: BSD-3-Clause
#include "generic/matcher.hpp"

#include <catch2/catch.hpp>

#include <chrono>
#include <numeric>
#include <random>

using namespace earl;

namespace {

Envelope from(int source, int tag, std::uint64_t context = 0) {
  return {.source = Rank{source}, .context = context_of(Space::user, context), .tag = Tag{tag}};
}

MatchSpec exact(int source, int tag) {
  return {.source = Rank{source}, .tag = TagMatch::exactly(Tag{tag})};
}

}  // namespace

TEST_CASE("a wildcard takes any source, never another context") {
  const MatchSpec any{.context = context_of(Space::user, 1), .tag = TagMatch::exactly(Tag{7})};
  CHECK(any.accepts(from(3, 7, 1)));
  CHECK_FALSE(any.accepts(from(3, 7, 2)));
  CHECK_FALSE(any.accepts(from(3, 8, 1)));
}

TEST_CASE("any user context leaves the others out") {
  const MatchSpec spec{.any_user_context = true};
  CHECK(spec.accepts(from(0, 1, 99)));
  CHECK_FALSE(spec.accepts({.source = Rank{0}, .context = context_of(Space::collective, 99)}));
}

TEST_CASE("type masks: a bit per small tag, bit 30 for the rest, never a force type") {
  auto const low = TagMatch::masked(0x80000007);
  CHECK(low.accepts(Tag{0}));
  CHECK(low.accepts(Tag{2}));
  CHECK_FALSE(low.accepts(Tag{3}));
  CHECK_FALSE(low.accepts(Tag{1000}));
  auto const all = TagMatch::masked(0xffff'ffff);
  CHECK(all.accepts(Tag{29}));
  CHECK(all.accepts(Tag{999'999'999}));
  CHECK_FALSE(all.accepts(Tag{0x4000'0000}));
  CHECK(TagMatch::masked(1U << 30).accepts(Tag{30}));
  CHECK_FALSE(TagMatch::masked(1U << 30).accepts(Tag{29}));
}

TEST_CASE("the oldest message wins, through each chain that leads to it") {
  UnexpectedQueue queue;
  auto& first = queue.add(from(1, 5), {Rank{1}, 0}, {});
  auto& second = queue.add(from(2, 5), {Rank{2}, 0}, {});
  auto& third = queue.add(from(2, 6), {Rank{2}, 1}, {});
  CHECK(queue.find({}) == &first);
  CHECK(queue.find({.tag = TagMatch::exactly(Tag{5})}) == &first);
  CHECK(queue.find({.source = Rank{2}}) == &second);
  CHECK(queue.find(exact(2, 6)) == &third);
  const std::array tags{Tag{6}, Tag{5}};
  CHECK(queue.find({.tag = TagMatch::any_of(tags)}) == &first);
  const std::array sources{Rank{2}, Rank{3}};
  CHECK(queue.find({.sources = sources}) == &second);
  CHECK(queue.find({.tag = TagMatch::between(Tag{6}, Tag{9})}) == &third);
  CHECK(queue.find({.tag = TagMatch::masked(1U << 6)}) == &third);
  CHECK(queue.find({.any_user_context = true}) == &first);
  CHECK(queue.find(exact(1, 6)) == nullptr);
  CHECK(queue.find({.source = Rank{2}, .pinned = true, .sequence = 1}) == &third);
  CHECK(queue.find({.nothing = true}) == nullptr);
}

TEST_CASE("messages of other contexts are not in the way") {
  UnexpectedQueue queue;
  queue.add({.source = Rank{0}, .context = context_of(Space::collective, 1)}, {}, {});
  auto& user = queue.add(from(0, 0), {Rank{0}, 0}, {});
  CHECK(queue.find({}) == &user);
  CHECK(queue.user_messages() == 1);
  CHECK(queue.size() == 2);
}

TEST_CASE("payloads of every size come out as they went in") {
  UnexpectedQueue queue;
  for (std::size_t size : {0U, 1U, 63U, 64U, 65U, 5000U}) {
    std::vector<std::byte> bytes(size, std::byte{0x5a});
    Envelope envelope = from(0, 1);
    envelope.length = size;
    auto& arrival = queue.add(envelope, {}, bytes);
    CHECK(arrival.payload().size() == size);
    CHECK(std::equal(bytes.begin(), bytes.end(), arrival.payload().begin()));
    queue.remove(arrival);
  }
  CHECK(queue.size() == 0);
}

TEST_CASE("10,000 unexpected messages are taken in any tag order without scanning") {
  constexpr int many = 10'000;
  UnexpectedQueue queue;
  for (int tag = 0; tag < many; ++tag) queue.add(from(tag % 7, tag), {}, {});
  std::vector<int> order(many);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937{42});
  for (int const tag : order) {
    auto* found = queue.find({.tag = TagMatch::exactly(Tag{tag})});
    REQUIRE(found);
    CHECK(found->by_tag->size() == 1);  // nothing else to look through
    REQUIRE(found->envelope.tag == Tag{tag});
    queue.remove(*found);
  }
  CHECK(queue.size() == 0);
}

namespace {

void add(PostedQueue& posted, Request& request) {
  request.number = posted.next_number();
  posted.add(request);
}

}  // namespace

TEST_CASE("a receive that is put back has its old place among all kinds") {
  const std::size_t first = GENERATE(0U, 1U, 2U, 3U, 4U, 5U);
  PostedQueue posted;
  std::vector<Request> requests(6);
  requests[0].spec = {.tag = TagMatch::exactly(Tag{5})};
  requests[1].spec = {.tag = TagMatch::masked(0x7fff'ffff)};
  requests[2].spec = {.tag = TagMatch::exactly(Tag{5})};
  requests[3].spec = {};
  requests[4].spec = {.tag = TagMatch::masked(1U << 5)};
  requests[5].spec = {.tag = TagMatch::exactly(Tag{5})};
  for (auto& request : requests) add(posted, request);
  const std::size_t second = (first + 3) % 6;
  for (auto const i : {first, second}) posted.remove(requests[i]);
  for (auto const i : {first, second}) posted.put_back(requests[i]);
  for (auto& expected : requests) {
    Request* const found = posted.find(from(1, 5), {});
    REQUIRE(found == &expected);
    posted.remove(*found);
  }
  CHECK(posted.size() == 0);
}

TEST_CASE("the only receive is put back, and others beside it") {
  PostedQueue posted;
  std::vector<Request> requests(2);
  for (auto& request : requests) request.number = posted.next_number();
  posted.put_back(requests[1]);
  CHECK(posted.find(from(1, 5), {}) == &requests[1]);
  posted.put_back(requests[0]);
  CHECK(posted.find(from(1, 5), {}) == &requests[0]);
}

TEST_CASE("posted receives match in post order across all buckets") {
  PostedQueue posted;
  std::vector<Request> requests(5);
  requests[0].spec = exact(9, 9);
  requests[1].spec = {};
  requests[2].spec = {.tag = TagMatch::exactly(Tag{5})};
  requests[3].spec = {.source = Rank{1}};
  requests[4].spec = exact(1, 5);
  for (auto& request : requests) add(posted, request);
  const Envelope message = from(1, 5);
  for (const std::size_t expected : {1U, 2U, 3U, 4U}) {
    Request* const found = posted.find(message, {});
    REQUIRE(found == &requests[expected]);
    posted.remove(*found);
  }
  CHECK(posted.find(message, {}) == nullptr);
  CHECK(posted.size() == 1);
}

TEST_CASE("odd receives keep their place in the post order") {
  PostedQueue posted;
  std::vector<Request> requests(3);
  requests[0].spec = {.tag = TagMatch::masked(1U << 3)};
  requests[1].spec = {.tag = TagMatch::exactly(Tag{5})};
  requests[2].spec = {.tag = TagMatch::masked(0x7fff'ffff)};
  for (auto& request : requests) add(posted, request);
  CHECK(posted.find(from(0, 5), {}) == &requests[1]);
  CHECK(posted.find(from(0, 3), {}) == &requests[0]);
  CHECK(posted.find(from(0, 4), {}) == &requests[2]);
}

TEST_CASE("a pinned receive waits for its message and leaves the others alone") {
  PostedQueue posted;
  std::vector<Request> requests(2);
  requests[0].spec = {.source = Rank{1}, .pinned = true, .sequence = 3};
  requests[1].spec = {};
  for (auto& request : requests) add(posted, request);
  CHECK(posted.find(from(1, 0), {Rank{1}, 2}) == &requests[1]);
  CHECK(posted.find(from(1, 0), {Rank{1}, 3}) == &requests[0]);
}

TEST_CASE("user and collective contexts of the same id never share a bucket") {
  PostedQueue posted;
  Request request;
  request.spec = {.context = context_of(Space::collective, 0)};
  add(posted, request);
  for (std::uint64_t id = 0; id < 64; ++id) CHECK(posted.find(from(0, 0, id), {}) == nullptr);
}

TEST_CASE("the engine agrees with a plain list on random traffic") {
  std::mt19937 random{7};
  auto pick = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  UnexpectedQueue queue;
  std::vector<std::pair<Envelope, MessageId>> plain;
  for (std::uint64_t step = 0; step < 20'000; ++step) {
    if (pick(2) == 0) {
      const Envelope envelope = from(pick(4), pick(5), static_cast<std::uint64_t>(pick(2)));
      const MessageId id{envelope.source, step};
      queue.add(envelope, id, {});
      plain.emplace_back(envelope, id);
      continue;
    }
    MatchSpec spec{.context = context_of(Space::user, static_cast<std::uint64_t>(pick(2)))};
    if (pick(2) == 0) spec.source = Rank{pick(4)};
    if (pick(3) == 0) spec.tag = TagMatch::exactly(Tag{pick(5)});
    if (pick(5) == 0) spec.tag = TagMatch::masked(static_cast<std::uint32_t>(random()));
    spec.any_user_context = pick(10) == 0;
    auto const expected = std::find_if(plain.begin(), plain.end(),
                                       [&](auto const& one) { return spec.accepts(one.first); });
    Arrival* const found = queue.find(spec);
    REQUIRE((found != nullptr) == (expected != plain.end()));
    if (!found) continue;
    REQUIRE(found->id == expected->second);
    queue.remove(*found);
    plain.erase(expected);
  }
}

TEST_CASE("posted receives agree with a plain list on random traffic") {
  std::mt19937 random{11};
  auto pick = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  PostedQueue posted;
  std::vector<Request> requests(64);
  std::vector<Request*> free, plain;  // plain: in post order
  for (auto& request : requests) free.push_back(&request);
  for (int step = 0; step < 20'000; ++step) {
    bool const posts = pick(2) == 0 && !free.empty();
    if (posts) {
      Request& request = *free.back();
      free.pop_back();
      request.spec = {.context = context_of(Space::user, static_cast<std::uint64_t>(pick(2)))};
      if (pick(3) != 0) request.spec.source = Rank{pick(4)};
      if (pick(3) != 0) request.spec.tag = TagMatch::exactly(Tag{pick(8)});
      if (pick(10) == 0) request.spec.tag = TagMatch::masked(static_cast<std::uint32_t>(random()));
      add(posted, request);
      plain.push_back(&request);
    } else if (pick(20) == 0 && !plain.empty()) {  // cancelled, or put back in its old place
      auto const which = plain.begin() + pick(static_cast<int>(plain.size()));
      posted.remove(**which);
      if (pick(2) == 0) {
        posted.put_back(**which);
      } else {
        free.push_back(*which);
        plain.erase(which);
      }
    } else {
      // Mostly for the first ones.
      int const at = pick(4) == 0 ? 64 : 1;
      Envelope envelope = from(pick(4), pick(8), static_cast<std::uint64_t>(pick(2)));
      if (!plain.empty() && pick(3) != 0) {
        MatchSpec const& wanted = plain[static_cast<std::size_t>(pick(at)) % plain.size()]->spec;
        envelope.context = wanted.context;
        if (wanted.source != any_rank) envelope.source = wanted.source;
        if (wanted.tag.kind == TagMatch::Kind::exact) envelope.tag = Tag{wanted.tag.low};
      }
      auto const expected = std::find_if(plain.begin(), plain.end(), [&](Request const* one) {
        return one->spec.accepts(envelope);
      });
      Request* const found = posted.find(envelope, {});
      REQUIRE(found == (expected == plain.end() ? nullptr : *expected));
      if (!found) continue;
      posted.remove(*found);
      free.push_back(found);
      plain.erase(expected);
    }
    REQUIRE(posted.size() == plain.size());
  }
}
