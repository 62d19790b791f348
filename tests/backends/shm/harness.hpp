// SPDX-License-Identifier: BSD-3-Clause
/// Jobs of a few processes for tests: children that are bounded in time and ended by their own pid.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backends/shm/port.hpp"
#include "generic/seams/backend.hpp"

namespace earl {
extern Backend const shm_back_end;
}

namespace earl::shm::test {

/// A child that is still there after so long has failed.
inline constexpr unsigned seconds_allowed = 60;

/// How a child ended: its exit code, or 128 + the signal.
using Ended = int;

/// One job and its EXEC half. Ends and reaps processes that still run.
class Job {
 public:
  explicit Job(std::uint32_t capacity) : Job(capacity, capacity) {}
  Job(std::uint32_t initial, std::uint32_t capacity);
  Job(Job const&) = delete;
  Job& operator=(Job const&) = delete;
  ~Job();

  PreparedJob& exec() { return *prepared_; }
  /// A port of this job in the calling process, on a descriptor of its own.
  std::unique_ptr<ShmPort> port(int rank, PortSettings const& settings = {});
  /// A port's view of the memory, to look behind the scenes.
  Segment segment();

  /// Runs `body(port)` as process `rank`. An exception there is printed and becomes exit code 1.
  void start(int rank, std::function<void(ShmPort&)> const& body,
             PortSettings const& settings = {});
  void kill(int rank);
  /// Waits for the process and notifies the job of its end; it stays a zombie until then.
  Ended wait_for(int rank);
  pid_t pid(int rank) const { return pids_.at(static_cast<std::size_t>(rank)); }

 private:
  std::unique_ptr<PreparedJob> prepared_;
  std::vector<pid_t> pids_;
};

struct Packet {
  Header header{};
  std::string bytes;
};

/// Keeps the events.
class Log final : public PacketSink {
 public:
  void packet(Header const& header, Bytes payload) override {
    packets.push_back(
        {header, std::string(reinterpret_cast<char const*>(payload.data()), payload.size())});
  }
  void moved(Rank, TransferId, bool) override {}
  void gone(Rank rank) override {
    ended.push_back(rank);
    packets_before_end.push_back(packets.size());
  }
  void on_control_ready() override { ++control_notices; }

  std::vector<Packet> packets;
  std::vector<Rank> ended;
  std::vector<std::size_t> packets_before_end;
  int control_notices = 0;
};

/// Throws when a check in a child fails: Catch2 only knows the parent.
void require(bool truth, char const* what);
#define EARL_REQUIRE(condition) ::earl::shm::test::require(condition, #condition)

/// Polls and waits until `done()`.
template <class Done>
void run_until(Port& port, PacketSink& sink, Done const& done) {
  while (!done())
    if (port.poll(sink) == 0 && !done()) port.wait(never);
}

Header message(int source, int tag, std::size_t length);
inline Bytes bytes_of_text(std::string const& text) {
  return std::as_bytes(std::span{text.data(), text.size()});
}
/// Puts, waiting for room as long as it takes.
void put(Port& port, int to, Header const& header, std::string const& payload);
/// A payload that says where it belongs.
std::string pattern(int source, int number, std::size_t length);

/// The memory that the segment takes now, in bytes.
std::uint64_t bytes_used(Segment const& segment);

}  // namespace earl::shm::test
