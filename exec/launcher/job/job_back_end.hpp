// SPDX-License-Identifier: BSD-3-Clause
/// The back end's half in EXEC, from the start of the job to its shutdown.
#pragma once

#include <functional>
#include <memory>

#include "exec/launcher/events/loop.hpp"
#include "generic/base/error.hpp"
#include "generic/seams/backend.hpp"

namespace earl::exec {

class JobBackEnd {
 public:
  explicit JobBackEnd(Loop& loop) : loop_(loop) {}

  /// Before anything else.
  void prepare(std::unique_ptr<PreparedJob> half) { half_ = std::move(half); }
  PreparedJob* operator->() const { return half_.get(); }
  /// Lets the back end act on its events; `failed` is called at most once, when it cannot any more.
  void watch(std::function<void(Error const&)> failed);
  /// Frees everything that the back end has: a back end may have processes of its own, which are
  /// then no stragglers of the job's.
  void close();

 private:
  Loop& loop_;
  std::unique_ptr<PreparedJob> half_;
};

}  // namespace earl::exec
