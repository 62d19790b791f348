// SPDX-License-Identifier: BSD-3-Clause
/// EXEC's end of the line to a shared process: the one process that all ranks of the job live in,
/// on back ends of that kind (generic/seams/shared_process.hpp). All messages of its ranks go over
/// it, so that a rank costs no descriptor.
#pragma once

#include <sys/types.h>

#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "exec/launcher/children/rank_channel.hpp"
#include "exec/launcher/events/loop.hpp"
#include "exec/runtime/control.hpp"

namespace earl::exec {

/// Gets the messages of the shared process.
class SharedProcessListener {
 public:
  /// The rank has ended, and how, as wait(2) reports it.
  virtual void departed(Rank rank, int wait_status) = 0;
  /// No rank can continue by itself.
  virtual void shared_process_stuck() = 0;
  /// None has for some time; one will, in time.
  virtual void shared_process_sleeps() = 0;
  /// A message that a process would have written into its channel.
  virtual void on_rank_message(Rank rank, control::Message message) = 0;

 protected:
  ~SharedProcessListener() = default;
};

class SharedProcessChannel final : public RankChannel {
 public:
  SharedProcessChannel(Loop& loop, SharedProcessListener& listener)
      : loop_(loop), listener_(listener) {}
  ~SharedProcessChannel() { close(); }
  SharedProcessChannel(SharedProcessChannel const&) = delete;
  SharedProcessChannel& operator=(SharedProcessChannel const&) = delete;

  /// Makes the line, with the welcome in it; gives the end that the shared process inherits. Throws
  /// Error.
  Descriptor open(control::Welcome const& welcome, std::span<Descriptor> descriptors);
  bool opened() const { return static_cast<bool>(line_); }
  void close();
  /// The shared process finds the end of the line, and ends by itself then.
  void dismiss();
  pid_t pid() const { return pid_; }
  void set_pid(pid_t pid) { pid_ = pid; }

  // Said to the shared process, in this order. Only load() may wait, and only when many ranks
  // bring descriptors: the shared process is in no rank's program then, but listening.
  void load(control::ProgramDescription const& program, control::RankLaunchRequest const& launch,
            std::vector<Descriptor> descriptors);
  void begin() { send(control::Type::begin, Rank{}, 0); }
  void pass(Rank rank, control::Type type, std::uint32_t ticket, std::uint32_t operation,
            Bytes body) override;
  void signal(Rank rank, int number) override { send(control::Type::signal, rank, number); }
  /// Its rank goes on: its message has been dealt with, and the results have been sent.
  void handled() override { send(control::Type::handled, Rank{}, 0); }

  /// Handles all messages of the shared process so far.
  void drain();

 private:
  struct Packet {
    Buffer bytes{};
    std::vector<Descriptor> descriptors{};
  };

  void send(control::Type type, Bytes body, std::vector<Descriptor> descriptors);
  void send(control::Type type, Rank rank, int value);
  void handle(control::Message message);
  bool receive();
  void flush();
  void wait_for_room();

  Loop& loop_;
  SharedProcessListener& listener_;
  Descriptor line_;
  pid_t pid_ = 0;
  std::optional<control::ProgramDescription>
      program_{};  ///< that was sent to the shared process last
  control::Assembler incoming_{};
  std::deque<Packet> outgoing_{};
  std::size_t descriptors_waiting_ = 0;
  bool waits_to_write_ = false;
  std::vector<std::byte> room_ = std::vector<std::byte>(control::most_packet);
};

}  // namespace earl::exec
