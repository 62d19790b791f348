// SPDX-License-Identifier: BSD-3-Clause
#include "exec/runtime/places.hpp"

#include "debug/symbols/modules.hpp"
#include "exec/runtime/boot.hpp"
#include "exec/runtime/stack.hpp"
#include "generic/seams/shared_process.hpp"

namespace earl::boot {

std::string place_of(void const* address) {
  auto const at = reinterpret_cast<std::uintptr_t>(address);
  if (auto const* const shared = shared_process())
    if (auto const loaded = shared->loaded_at(at))
      return symbols::line_of(std::string{loaded->path}, at - loaded->base);
  Frame const frame = frame_at(address);
  return symbols::line_of(frame.module, frame.offset);
}

}  // namespace earl::boot
