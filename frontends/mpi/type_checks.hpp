// SPDX-License-Identifier: BSD-3-Clause
/// With EARL_MPI_TYPES=1: reports messages that are received as other types than they were sent as.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>

#include "frontends/mpi/datatypes.hpp"
#include "generic/process.hpp"

namespace earl::mpi {

struct Communicator;

/// Whether the user asks for these reports.
bool type_checks_wanted();

/// A receive's datatype, which may be freed before the receive is complete, and the receiving call.
struct Expected {
  TypeMap const* map = nullptr;
  Ref<Datatype> datatype{};  ///< the map's; null: a predefined one
  void const* site = nullptr;
};

/// The word of each envelope has the number of the sending call in place of the sender's. The first
/// message from a call to a process comes after one that says where in the program the call is.
class TypeChecks {
 public:
  explicit TypeChecks(State& me) : me_(me) {}

  /// The number of the call under way, which `dest` knows from then on.
  std::uint32_t number_of_call(Rank dest);
  Expected expected(Handle datatype) const;
  /// Reports a mismatch, once for two calls.
  void compare(Communicator const& comm, Completion const& got, Expected const& expected);

 private:
  std::string place_of_send(Rank source, std::uint32_t call);

  State& me_;
  std::map<void const*, std::uint32_t> calls_{};
  std::set<std::pair<Rank, std::uint32_t>> announced_{};
  std::map<std::pair<Rank, std::uint32_t>, std::string> places_{};  ///< of others' calls
  std::set<std::pair<std::string, void const*>> reported_{};
};

}  // namespace earl::mpi
