// SPDX-License-Identifier: BSD-3-Clause
/// Handlers serve while their process waits for something else. Prints the order of service, so
/// that a recorded run and its replay can be compared.
#include <cstdio>
#include <cstring>
#include <utility>

#include "tests/conformance/conformance.hpp"

namespace earl::conformance::handlers {

namespace {

constexpr int asks = 20;
enum Tags : int { counter = 1, item = 2, answer = 3, done = 4 };

/// NX's shared counter: each ask is answered with the next number, by a handler that posts itself
/// anew; items come to a standing filter.
class Server {
 public:
  explicit Server(Process& me) : me_(me) {
    filter_ = me_.handlers().add_filter(
        tagged(item),
        {[](void* server, Message message) { static_cast<Server*>(server)->take_message(message); },
         this});
    post();
  }
  void finish() {
    me_.cancel(posted_);
    EARL_EXPECT(me_.handlers().remove_filter(filter_));
    EARL_EXPECT(next_ == taken_);
  }
  /// A long message may still be under way when a later one is here.
  bool has_served(int asked) const { return next_ == asked && taken_ == asked; }

 private:
  void post() {
    posted_ = me_.start_receive(tagged(counter), Scatter{MutableBytes{room_}});
    me_.handlers().on_completion(posted_, {[](void* server, Completion const& ask) {
                                             static_cast<Server*>(server)->serve(ask);
                                           },
                                           this});
  }
  void serve(Completion const& ask) {
    me_.enter({.name = "serve"});
    EARL_EXPECT(me_.handlers().running() && !std::exchange(inside_, true));
    int const client = number(ask.envelope.source);
    EARL_EXPECT(ask.delivered == room_.size() && room_ == pattern(client, 0, room_.size()));
    std::printf("%d asked\n", client);
    me_.send(to(client, answer), bytes_of(next_++));
    post();
    inside_ = false;
  }
  void take_message(Message const& message) {
    me_.enter({.name = "take"});
    EARL_EXPECT(!inside_);
    std::printf("%d got a message\n", number(message.envelope.source));
    ++taken_;
  }

  Process& me_;
  Data room_ = Data(16);
  RequestId posted_ = no_request;
  FilterId filter_{};
  int next_ = 0;
  int taken_ = 0;
  bool inside_ = false;
};

void ask(Process& me, std::size_t item_size) {
  int const rank = number(me.rank());
  int last = -1;
  for (int i = 0; i < asks; ++i) {
    me.enter({.name = "ask"});
    me.send(to(0, counter), Bytes{pattern(rank, 0, 16)});
    me.send(to(0, item), Bytes{pattern(rank, i, item_size)});
    int mine = 0;
    const Message got = me.take(from(0, answer));
    std::memcpy(&mine, got.body.data(), sizeof mine);
    EARL_EXPECT(mine > last);
    std::printf("%d has %d\n", rank, last = mine);
  }
  me.send(to(0, done), {});
}

}  // namespace

void run(Process& me, int n) {
  const AllRanks all{me};
  for (const std::size_t item_size : {std::size_t{4}, std::size_t{100'000}}) {
    if (me.rank() != Rank{0}) {
      all.barrier();
      ask(me, item_size);
      continue;
    }
    me.enter({.name = "wait"});
    Server server{me};
    all.barrier();  // a filter gets no earlier messages
    for (int client = 1; client < n; ++client) {
      me.enter({.name = "wait"});
      std::printf("%d is done\n", number(me.take(tagged(done)).envelope.source));
    }
    while (!server.has_served(asks * (n - 1))) me.idle();
    server.finish();
  }
}

}  // namespace earl::conformance::handlers
