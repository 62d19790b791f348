// SPDX-License-Identifier: BSD-3-Clause
/// The half of a debugger that lives in EXEC.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

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
  /// The rank of the next process. By default `rank`, the first one from `next` on whose row is
  /// free; where the result's row is in use, EXEC waits until it is free.
  virtual Rank choose_rank(Rank rank, Rank /*next*/) { return rank; }
  /// The answer of choose_rank() for the first process that the request starts which may be
  /// served now; null: unknown.
  virtual std::optional<Rank> coming_rank(Rank /*next*/) { return std::nullopt; }
  /// Called when no request and no death may pass. True: a request that was waited for would have
  /// come from one of `dead`, which have ended unannounced, and is waited for no more.
  virtual bool stop_waiting_for(std::span<Rank const> /*dead*/) { return false; }
  /// DebuggedProcess::notify_exec() of a process: of any debugger, which `name` tells apart. Not
  /// trusted: a program may have written over its debugger's memory.
  virtual void notified(Rank /*from*/, std::string_view /*name*/, Bytes /*note*/) {}
  /// False: the job must not end yet because this process has failed. Asked again once no other
  /// process is left.
  virtual bool may_fail(Rank) { return true; }
  /// The job ends because this process has failed, and has reported why.
  virtual void failed(Rank, std::string_view /*why*/) {}
  /// The job is over; the last call. Returns the exit code the job shall have.
  virtual int finished(int exit_code) { return exit_code; }
};

}  // namespace earl
