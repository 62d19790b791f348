// SPDX-License-Identifier: BSD-3-Clause
/// The debuggers' halves in EXEC.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "generic/seams/job_interceptor.hpp"

namespace earl::exec {

/// All of a job's, in the order in which the user named them; each question goes to every one.
class Interceptors {
 public:
  void add(std::unique_ptr<JobInterceptor> half) { all_.push_back(std::move(half)); }

  /// True when none objects.
  bool may_serve(Rank from, std::uint32_t operation) const;
  bool may_announce_death(Rank rank) const;
  /// May make the piece shorter.
  bool may_deliver(OutputPiece& piece) const;

  void served(Rank from, std::uint32_t operation, Bytes request) const;
  void died(Rank rank, int wait_status) const;
  void delivered(OutputPiece const& piece) const;

  /// The rank that the next process gets (JobInterceptor::named()).
  Rank choose(Rank rank, Rank next) const;
  /// One does not wait for these deaths any more: ask all again.
  bool stop_waiting_for(std::span<Rank const> dead) const;
  /// The job is over: gives its exit code.
  int finished(int exit_code) const;

  /// Those that are a `Seam`, too.
  template <class Seam>
  std::vector<Seam*> each() const {
    std::vector<Seam*> found;
    for (auto const& half : all_)
      if (auto* const also = dynamic_cast<Seam*>(half.get())) found.push_back(also);
    return found;
  }

 private:
  std::vector<std::unique_ptr<JobInterceptor>> all_;
};

}  // namespace earl::exec
