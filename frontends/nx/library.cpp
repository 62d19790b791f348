// SPDX-License-Identifier: BSD-3-Clause
/// Loading the library makes the process a member of its job: NX programs have no call for that.
#include "exec/runtime/boot.hpp"

namespace {

[[gnu::constructor]] void join_job() { earl::boot::load("nx"); }

}  // namespace
