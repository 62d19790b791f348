// SPDX-License-Identifier: BSD-3-Clause
/// The port: all that a back end has to do for Earl. A back end is a folder with one of these and
/// one row in backends/registry.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "generic/base/bytes.hpp"
#include "generic/message/header.hpp"

namespace earl {

/// Capacities and limits of a back end. Conformance tests skip by it.
struct Limits {
  std::size_t packet = 0;        ///< largest payload of one put(), bytes
  std::size_t eager = 0;         ///< longest message the core sends in one packet at once, bytes
  bool remote_readable = false;  ///< expose(), copy_exposed() and pull() work
  bool packets_outlive_sender = false;  ///< keep() works: packets can outlive their sender
  bool spawns = true;                   ///< processes can join a running job
  bool forks = false;                   ///< and so can a forked child of one that is in it
  bool outlives_a_death = true;         ///< the job goes on when a process dies
  bool leaves_together = false;         ///< leave() lasts until every process of the job has left
  bool multicasts = false;              ///< put_all() costs less than a put() to each
  /// Pieces of a long message that is not one piece of memory get there no later than a copy would
  /// that is exposed.
  bool streams = false;
  /// In a wait() until the epoch every runnable process gets its turn: a process that has not done
  /// an awaited action by then cannot, however long the wait.
  bool fair_turns = false;
};

/// Names one long message at its sender; unique among that sender's open ones.
enum class TransferId : std::uint64_t {};

/// The address of an exposed message for a receiver; only the back end that made it reads it.
struct Remote {
  std::uint64_t where = 0;
  std::uint64_t more = 0;
};

/// Payload of Kind::offer.
struct Offer {
  TransferId transfer{};
  Remote remote{};
};

/// One receiver of a put_all(), and the header it is to see.
struct Addressed {
  Rank to = no_rank;
  Header header{};
};

/// Start of the payload of Kind::data.
struct Fragment {
  TransferId transfer{};
  std::uint64_t offset = 0;
};

enum class Pulled {
  cannot,     ///< this back end (or this message) must be asked for with Kind::accept
  gone,       ///< the sender died and took the bytes with it
  under_way,  ///< until PacketSink::moved() the memory belongs to the port
  done,       ///< all bytes are in the receiver's memory
};

/// The receiver of a port's events: the core. Called inside poll(), and packet() also while its
/// process is in wait() until a time that is not past. May call put(), keep(), pull() and
/// copy_exposed() of the same port, never poll() or wait().
class PacketSink {
 public:
  /// One packet; `payload` is only valid during the call.
  virtual void packet(Header const& header, Bytes payload) = 0;
  /// A pull() that was under way has ended; not ok: the bytes are gone with their sender.
  virtual void moved(Rank from, TransferId transfer, bool ok) = 0;
  /// `rank` has ended, and everything it ever sent has been handed over. Called for each process
  /// that this process has had packets of or has put any to, before its end or after.
  virtual void gone(Rank rank) = 0;
  /// EXEC has written to the control channel.
  virtual void on_control_ready() = 0;

 protected:
  ~PacketSink() = default;
};

/// For a process that leaves: discards incoming packets.
class DiscardingSink final : public PacketSink {
 public:
  void packet(Header const&, Bytes) override {}
  void moved(Rank, TransferId, bool) override {}
  void gone(Rank) override {}
  void on_control_ready() override {}
};

/// Moves packets between processes. One per Process; called by its own thread (or fiber) only.
class Port {
 public:
  virtual ~Port() = default;

  virtual Limits limits() const = 0;
  /// The address of this process for peers, published in the id table; empty: the rank is enough.
  virtual std::string address() const { return {}; }
  /// Called once before the first put() to `to`, with the address that that process published.
  virtual void connect(Rank /*to*/, std::string_view /*address*/) {}

  /// Moves one packet towards `to`; never blocks, never drops, never overtakes. False: no room
  /// now, call again after wait() or poll(). `payload` may be reused as soon as this returns true.
  /// To a rank that has ended it returns true and counts the packet as lost.
  [[nodiscard]] virtual bool put(Rank to, Header const& header, Gather const& payload) = 0;

  /// One packet to each of `all`, none twice; they differ in their headers. As put(), but false:
  /// nothing has left at all. Only with Limits::multicasts.
  [[nodiscard]] virtual bool put_all(std::span<const Addressed> /*all*/,
                                     Gather const& /*payload*/) {
    return false;
  }

  /// Like put(), into memory that outlives this process and has room as long as the back end has,
  /// behind everything sent to `to` before. False: this back end has no such memory. Throws Error
  /// (Fault::no_memory) when there is no more.
  [[nodiscard]] virtual bool keep(Rank /*to*/, Header const&, Gather const& /*payload*/) {
    return false;
  }

  /// Hands over arrived packets, in order per source, a bounded number of them; returns the number
  /// of events. Never blocks.
  virtual std::size_t poll(PacketSink& sink) = 0;

  /// Sleeps until poll() may find something, room came for a put() that returned false, wake() was
  /// called, or the deadline has passed; may return early. Spins first where that pays.
  virtual void wait(Deadline deadline) = 0;

  /// The time that deadlines are on. A back end may have one of its own, which passes only while
  /// all processes wait.
  virtual Deadline now() { return Clock::now(); }
  /// Like now(), for observers: reading it changes nothing, not even where a clock moves with each
  /// read.
  virtual Deadline noted_time() const { return Clock::now(); }

  /// Ends wait(), now or the next one. Async-signal-safe, callable from any thread.
  virtual void wake() = 0;

  /// Readable when poll() may find something; -1: must be polled.
  virtual int wait_fd() { return -1; }

  /// Makes `bytes` readable for the receiver of an offer until unexpose(). Only with
  /// Limits::remote_readable.
  virtual Remote expose(TransferId, Bytes /*bytes*/) { return {}; }
  /// Takes exposed bytes out of the user's memory: true when they have been copied to memory that
  /// outlives this process and the user's may be reused; false when the receiver is reading them
  /// right now, so that Kind::done will come soon.
  virtual bool copy_exposed(Remote const&) { return false; }
  /// Whether the receiver has begun to read the exposed memory (a plain load).
  virtual bool claimed(Remote const&) { return false; }
  /// Ends an exposure after Kind::done.
  virtual void unexpose(Remote const&) {}

  /// Reads the first to.size() bytes that `from` exposed, straight into the user's memory.
  virtual Pulled pull(Rank /*from*/, Offer const&, Scatter const& /*to*/) { return Pulled::cannot; }

  /// `size` bytes, all zeros at first, that all who ask with this key have together, as long as one
  /// of them keeps it: where processes are in one address space. Null: they are not, and map memory
  /// of the system (generic/collectives/group_memory.hpp).
  virtual std::shared_ptr<std::byte> common_memory(std::uint64_t /*key*/, std::size_t /*size*/) {
    return nullptr;
  }

  /// The last call: all packets put must be delivered although this process ends now. May take as
  /// long as the back end needs to take them over, never as long as a receiver needs to ask for
  /// them; with Limits::leaves_together until the others have left, too. EXEC has been notified by
  /// then.
  virtual void leave() {}

  /// Whether `rank` has ended, as far as this process can know; a plain load.
  virtual bool ended(Rank) { return false; }

  /// The number of times that the program has read a clock of the C library; null: this back end
  /// does not see it.
  virtual std::optional<std::uint64_t> clock_reads() const { return std::nullopt; }
};

}  // namespace earl
