// SPDX-License-Identifier: BSD-3-Clause
/// The error text of the front end's units for a mistake.
#pragma once

#include "frontends/mpi1draft/errors.hpp"

namespace earl::mpi1draft {

/// The status a program would get; none: `body` does not fail.
template <class Body>
Status failure_of(Body body) {
  try {
    body();
  } catch (Error const& error) {
    return status_of(error);
  }
  return Status::none;
}

}  // namespace earl::mpi1draft
