// SPDX-License-Identifier: BSD-3-Clause
/// The identification of EXEC's messages.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "generic/base/values.hpp"

namespace earl {

/// Gives each message of EXEC its id. Messages about different things (another context or tag) race
/// on their way here, and a replay must not take one for the other: each kind is counted alone. The
/// MessageId::sequence is the tag, twelve bits of the context's hash, and which of its kind it is.
class ExecMessages {
 public:
  MessageId next(Envelope const& envelope) {
    auto& count = counts_[{envelope.context, envelope.tag}];
    return {exec_rank, kind_of(envelope) | (count++ & most)};
  }

  static constexpr Tag tag_of(MessageId const& id) {
    return Tag{static_cast<std::int32_t>(static_cast<std::uint32_t>(id.sequence >> 32))};
  }
  static constexpr std::uint64_t nth_of(MessageId const& id) { return id.sequence & most; }

 private:
  static constexpr unsigned bits_of_count = 20;
  static constexpr std::uint64_t most = (std::uint64_t{1} << bits_of_count) - 1;

  static constexpr std::uint64_t kind_of(Envelope const& envelope) {
    auto const tag = static_cast<std::uint32_t>(number(envelope.tag));
    auto const hash = static_cast<std::uint64_t>(envelope.context) * 0x9e37'79b9'7f4a'7c15ULL;
    return std::uint64_t{tag} << 32 | hash >> 52 << bits_of_count;
  }

  std::map<std::pair<Context, Tag>, std::uint64_t> counts_;
};

}  // namespace earl
