// SPDX-License-Identifier: BSD-3-Clause
/// A parser of hostile bytes may refuse them with an Error; anything else is a bug.
#pragma once

#include "generic/base/error.hpp"

namespace earl::fuzz {

template <class Body>
void only_errors(Body&& body) {
  try {
    body();
  } catch (Error const&) {  // refused, as it should be
  }
}

}  // namespace earl::fuzz
