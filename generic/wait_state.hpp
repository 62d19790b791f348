// SPDX-License-Identifier: BSD-3-Clause
/// The wait or question of the program that is under way, for reports to EXEC.
#pragma once

#include <span>
#include <vector>

#include "generic/message/match_spec.hpp"
#include "generic/request.hpp"
#include "generic/seams/interceptor.hpp"
#include "generic/seams/report.hpp"

namespace earl {

struct Request;  // generic/operation.hpp

/// A wait that other processes end by what they write to memory they share.
class SharedWait {
 public:
  /// It has ended, though its process may not have noticed.
  virtual bool over() const = 0;
  /// Processes that must do something before.
  virtual std::vector<Rank> missing() const = 0;
  virtual Context context() const = 0;

 protected:
  ~SharedWait() = default;
};

/// The purpose of a wait. Refers to memory that the caller keeps.
struct WaitState {
  OpKind kind = OpKind::probe;           ///< when there is neither a request nor a list
  Request const* request = nullptr;      ///< one request
  std::span<Request* const> requests{};  ///< or several
  std::span<const MatchSpec> specs{};    ///< or a message one of these accepts
  bool all = true;                       ///< of `requests`; else one is enough
  std::uint32_t operation = 0;           ///< of OpKind::exec
  SharedWait const* shared = nullptr;    ///< or something in shared memory
};
/// Describes in `need` the event by which a receive or probe with this spec, or a request, goes on.
/// Its memory is used again: programs that poll come here again and again.
void describe(Need& need, OpKind kind, MatchSpec const& spec);
void describe(Need& need, Request const& request);

inline WaitState waiting_for(MatchSpec const& spec) { return {.specs = {&spec, 1}}; }

}  // namespace earl
