// SPDX-License-Identifier: BSD-3-Clause
/// Loading the library makes the process a member of its job; bip_init() waits for the others.
#include "exec/runtime/boot.hpp"
#include "frontends/bip/threads.hpp"

namespace earl::bip {

namespace {

unsigned join_job() {
  boot::load("bip");
  return threads_now();
}

}  // namespace

unsigned const threads_of_back_end = join_job();

}  // namespace earl::bip
