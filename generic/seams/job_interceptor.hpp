// SPDX-License-Identifier: BSD-3-Clause
/// The half of a debugger that lives in EXEC.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "generic/base/bytes.hpp"
#include "generic/base/values.hpp"

namespace earl {

/// A piece of a process's output, to be delivered to a subscriber.
struct OutputPiece {
  Rank writer{};
  std::uint32_t stream = 0;  ///< 0: standard output, 1: standard error
  std::size_t bytes = 0;     ///< 0: it has printed all, on both
  bool last = false;         ///< nothing more comes on that stream
};

/// A debugger's half in EXEC: the order in which requests were served is an input of the run too.
class JobInterceptor {
 public:
  virtual ~JobInterceptor() = default;
  /// False: this request must wait, others come first. Asked again after each served(), died() and
  /// output_delivered().
  virtual bool may_serve(Rank /*from*/, std::uint32_t /*operation*/) { return true; }
  /// A request has been taken in. Its answer may come later; it follows from the order of requests
  /// and deaths alone.
  virtual void served(Rank /*from*/, std::uint32_t /*operation*/, Bytes /*request*/) {}
  /// False: the end of this process must not be announced yet to processes that asked for it.
  virtual bool may_announce_death(Rank) { return true; }
  /// A death is known from now on.
  virtual void died(Rank, int /*wait_status*/) {}
  /// False: that piece must not be delivered yet. May make it shorter.
  virtual bool may_deliver_output(OutputPiece&) { return true; }
  /// It is delivered to its subscriber now.
  virtual void output_delivered(OutputPiece const&) {}
  /// The next process gets this rank, `next` unless the row of that one is in use: then a later
  /// one. Gives the one it shall have; EXEC waits until its row is free.
  virtual Rank named(Rank rank, Rank /*next*/) { return rank; }
  /// Nothing that waits may be served or announced. `dead` have ended, which must not be known yet,
  /// and send no more requests. True: it does not wait for them any more, and shall be asked again.
  virtual bool stop_waiting_for(std::span<Rank const> /*dead*/) { return false; }
  /// The job is over; the last call. Returns the exit code the job shall have.
  virtual int finished(int exit_code) { return exit_code; }
};

}  // namespace earl
