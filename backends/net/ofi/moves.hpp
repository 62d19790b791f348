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
  struct Finished {
    std::uint64_t tag = 0;
    Rank peer = no_rank;
    bool sent = false;
    bool cancelled = false;
    char const* error_text = nullptr;  ///< why it failed; valid until the next call of libfabric
  };
  struct Send {
    Rank to{};
    std::uint64_t destination = 0;
    std::uint64_t tag = 0;
    Bytes bytes{};
  };

  explicit Moves(earl_ofi_calls const& calls) : calls_(calls) {}

  /// Begins to receive; gives the tag, or 0: not now.
  std::uint64_t receive(earl_ofi_endpoint* ofi, Rank from, MutableBytes room);
  /// Its message will not be sent: it completes as failed.
  void cancel(earl_ofi_endpoint* ofi, std::uint64_t tag);
  /// Begins to send, as soon as there is room. Returns one that has failed already.
  std::optional<Finished> send(earl_ofi_endpoint* ofi, Send const& request);
  /// The same for requests that had no room.
  std::optional<Finished> try_again(earl_ofi_endpoint* ofi);
  bool any() const { return !waiting_.empty() || !under_way_.empty(); }
  bool waiting() const { return !waiting_.empty(); }
  /// Whether a send has not ended.
  bool is_sending(Rank to, std::uint64_t tag) const;
  /// Cancels a request that had no room.
  void drop_waiting(Rank to, std::uint64_t tag);
  /// The completion of a transfer, as libfabric reports it.
  Finished ended(earl_ofi_arrival const& arrival);

 private:
  /// 1: it has begun; 0: no room; else the error.
  int start(earl_ofi_endpoint* ofi, Send const& request);

  earl_ofi_calls const& calls_;
  std::uint64_t tags_ = 0;
  std::unordered_map<std::size_t, Finished> under_way_;  ///< by slot
  std::deque<Send> waiting_;
};

}  // namespace earl::net::ofi
