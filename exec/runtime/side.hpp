// SPDX-License-Identifier: BSD-3-Clause
/// The side, of a machine's two, that a program was linked for (`earlcc -host`, `earlcc -node`):
/// the content of a note in its file.
#pragma once

#include "generic/base/bytes.hpp"

namespace earl {

enum class Side { either, host, node };

/// Reads the notes of an ELF file, as they stand in a segment; damaged ones count as none.
Side side_in(Bytes notes);

}  // namespace earl
