// SPDX-License-Identifier: BSD-3-Clause
/// With EARL_MPI_TYPES=1, or for a debugger: reports messages that are received as other types than
/// they were sent as.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "frontends/mpi/datatypes.hpp"
#include "generic/process.hpp"

namespace earl::mpi {

struct Communicator;

/// The data of one direction of a collective.
struct CollectiveData {
  Handle datatype{};
  bool some = false;  ///< there is an element for each member that shares in it
};

/// A receive's datatype, which may be freed before the receive is complete, and the receiving call.
struct Expected {
  TypeMap const* map = nullptr;
  Ref<Datatype> datatype{};  ///< the map's; null: a predefined one
  void const* site = nullptr;
};

/// For the user's reports the word of each envelope has the number of the sending call in place of
/// the sender's. The first message from a call to a process comes after one that says where in the
/// program the call is. A debugger knows that by itself.
class TypeChecks {
 public:
  /// Null: neither the user nor a debugger wants them.
  static std::unique_ptr<TypeChecks> wanted(State& me);

  /// In the word of a message of `comm` to `dest`.
  std::uint32_t sender(Communicator const& comm, Rank dest);
  /// Whether sender() is the sender's number in the communicator.
  bool names_sender() const { return !printed_; }
  Expected expected(Handle datatype) const;
  /// Reports a mismatch, once for two calls.
  void compare(Communicator const& comm, Completion const& got, Expected const& expected);
  /// Notes what the caller gives to the collective of the call under way, and takes from it.
  void note_collective(CollectiveData const& given, CollectiveData const& taken);

 private:
  TypeChecks(State& me, Interceptor* watch, bool printed)
      : me_(me), watch_(watch), printed_(printed) {}

  /// The number of the call under way, which `dest` knows from then on.
  std::uint32_t number_of_call(Rank dest);
  void print(Communicator const& comm, Completion const& got, Expected const& expected,
             std::uint32_t wanted);
  /// Empty: unknown, or any fits.
  std::string_view element_of(CollectiveData const& data);
  std::string place_of_send(Rank source, std::uint32_t call);

  State& me_;
  Interceptor* watch_;  ///< null: no debugger is interested
  bool printed_;
  std::map<void const*, std::uint32_t> calls_{};
  std::set<std::pair<Rank, std::uint32_t>> announced_{};
  std::map<std::pair<Rank, std::uint32_t>, std::string> places_{};  ///< of others' calls
  std::set<std::pair<std::string, void const*>> reported_{};
};

}  // namespace earl::mpi
