// SPDX-License-Identifier: BSD-3-Clause
/// The error text of the front end's units for a mistake.
#pragma once

#include "frontends/nx/errors.hpp"

namespace earl::nx {

/// The errno a program would get; 0: `body` does not fail.
template <class Body>
int failure_of(Body body) {
  try {
    body();
  } catch (Error const& error) {
    return number_of(error);
  }
  return 0;
}

}  // namespace earl::nx
