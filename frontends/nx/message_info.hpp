// SPDX-License-Identifier: BSD-3-Clause
/// msginfo: what the info calls return about the last message.
#pragma once

#include <cstddef>
#include <cstdint>

#include "frontends/nx/message_ids.hpp"
#include "generic/process.hpp"

namespace earl::nx {

/// The values of msginfo.
struct Facts {
  std::int32_t type, count, node, pid;
};

class MessageInfo {
 public:
  explicit MessageInfo(Process& process);

  /// 0 type, 1 length, 2 node, 3 pid.
  std::int32_t fact(std::size_t which) const;
  Facts facts() const { return {fact(0), fact(1), fact(2), fact(3)}; }
  void set(Facts const& facts);
  /// Into an array of the program's, which may be msginfo.
  void set(Facts const& facts, InfoArray const& info);

 private:
  long* wide_;            ///< msginfo
  std::int32_t* narrow_;  ///< msginfo_
};

}  // namespace earl::nx
