// SPDX-License-Identifier: BSD-3-Clause
/// Long messages that libfabric moves from memory to memory, each under a tag of its own.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>

#include "backends/net/ofi/native.h"
#include "generic/base/bytes.hpp"
#include "generic/base/values.hpp"

namespace earl::net::ofi {

class Moves {
 public:
  /// One that has ended.
  struct Over {
    std::uint64_t tag = 0;
    Rank peer = no_rank;
    bool sent = false;
    bool forgotten = false;
    char const* words = nullptr;  ///< why it was in vain; valid until the next call of libfabric
  };
  struct Send {
    Rank to{};
    std::uint64_t destination = 0;
    std::uint64_t tag = 0;
    Bytes bytes{};
  };

  explicit Moves(earl_ofi_calls const& calls) : calls_(calls) {}

  /// Begins to receive; gives the tag, or 0: not now.
  std::uint64_t receive(earl_ofi_endpoint* ofi, Rank from, Room room);
  /// It will not be sent: it will be over, in vain.
  void forget(earl_ofi_endpoint* ofi, std::uint64_t tag);
  /// Begins to send, as soon as there is room. Gives one that is over already: in vain.
  std::optional<Over> send(earl_ofi_endpoint* ofi, Send const& request);
  /// The same for requests that had no room.
  std::optional<Over> try_again(earl_ofi_endpoint* ofi);
  bool any() const { return !waiting_.empty() || !under_way_.empty(); }
  bool waiting() const { return !waiting_.empty(); }
  /// Whether a send has not ended.
  bool sends(Rank to, std::uint64_t tag) const;
  /// Cancels a request that had no room.
  void drop(Rank to, std::uint64_t tag);
  /// The completion of a transfer, as libfabric reports it.
  Over ended(earl_ofi_arrival const& arrival);

 private:
  /// 1: it has begun; 0: no room; else the error.
  int start(earl_ofi_endpoint* ofi, Send const& request);

  earl_ofi_calls const& calls_;
  std::uint64_t tags_ = 0;
  std::unordered_map<std::size_t, Over> under_way_;  ///< by slot
  std::deque<Send> waiting_;
};

}  // namespace earl::net::ofi
