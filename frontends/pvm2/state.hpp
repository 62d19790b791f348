// SPDX-License-Identifier: BSD-3-Clause
/// PVM 2's state per process, attached to its Process.
#pragma once

#include <optional>
#include <string>

#include "frontends/common/body.hpp"
#include "frontends/pvm2/directory.hpp"
#include "generic/process.hpp"

namespace earl::pvm2 {

class State final : public Extension {
 public:
  explicit State(Process& process) : me(process), directory(process) {}

  Process& me;
  Directory directory;
  std::optional<Place> self{};       ///< while enrolled
  bool has_left = false;             ///< an earlier enrolment is over
  Body building{};                   ///< the message that the put routines build
  std::optional<Message> current{};  ///< received last
  std::size_t cursor = 0;            ///< bytes of it that the get routines have read

  /// A program that was started without EXEC gets one now.
  void need_exec();
  /// The id table's row of this process.
  IdRow const* row() const { return me.table().find(me.rank()); }
};

State& state_of(Process& me);

}  // namespace earl::pvm2
