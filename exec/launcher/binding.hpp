// SPDX-License-Identifier: BSD-3-Clause
/// The binding of processes to CPUs, as it is asked for (--bind-to, --map-by).
#pragma once

#include <cstdint>

#include "generic/base/wire.hpp"

namespace earl::exec {

/// The CPUs that the processes of a host are bound to, where each is a process of its own.
enum class BindingUnit : std::uint8_t { none, core, numa };
struct Binding {
  BindingUnit unit = BindingUnit::none;   ///< what each process gets
  BindingUnit order = BindingUnit::core;  ///< numa: consecutive processes go to other NUMA nodes

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(checked(self.unit, BindingUnit::numa, "a unit of binding"),
          checked(self.order, BindingUnit::numa, "an order of binding"));
  }
};

}  // namespace earl::exec
