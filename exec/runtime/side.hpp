// SPDX-License-Identifier: BSD-3-Clause
/// The side, of a machine's two, that a program was linked for (`earlcc -host`, `earlcc -node`):
/// the content of a note in its file.
#pragma once

#include "generic/base/bytes.hpp"

namespace earl {

enum class Side { either, host, node };

/// Whether the notes have that of a program which is a whole application (`earlcc -nx`): its
/// command line says how many nodes it has.
bool is_application(Bytes notes);

/// Reads the notes of an ELF file, as they stand in a segment; damaged ones count as none.
Side side_in(Bytes notes);

}  // namespace earl
