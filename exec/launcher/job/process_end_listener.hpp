// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "exec/launcher/children/child.hpp"

namespace earl::exec {

class ProcessEndListener {
 public:
  /// `wait_status` as wait(2) gives it.
  virtual void ended(Child& child, int wait_status) = 0;

 protected:
  ~ProcessEndListener() = default;
};

}  // namespace earl::exec
