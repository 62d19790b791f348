// SPDX-License-Identifier: BSD-3-Clause
/// Finds the events after the steps of a path: they are unconstrained in a run that takes the path,
/// and all others stay as recorded.
#pragma once

#include "debug/analyse/history.hpp"
#include "debug/trace/path.hpp"

namespace earl::analyse {

class Aftermath {
 public:
  /// For a path whose receives have been exchanged, see with_consequences().
  Aftermath(History const& history, trace::Path path);

  /// Adds the steps that free it.
  void append_to(trace::Path& path) const;
  /// Up to which of its completions the rank is as it was; none: to its end.
  std::uint32_t cut(std::uint32_t rank) const { return ranks_[rank].completion; }
  /// The receive gets the same message again.
  bool keeps(std::uint32_t rank, Receive const& receive) const;

 private:
  /// From where on all of a rank is after one of the steps.
  struct Beginning {
    std::uint32_t completion = none;  ///< none: nowhere
    std::uint64_t call = 0;
  };

  bool is_freed(std::uint32_t rank, Receive const& receive) const;
  bool is_sent_after(std::uint32_t message) const;
  bool names(std::uint32_t rank, Receive const& receive) const;
  trace::PathStep const* names(std::uint32_t rank, Question const& question) const;
  bool is_after(std::uint32_t rank, Receive const& receive) const;
  Beginning beginning_at(Join const& join, std::uint32_t completion) const;
  void follow();
  void add_open(std::uint32_t rank);

  History const& history_;
  trace::Path path_;
  std::vector<Beginning> ranks_;
};

}  // namespace earl::analyse
