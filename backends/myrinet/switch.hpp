// SPDX-License-Identifier: BSD-3-Clause
/// A Myrinet switch, byte by byte: a packet that comes in by a port goes out by the port that its
/// first byte names, before the rest has come. The switch has no clock and does nothing by itself:
/// its owner moves one byte on each cable, then the next.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "backends/myrinet/crc8.hpp"

namespace earl::myrinet {

/// The content of a cable in the time of one byte. The last byte of a packet is its CRC-8.
struct Symbol {
  std::uint8_t byte = 0;
  bool tail = false;

  bool operator==(Symbol const&) const = default;
};

/// Capacity of a port for a packet that cannot go on. It sends STOP early: until the other end gets
/// that, more bytes arrive.
struct Slack {
  std::size_t stop_at = 24;
  std::size_t go_at = 8;
  std::size_t most = 32;
};

struct SwitchCounters {
  std::uint64_t heads = 0;       ///< of packets come in, with a way out
  std::uint64_t packets = 0;     ///< gone out by this port, whole
  std::uint64_t bytes = 0;       ///< likewise
  std::uint64_t sum_errors = 0;  ///< packets received with a wrong sum
  std::uint64_t drops = 0;       ///< packets come in and thrown away
  std::uint64_t stops = 0;       ///< how often it has sent STOP
  std::uint64_t overruns = 0;    ///< bytes come in after all that: STOP was not obeyed
};

class Switch {
 public:
  explicit Switch(unsigned ports, Slack slack = {});

  unsigned ports() const { return static_cast<unsigned>(inputs_.size()); }
  /// One byte comes in.
  void arrive(unsigned in, Symbol symbol);
  /// Whether `in` asks its sender to wait.
  bool sends_stop(unsigned in) const { return inputs_[in].stopping; }
  /// The receiver behind `out` asks to wait, or no longer does.
  void set_stop(unsigned out, bool stop) { outputs_[out].stopped = stop; }
  /// The byte that goes out now. None: no packet holds this port, or it cannot go on.
  std::optional<Symbol> depart(unsigned out);

  /// Whether a packet stands at `in` with its head, because the port that it wants is held.
  bool waits(unsigned in) const { return inputs_[in].phase == Phase::waiting; }
  /// Whether a packet goes through.
  bool is_held(unsigned out) const { return outputs_[out].holder.has_value(); }
  /// Whether the packet that holds `out` may not go on.
  bool is_stopped(unsigned out) const { return outputs_[out].holder && outputs_[out].stopped; }
  /// Discards the packet that waits at `in`, with the rest of it that is still to come.
  void drop_waiting(unsigned in);
  /// Ends the packet that holds `out` with a wrong sum, and throws the rest away.
  void drop_stopped(unsigned out);

  SwitchCounters const& counters(unsigned port) const { return counters_[port]; }

 private:
  enum class Phase { idle, waiting, moving, discarding };

  struct Input {
    std::deque<Symbol> slack{};
    Phase phase = Phase::idle;
    unsigned wants = 0;  ///< port that the packet is to go out by
    Crc8 sum{};          ///< of the bytes taken from the slack
    bool stopping = false;
  };
  struct Output {
    std::optional<unsigned> holder{};
    unsigned last = 0;  ///< the previous holder: the others come first
    Crc8 sum{};         ///< of the bytes gone out
    bool stopped = false;
    bool cut = false;  ///< the packet is to end here
  };

  void look_at(unsigned in);
  void discard(Input& input);
  void grant(unsigned out);
  Symbol take(Input& input);
  Symbol finish(unsigned out, std::uint8_t error);
  void update_stop(unsigned in);

  std::vector<Input> inputs_;
  std::vector<Output> outputs_;
  std::vector<SwitchCounters> counters_;
  Slack const slack_;
};

}  // namespace earl::myrinet
