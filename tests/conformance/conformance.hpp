// SPDX-License-Identifier: BSD-3-Clause
/// Shared by the programs of this folder. Each defines run() in a namespace of its name; it is
/// started as one process of a job on every back end, checks a rule that every back end must obey,
/// and prints EARL-OK.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "exec/runtime/boot.hpp"
#include "generic/collectives/collectives.hpp"
#include "generic/exec_client.hpp"
#include "generic/process.hpp"

namespace earl::conformance {

/// The program of this executable (program.cpp): every process of the job comes here, `n` of them.
void run(Process& me, int n);

/// Throws Error with the place when it does not hold: the process ends with exit code 1.
#define EARL_EXPECT(condition)                                                               \
  do {                                                                                       \
    if (!(condition))                                                                        \
      throw ::earl::Error("process {}: {} at {}:{}", ::earl::number(::earl::self()->rank()), \
                          #condition, __FILE__, __LINE__);                                   \
  } while (false)

/// Where a message goes. Modes: standard unless stated otherwise.
inline Envelope to(int dest, int tag, Mode mode = Mode::standard) {
  return {.dest = Rank{dest}, .tag = Tag{tag}, .mode = mode};
}
inline MatchSpec from(int source, int tag) {
  return {.source = Rank{source}, .tag = TagMatch::exactly(Tag{tag})};
}
inline MatchSpec tagged(int tag) { return {.tag = TagMatch::exactly(Tag{tag})}; }

using Data = std::vector<std::byte>;

/// Bytes that identify their sender and message.
inline Data pattern(int source, int number, std::size_t size) {
  Data data(size);
  auto state = static_cast<std::uint64_t>(source) * 7919 + static_cast<std::uint64_t>(number);
  for (std::size_t at = 0; at < size; at += sizeof state) {
    state = state * 6'364'136'223'846'793'005 + 1'442'695'040'888'963'407;
    std::uint64_t const word = state ^ state >> 32;
    std::memcpy(data.data() + at, &word, std::min(sizeof word, size - at));
  }
  return data;
}

/// Waits for a message and checks that it is whole.
inline Envelope expect(Process& me, MatchSpec const& spec, int source, int number,
                       std::size_t size) {
  const Data wanted = pattern(source, number, size);
  Data got(size);
  const Completion done = me.receive(spec, Scatter{MutableBytes{got}});
  EARL_EXPECT(done.receive && !done.truncated && !done.lost && !done.cancelled);
  EARL_EXPECT(done.envelope.source == Rank{source});
  EARL_EXPECT(done.envelope.length == size && done.delivered == size);
  EARL_EXPECT(got == wanted);
  return done.envelope;
}

/// All processes, in a context of its own.
class AllRanks {
 public:
  explicit AllRanks(Process& me) : me_(me) {
    for (std::uint32_t i = 0; i < me.table().initial(); ++i)
      members_.push_back(Rank{static_cast<std::int32_t>(i)});
  }
  Group group() const { return {.members = members_, .me = index(me_.rank())}; }
  void barrier() const { earl::barrier(me_, group()); }

 private:
  Process& me_;
  std::vector<Rank> members_;
};

/// Limits::packets_outlive_sender of the back end the test runs on, as this folder's table says.
inline bool back_end_keeps() { return std::getenv("EARL_TEST_LOSES") == nullptr; }

/// Waits until EXEC says that the process has ended.
inline void wait_for_end(Process& me, int rank) {
  while (me.exec().status(Rank{rank}).alive) me.idle();
}

/// A Combine over doubles: their sum.
inline void add(void*, std::byte* into, std::byte const* from, std::size_t bytes) {
  for (std::size_t at = 0; at + sizeof(double) <= bytes; at += sizeof(double)) {
    double a = 0, b = 0;
    std::memcpy(&a, into + at, sizeof a);
    std::memcpy(&b, from + at, sizeof b);
    a += b;
    std::memcpy(into + at, &a, sizeof a);
  }
}

inline MutableBytes bytes_in(std::vector<double>& values) {
  return std::as_writable_bytes(std::span{values});
}

}  // namespace earl::conformance
