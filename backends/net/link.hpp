// SPDX-License-Identifier: BSD-3-Clause
/// The link: carries frames for the packet engine. A fabric of switches, sockets, a library for
/// real hardware: one class each.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "generic/base/bytes.hpp"
#include "generic/base/error.hpp"
#include "generic/base/values.hpp"
#include "generic/system/awake.hpp"

namespace earl::net {

/// The guarantees of a link.
struct LinkFacts {
  std::size_t frame = 0;  ///< largest frame of one send(), bytes; at least smallest_frame
  /// A frame arrives as it was sent, and none is missing before it: the link sees to it. Otherwise
  /// the engine detects a damaged or missing frame, and ends the job or repairs it.
  bool trusted = false;
  std::size_t bulk = 0;  ///< longest message of one start_direct_send(), bytes; 0: there is none
  /// Sent frames may still be under way, and be lost, when their sender has ended.
  bool leaves_together = false;
};

/// A preamble, a header, and some payload.
inline constexpr std::size_t smallest_frame = 1024;

/// The receiver of a link's events: the engine. Called inside progress() only. May call all else
/// but progress(), sleep() and close().
class FrameSink {
 public:
  /// One frame of `from`, in the order in which it was sent; the bytes are only valid during the
  /// call. They may be any process's where a link cannot identify its other end.
  virtual void frame(Rank from, Bytes frame) = 0;
  /// A frame came that is not as it was sent: `what` as a sentence.
  virtual void damaged(std::string const& what) { throw Error("{}", what); }
  /// The transfer that post_direct_receive() gave a number to is complete; not `whole`: it will
  /// never be. Also for a forgotten one, once its memory is free.
  virtual void landed(std::uint64_t /*number*/, bool /*whole*/) {}
  /// Nothing comes from `peer` any more and nothing gets there: once, after its last frame. `why`
  /// as short text; empty: it closed its end in good order.
  virtual void down(Rank peer, std::string_view why) = 0;
  /// EXEC has written to the control channel: it rings where this process sleeps.
  virtual void on_control_ready() = 0;

 protected:
  ~FrameSink() = default;
};

/// For a process that leaves: discards all incoming frames.
class DiscardingFrameSink final : public FrameSink {
 public:
  void frame(Rank, Bytes) override {}
  void down(Rank, std::string_view) override {}
  void on_control_ready() override {}
};

/// Carries frames between the processes of a job: whole, each pair's in order. The engine
/// interprets their content; matching, offers and cancels are the core's. One per process; called
/// by that process's own thread only, but for wake(). A call throws Error when the back end has
/// failed, with a sentence that names the place.
class Link {
 public:
  virtual ~Link() = default;

  virtual LinkFacts facts() const = 0;

  /// The address that peers need to reach this process; empty: the rank is enough.
  virtual std::string address() const { return {}; }
  /// Called once before the first send() to `to`, with the address of that process's link. Begins;
  /// never waits for the other end: until that is there, send() has no room.
  virtual void connect(Rank /*to*/, std::string_view /*address*/) {}

  /// Takes one frame to `to`, or nothing of it; never blocks, never drops. False: no room; sleep()
  /// ends when there is. The pieces may be reused as soon as this returns true. To a peer that is
  /// down: true, and the frame is lost.
  [[nodiscard]] virtual bool send(Rank to, Gather const& frame) = 0;

  // --- long messages from memory to memory: with LinkFacts::bulk. Between two frames they may come
  // at any time.
  /// Has `room` filled by that peer's start_direct_send(); gives the number that it needs for that,
  /// or 0: not now. The memory is the link's until FrameSink::landed().
  virtual std::uint64_t post_direct_receive(Rank /*from*/, MutableBytes /*room*/) { return 0; }
  /// It will not be brought.
  virtual void cancel_receive(std::uint64_t /*number*/) {}
  /// Begins to move `bytes` into the room to which `to` gave that number, and which is as large;
  /// never refuses. They are read until finish_direct_send().
  virtual void start_direct_send(Rank /*to*/, std::uint64_t /*number*/, Bytes /*bytes*/) {}
  /// Returns when they are not read any more: soon, if all have arrived or `to` is down.
  virtual void finish_direct_send(Rank /*to*/, std::uint64_t /*number*/) {}

  /// Makes progress: hands over at most `most` frames and all peers that went down, and sends from
  /// buffers of its own. Returns the number of events. Never blocks.
  virtual std::size_t progress(FrameSink& sink, std::size_t most) = 0;

  /// Whether `peer` is down, as far as this process can know; a plain load.
  virtual bool is_down(Rank /*peer*/) { return false; }
  /// Something was to be sent to `peer`, which is down: FrameSink::down() says so once more, in
  /// case that all is forgotten that it had said before.
  virtual void report_down(Rank /*peer*/) {}

  /// The number of processes that compete for this host's CPUs: a process without one must not
  /// spin.
  virtual std::uint32_t neighbours() { return 1; }
  /// Where the job's processes on this host say on which CPU they are awake, if they do.
  virtual AwakeEntry awake_entry() { return {}; }
  /// Whether send() has woken a process since the last call, as far as the link can know.
  virtual bool woke_another() { return false; }

  /// Whether progress() may find something, or room came for a send() that had none. Asked often;
  /// plain loads where the CPU allows. False alarms are allowed, silence is not.
  virtual bool ready() = 0;

  /// Sleeps until ready(), wake(), or the deadline; may return early. At once if wake() was called
  /// since the last one ended. No spinning: the caller has done that.
  virtual void sleep(Deadline deadline) = 0;
  /// When the bell rang that ended the last one; Deadline{}: not known.
  virtual Deadline last_ring() { return {}; }
  /// Ends sleep(), now or the next. Async-signal-safe, callable from any thread.
  virtual void wake() = 0;
  /// Readable when sleep() would return, for a caller that waits for other descriptors, too; -1:
  /// there is none.
  virtual int wait_fd() { return -1; }

  /// The route of frames to `to`, for people: "switch 0, port 3". Part of the sentences about
  /// failures.
  virtual std::string route_description(Rank to) const = 0;

  /// The last call: delivers all frames that send() has taken to peers that live, at the latest by
  /// the deadline.
  virtual void close(Deadline /*deadline*/) {}
};

}  // namespace earl::net
