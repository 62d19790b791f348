// SPDX-License-Identifier: BSD-3-Clause
/// Damage in memory that the processes of a job share.
#pragma once

#include "generic/base/error.hpp"

namespace earl {

/// Shared memory holds data that no part of Earl writes there: a process of the job has written
/// through a wrong pointer. The process cannot be identified, and nothing afterwards can be
/// trusted, so this ends the job with any error handling of its front end.
class MemoryDamage : public Error {
 public:
  static constexpr int exit_code = 89;

  explicit MemoryDamage(std::string const& found)
      : Error("the memory of the job is damaged: {}; a process of the job has written there",
              found) {}
};

}  // namespace earl
