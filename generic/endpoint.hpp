// SPDX-License-Identifier: BSD-3-Clause
/// A process's place in its job, its back end and its debuggers, as all parts of its engine see
/// them.
#pragma once

#include <memory>

#include "generic/base/id_table.hpp"
#include "generic/seams/direct_transfer.hpp"
#include "generic/seams/interceptor_stack.hpp"
#include "generic/seams/port.hpp"
#include "generic/services/expected_notices.hpp"

namespace earl {

struct Endpoint {
  Endpoint(Rank own_rank, IdTable id_table, std::unique_ptr<Port> own_port)
      : rank(own_rank),
        table(id_table),
        port(std::move(own_port)),
        direct_transfer(direct_transfer_of(port.get())),
        limits(port->limits()) {}

  /// One debugger is asked directly, several through the stack that knows their order.
  void add(std::unique_ptr<Interceptor> one) {
    Interceptor* const newest = one.get();
    debuggers.add(std::move(one));
    debugger = debugger ? &debuggers : newest;
  }
  /// Whether memory in several pieces is packed as it leaves, never into a copy of the whole.
  bool packs_late() const { return limits.streams || !limits.remote_readable; }
  /// A peer that has left stays until its offers have been read, so its bytes still come on
  /// request.
  bool waits_for_readers() const {
    return limits.remote_readable && !limits.packets_outlive_sender;
  }

  const Rank rank;
  const IdTable table;
  const std::unique_ptr<Port> port;
  DirectTransfer* const direct_transfer;  ///< the same port; null: it cannot
  const Limits limits;
  ExpectedNotices notices{};
  InterceptorStack debuggers{};
  Interceptor* debugger = nullptr;  ///< all of them; null: there is none
};

}  // namespace earl
