// SPDX-License-Identifier: BSD-3-Clause
/// The threads of this system process.
#pragma once

namespace earl::bip {

unsigned threads_now();

/// The threads that exist when this library has been loaded: the back end's, but none of the
/// program yet.
extern unsigned const threads_of_back_end;

}  // namespace earl::bip
