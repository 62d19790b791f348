// SPDX-License-Identifier: BSD-3-Clause
/// Operations on the messages that have arrived: probes, receives that post nothing, flush.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "generic/endpoint.hpp"
#include "generic/operation.hpp"
#include "generic/receiver.hpp"

namespace earl {

class Engine;

class Prober {
 public:
  Prober(Engine& engine, Endpoint& endpoint, Receiver& receiver)
      : engine_(engine), endpoint_(endpoint), port_(*endpoint.port), receiver_(receiver) {}

  // Like Process's functions of the same names.
  Found probe(MatchSpec const& spec);
  std::optional<Found> try_probe(MatchSpec const& spec);
  std::optional<Message> try_take(MatchSpec const& spec, Deadline deadline);
  [[gnu::noinline]] std::pair<std::size_t, Completion> receive_any_of(
      std::span<const MatchSpec> specs, Scatter const& room);
  std::pair<std::size_t, Message> take_any_of(std::span<const MatchSpec> specs);
  std::uint64_t flush(MatchSpec const& spec);
  std::uint64_t flush_beyond(MatchSpec const& spec, std::uint64_t room);

 private:
  void progress_unless_arrived(MatchSpec const& spec);
  Arrival* await(MatchSpec const& spec, Verdict verdict, Deadline deadline);
  void record_failed_poll(OpKind kind, MatchSpec const& spec, Verdict verdict);
  Arrival* find_arrival(OpKind kind, MatchSpec const& spec, Deadline deadline);
  Arrival* oldest(std::span<const MatchSpec> specs) const;
  std::pair<std::size_t, Request*> take_one_of(std::span<const MatchSpec> specs,
                                               Scatter const& room, bool take);
  template <class Next>
  std::uint64_t drop_each(MatchSpec const& spec, Next next);

  Engine& engine_;
  Endpoint& endpoint_;
  Port& port_;
  Receiver& receiver_;
  std::uint32_t polls_ = 0;  ///< try_probe, try_take
};

}  // namespace earl
