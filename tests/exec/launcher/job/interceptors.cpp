// SPDX-License-Identifier: BSD-3-Clause
/// Several debuggers' halves in EXEC, asked as one.
#include "exec/launcher/job/interceptors.hpp"

#include <catch2/catch.hpp>

using namespace earl;
using namespace earl::exec;

namespace {

class Named {
 public:
  virtual int number() const = 0;

 protected:
  ~Named() = default;
};

/// Objects to one rank, shortens output, and adds one to the exit code.
class InterceptorHalf : public JobInterceptor {
 public:
  explicit InterceptorHalf(Rank refused) : refused_(refused) {}
  bool may_serve(Rank from, std::uint32_t) override { return from != refused_; }
  bool may_announce_death(Rank rank) override { return rank != refused_; }
  bool may_deliver_output(OutputPiece& piece) override {
    piece.bytes /= 2;
    return piece.writer != refused_;
  }
  bool stop_waiting_for(std::span<Rank const> dead) override { return dead.front() == refused_; }
  int finished(int exit_code) override { return exit_code + 1; }

 private:
  Rank refused_;
};

class NamedHalf final : public InterceptorHalf, public Named {
 public:
  using InterceptorHalf::InterceptorHalf;
  int number() const override { return 7; }
};

}  // namespace

TEST_CASE("something passes when no debugger objects") {
  JobInterceptors all;
  CHECK(all.may_serve(Rank{1}, 0));
  all.add(std::make_unique<InterceptorHalf>(Rank{1}));
  all.add(std::make_unique<NamedHalf>(Rank{2}));
  CHECK_FALSE(all.may_serve(Rank{1}, 0));
  CHECK_FALSE(all.may_announce_death(Rank{2}));
  CHECK(all.may_serve(Rank{3}, 0));
  CHECK(all.may_announce_death(Rank{3}));
  OutputPiece piece{.writer = Rank{3}, .bytes = 8};
  CHECK(all.may_deliver_output(piece));
  CHECK(piece.bytes == 2);
}

TEST_CASE("one debugger that gives up is enough, and each sees the exit code") {
  JobInterceptors all;
  all.add(std::make_unique<InterceptorHalf>(Rank{1}));
  all.add(std::make_unique<NamedHalf>(Rank{2}));
  CHECK(all.stop_waiting_for(std::vector{Rank{2}, Rank{3}}));
  CHECK_FALSE(all.stop_waiting_for(std::vector{Rank{3}}));
  CHECK(all.finished(3) == 5);
}

TEST_CASE("debuggers are found by the other seams that they implement") {
  JobInterceptors all;
  all.add(std::make_unique<InterceptorHalf>(Rank{1}));
  CHECK(all.all_implementing<Named>().empty());
  all.add(std::make_unique<NamedHalf>(Rank{2}));
  REQUIRE(all.all_implementing<Named>().size() == 1);
  CHECK(all.all_implementing<Named>().front()->number() == 7);
}
