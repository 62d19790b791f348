// SPDX-License-Identifier: BSD-3-Clause
/// The smallest back end, for authors to copy: a job of one process, whose messages to itself the
/// core keeps. README.md says what to fill in, in this order.
#include "generic/base/error.hpp"
#include "generic/seams/backend.hpp"
#include "generic/system/bell.hpp"
#include "generic/system/poll_until.hpp"

namespace earl {

namespace null_backend {
namespace {

/// In EXEC. What processes share is made here and handed to each as descriptors, without a name
/// that would outlive them.
class NullJob final : public PreparedJob {
 public:
  std::vector<int> descriptors(Rank) override { return {bell_.get()}; }
  void notify_control(Rank) override { bell_.ring(); }
  /// Here a real one wakes the peers of `rank`, whose ports then call PacketSink::gone().
  void ended(Rank) override {}

 private:
  Bell bell_;  ///< a real one has one for each process
};

/// In the process.
class NullPort final : public Port {
 public:
  explicit NullPort(Descriptor bell) : bell_(std::move(bell)) {}

  /// Limits that the row repeats (spawns...) must be the same in both.
  Limits limits() const override {
    return {.packet = largest_packet, .eager = largest_packet, .spawns = false};
  }
  /// Never called for this process itself, and there is no other.
  bool put(Rank to, Header const&, Gather const&) override {
    throw Error(Fault::bad_rank, "back end null reaches no process {}: it has one", number(to));
  }
  /// Here a real one hands over arrived packets. EXEC's notices come by the bell.
  std::size_t poll(PacketSink& sink) override {
    pollfd bell{.fd = bell_.get(), .events = POLLIN, .revents = 0};
    if (poll_until({&bell, 1}, Deadline{}) <= 0) return 0;
    bell_.listen();
    sink.on_control_ready();
    return 1;
  }
  /// The bell stays readable until the next poll(), so that none that rings in between is lost.
  void wait(Deadline deadline) override {
    pollfd bell{.fd = bell_.get(), .events = POLLIN, .revents = 0};
    poll_until({&bell, 1}, deadline);
  }
  void wake() override { bell_.ring(); }
  int wait_fd() override { return bell_.get(); }

 private:
  static constexpr std::size_t largest_packet = 64 * 1024;

  Bell bell_;
};

std::unique_ptr<PreparedJob> prepare(JobFacts const& facts) {
  if (facts.initial != 1)
    throw Error("back end null runs one process, not {}: it is a pattern for authors; use another",
                facts.initial);
  return std::make_unique<NullJob>();
}

std::unique_ptr<Port> join(std::span<int const> descriptors, Rank) {
  if (descriptors.size() != 1)
    throw Error("back end null needs one descriptor from EXEC, not {}", descriptors.size());
  return std::make_unique<NullPort>(Descriptor(descriptors[0]));
}

}  // namespace
}  // namespace null_backend

extern Backend const null_back_end;
Backend const null_back_end{
    .name = "null",
    .summary = "for authors of back ends: one process, which reaches none but itself",
    .prepare = null_backend::prepare,
    .join = null_backend::join,
    .spawns = false,
};

}  // namespace earl
