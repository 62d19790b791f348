// SPDX-License-Identifier: BSD-3-Clause
/// Sends and receives that are started, tested, waited for in any order, and taken back.
#include <algorithm>
#include <array>

#include "generic/request_table.hpp"
#include "tests/conformance/conformance.hpp"

namespace earl::conformance::requests {

namespace {

constexpr std::array<std::size_t, 6> sizes{8, 3 << 20, 0, 20'000, 8'192, 1 << 20};

/// Both sides start everything before they wait for anything.
void cross(Process& me, int peer, Mode mode) {
  std::vector<Data> out, in;
  std::vector<RequestId> requests;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    out.push_back(pattern(number(me.rank()), static_cast<int>(i), sizes[i]));
    in.emplace_back(sizes[i]);
  }
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    int const tag = static_cast<int>(i);
    requests.push_back(me.start_receive(from(peer, tag), Scatter{MutableBytes{in[i]}}));
    requests.push_back(me.start_send(to(peer, tag, mode), Bytes{out[i]}));
  }
  for (auto request = requests.rbegin(); request != requests.rend(); ++request)
    EARL_EXPECT(!me.wait(*request).cancelled);
  for (std::size_t i = 0; i < sizes.size(); ++i)
    EARL_EXPECT(in[i] == pattern(peer, static_cast<int>(i), sizes[i]));
}

void wait_for_any(Process& me, int peer) {
  std::vector<RequestId> open;
  std::array<int, 10> values{};
  for (int tag = 0; tag < 10; ++tag)
    open.push_back(
        me.start_receive(from(peer, tag), Scatter{MutableBytes{std::as_writable_bytes(std::span{
                                              &values[static_cast<std::size_t>(tag)], 1})}}));
  for (int i = 0; i < 10; ++i) {
    int const tag = (i * 7 + 3) % 10;
    me.send(to(peer, tag), bytes_of(tag));
  }
  while (!open.empty()) {
    auto const [position, done] = me.requests().wait_any(open);
    EARL_EXPECT(done.delivered == sizeof(int));
    open.erase(open.begin() + static_cast<std::ptrdiff_t>(position));
  }
  for (int tag = 0; tag < 10; ++tag) EARL_EXPECT(values[static_cast<std::size_t>(tag)] == tag);
}

void take_back(Process& me, int peer, AllRanks const& all) {
  int value = 0;
  const Scatter room{MutableBytes{std::as_writable_bytes(std::span{&value, 1})}};
  const RequestId never_matched = me.start_receive(from(peer, 50), room);
  EARL_EXPECT(!me.test(never_matched));
  EARL_EXPECT(me.cancel(never_matched));
  EARL_EXPECT(me.wait(never_matched).cancelled);
  const RequestId matched = me.start_receive(from(peer, 51), room);
  me.send(to(peer, 51), bytes_of(51));
  all.barrier();
  while (!me.try_probe(from(peer, 52))) {
    if (auto const done = me.test(matched)) {
      EARL_EXPECT(value == 51);
      return;
    }
    me.idle();
  }
}

}  // namespace

void run(Process& me, int n) {
  int const rank = number(me.rank());
  int const peer = rank ^ 1;
  EARL_EXPECT(n % 2 == 0);
  const AllRanks all{me};
  for (const Mode mode : {Mode::standard, Mode::buffered, Mode::synchronous}) cross(me, peer, mode);
  wait_for_any(me, peer);
  take_back(me, peer, all);
  all.barrier();
}

}  // namespace earl::conformance::requests
