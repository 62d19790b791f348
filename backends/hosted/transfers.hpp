// SPDX-License-Identifier: BSD-3-Clause
/// Long messages, out of the sender's memory into the receiver's: the receiver posts a receive with
/// a tag of its own and asks the sender, which then sends with that tag. The library does the rest.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <unordered_map>
#include <vector>

#include "backends/hosted/native.h"
#include "generic/base/bytes.hpp"
#include "generic/seams/port.hpp"

namespace earl::hosted_backend {

/// A receiver's request; payload of a packet between ports.
struct Fetch {
  std::uint64_t where = 0;  ///< Remote::where
  std::uint64_t size = 0;   ///< bytes it has room for
  std::int32_t tag = 0;
  std::int32_t unused = 0;
};

/// The sender's half.
class Exposures {
 public:
  using Dead = std::function<bool(Rank)>;

  /// `dead`: whether no process reads there any more.
  Exposures(earl_library_calls const& native, Dead dead)
      : native_(native), dead_(std::move(dead)) {}

  Remote add(Bytes bytes);
  bool copy_exposed(Remote const& remote);
  bool claimed(Remote const& remote) const;
  /// Whether the library is moving any of them.
  bool being_read() const { return being_read_ != 0; }
  /// Waits until the library has done with the bytes, or their reader has died.
  void remove(Remote const& remote);
  /// Sends the requested bytes; nothing when they are not there (any more).
  void send(Rank to, Fetch const& fetch);

 private:
  struct Exposure {
    Bytes bytes{};
    Buffer own{};  ///< once the user's memory is free
    bool claimed = false;
    Rank reader = no_rank;
    std::vector<earl_library_request> sends{};
  };

  earl_library_calls const& native_;
  Dead dead_;
  std::uint64_t names_ = 0;
  std::size_t being_read_ = 0;
  std::unordered_map<std::uint64_t, Exposure> all_;
};

/// The receiver's half.
class Pulls {
 public:
  explicit Pulls(earl_library_calls const& native) : native_(native) {}

  /// Posts the receive; returns the request to send to `from`.
  Fetch start(Rank from, Offer const& offer, Scatter const& to);
  bool empty() const { return all_.empty(); }
  /// Whether one from there is under way.
  bool any_from(Rank from) const;
  /// Calls `moved` for each that is complete and says how many there were.
  std::size_t finish(std::function<void(Rank, TransferId)> const& moved);
  /// `from` has died: transfers under way from there never complete.
  void abandon(Rank from);
  /// Takes those back that are under way.
  void close();

 private:
  struct Pull {
    Rank from{};
    TransferId transfer{};
    Scatter to{};    ///< the user's memory; empty: the library writes into it itself
    Buffer whole{};  ///< its payload
    std::deque<earl_library_request> receives{};
  };

  earl_library_calls const& native_;
  std::uint32_t tags_ = 0;
  std::vector<Pull> all_;
};

}  // namespace earl::hosted_backend
