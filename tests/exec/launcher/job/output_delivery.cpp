// SPDX-License-Identifier: BSD-3-Clause
/// Output of one process on its way to another.
#include "exec/launcher/job/output_delivery.hpp"

#include <catch2/catch.hpp>

#include "generic/system/pipe.hpp"
#include "tests/exec/launcher/job/job_parts.hpp"

using namespace earl;
using namespace earl::exec;

namespace {

class Half final : public JobInterceptor {
 public:
  explicit Half(bool& allows) : allows_(allows) {}
  bool may_deliver_output(OutputPiece&) override { return allows_; }

 private:
  bool& allows_;
};

/// Rank 1 prints, and rank 0 subscribes to it.
struct OutputDeliveryFixture final : JobParts {
  OutputDeliveryFixture() {
    interceptors.add(std::make_unique<Half>(allows));
    add_running();
    auto& writer = add_running();
    writer.writer = 100;
    auto out = make_pipe("for a test");
    never_block(out.read);
    pipe = std::move(out.write);
    output.add(std::move(out.read), Output::Way{}, writer.writer);
    delivery.subscribe(writer, *subscription_request_in("EARL_TELL_OUTPUT=0 9 77 1000 0 1234"), 0,
                       writer.writer);
  }
  void print(std::string_view text) {
    REQUIRE(::write(pipe.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size()));
    delivery.read_output();
  }

  bool allows = true;
  Descriptor pipe;
  CapturedErrors errors;
  Output output{loop, [](Stream, int) {}};
  NamedServices services{context};
  int called = 0;
  OutputDelivery delivery{{loop, output, children, interceptors, services, context},
                          [this] { ++called; }};
};

}  // namespace

TEST_CASE("what a process prints is delivered to its subscriber in a message") {
  OutputDeliveryFixture job;
  CHECK_FALSE(job.delivery.deliver_next());
  job.print("hello");
  while (job.called == 0) job.loop.turn();
  CHECK(job.delivery.deliver_next());
  REQUIRE(job.context.messages.size() == 1);
  CHECK(job.context.messages[0].to == Rank{0});
  CHECK(job.context.messages[0].tag == Tag{77});
  CHECK(job.context.messages[0].text.find("hello") != std::string::npos);
  CHECK_FALSE(job.delivery.deliver_next());
  CHECK(job.delivery.has_output_of(Rank{1}));
  CHECK_FALSE(job.delivery.has_output_of(Rank{0}));
}

TEST_CASE("output waits while a debugger forbids it") {
  OutputDeliveryFixture job;
  job.allows = false;
  job.print("hello");
  CHECK_FALSE(job.delivery.deliver_next());
  job.allows = true;
  CHECK(job.delivery.deliver_next());
}

TEST_CASE("a subscriber that does not read gets nothing more") {
  OutputDeliveryFixture job;
  job.children.at(Rank{0}).outgoing_bytes = std::size_t{8} << 20;
  job.print("hello");
  CHECK_FALSE(job.delivery.deliver_next());
  job.children.at(Rank{0}).outgoing_bytes = 0;
  CHECK(job.delivery.deliver_next());
}

TEST_CASE("a subscriber is notified of the start of a process") {
  OutputDeliveryFixture job;
  job.delivery.notify_start(Rank{1});
  CHECK(job.context.messages.size() == 2);
  job.delivery.notify_start(Rank{0});  // that one has no subscriber
  CHECK(job.context.messages.size() == 2);
}

TEST_CASE("the end of its output ends a subscription") {
  OutputDeliveryFixture job;
  job.pipe.close();
  job.output.drain(100);
  CHECK(job.delivery.deliver_next());
  CHECK(job.delivery.empty());
}
