// SPDX-License-Identifier: BSD-3-Clause
/// The parts of the debuggers in EXEC.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "generic/seams/job_interceptor.hpp"

namespace earl::exec {

/// All of a job's, asked in the order in which the user named them, until one refuses.
class JobInterceptors {
 public:
  void add(std::unique_ptr<JobInterceptor> interceptor) { all_.push_back(std::move(interceptor)); }

  /// True when none objects.
  bool may_serve(Rank from, std::uint32_t operation) const;
  bool may_announce_death(Rank rank) const;
  /// May make the piece shorter, also where a later one refuses it.
  bool may_deliver_output(OutputPiece& piece) const;

  void served(Rank from, std::uint32_t operation, Bytes request) const;
  void died(Rank rank, int wait_status) const;
  void output_delivered(OutputPiece const& piece) const;

  /// The rank that the next process gets.
  Rank choose_rank(Rank rank, Rank next) const;
  std::optional<Rank> coming_rank(Rank next) const;
  /// True: at least one has stopped waiting for a request of these ended ranks; ask all again.
  bool stop_waiting_for(std::span<Rank const> dead) const;
  void notified(Rank from, std::string_view debugger, Bytes note) const;
  bool may_fail(Rank rank) const;
  void failed(Rank rank, std::string_view why) const;
  /// The job is over: gives its exit code.
  int finished(int exit_code) const;

  template <class Interface>
  std::vector<Interface*> all_implementing() const {
    std::vector<Interface*> found;
    for (auto const& interceptor : all_)
      if (auto* const also = dynamic_cast<Interface*>(interceptor.get())) found.push_back(also);
    return found;
  }

 private:
  std::vector<std::unique_ptr<JobInterceptor>> all_;
};

}  // namespace earl::exec
