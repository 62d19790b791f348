/// Loading the library makes the process a member of its job; bip_init() waits for the others.
#include "exec/boot.hpp"

namespace {

[[gnu::constructor]] void join_job() { earl::boot::load("bip"); }

}  // namespace
