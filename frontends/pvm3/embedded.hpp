// SPDX-License-Identifier: BSD-3-Clause
/// Whole messages inside messages: eight integers (length, context, tag, wait id, encoding,
/// checksum, source, destination), then the body as a counted run of bytes.
#pragma once

#include "frontends/pvm3/state.hpp"

namespace earl::pvm {

/// pvm_pkmesg: buffer `id`, header and body, goes into the active send buffer.
int embed(State& state, int id);
/// pvm_pkmesgbody: only the body, whose encoding must be that of the active send buffer.
int embed_body(State& state, int id);
/// pvm_upkmesg: the number of a new buffer, which is not made active.
int unembed(State& state);

}  // namespace earl::pvm
