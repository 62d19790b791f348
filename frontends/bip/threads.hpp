// SPDX-License-Identifier: BSD-3-Clause
/// The threads of this system process.
#pragma once

namespace earl::bip {

unsigned threads_now();

/// What there was when this library had been loaded: the machine had brought its own, and the
/// program none yet.
extern unsigned const threads_of_machine;

}  // namespace earl::bip
