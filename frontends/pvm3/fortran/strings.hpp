// SPDX-License-Identifier: BSD-3-Clause
/// CHARACTER arguments of the PVM 3 routines.
#pragma once

#include "frontends/common/fortran_text.hpp"
#include "frontends/pvm3/include/pvm3.h"

namespace earl::pvm::fortran {

using earl::fortran::give;
using earl::fortran::Length;
using earl::fortran::Text;

/// In PVM a group's name has 31 characters at most.
using GroupName = Text<32>;

/// Runs `body(char*)` on a string, or gives PvmBadParam when it is too long.
template <class String = Text<>, class Body>
int with_text(char const* from, Length length, Body body) {
  String text(from, length);
  return text.fits() ? body(text.get()) : PvmBadParam;
}

}  // namespace earl::pvm::fortran
