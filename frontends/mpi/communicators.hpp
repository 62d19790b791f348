// SPDX-License-Identifier: BSD-3-Clause
/// Communicators: a group whose messages meet no others.
#pragma once

#include <string>

#include "frontends/mpi/attributes.hpp"
#include "frontends/mpi/groups.hpp"
#include "frontends/mpi/handles.hpp"
#include "frontends/mpi/topologies.hpp"
#include "generic/base/context_names.hpp"
#include "generic/collectives/collectives.hpp"
#include "generic/contexts.hpp"

namespace earl::mpi {

/// The effect of an error in a communicator's calls.
struct Errhandler final : Counted {
  enum class Manner { fatal, returns, calls };
  /// An MPI_Comm_errhandler_function.
  using Function = void(Handle*, int*, ...);

  Errhandler(Manner what, Handle name, Function* callback = nullptr)
      : manner(what), handle(name), function(callback) {}

  Manner manner;
  Handle handle;  ///< null while the program has none
  Function* function;
  int uses = 1;  ///< how many times the program has to free `handle`
};

struct Communicator final : Counted {
  Handle handle = 0;
  std::string name{};  ///< as MPI_Comm_set_name has it; empty: none
  Ref<Members> local{};
  Ref<Members> remote{};  ///< of an intercommunicator; else null
  /// Where its messages travel; collectives in the same id of Space::collective.
  Context context = common_context;
  std::uint64_t collective_id = 0;
  Ref<Errhandler> errhandler{};
  Attributes attributes{};
  Ref<Topology> topology{};  ///< null: none

  /// For its messages or its collectives.
  bool uses(Context any) const {
    return any == context || any == context_of(Space::collective, collective_id) ||
           any == between();
  }
  /// The context of collectives between the groups of an intercommunicator.
  Context between() const {
    return context_of(Space::collective, ContextNames::between(collective_id));
  }
  bool inter() const { return static_cast<bool>(remote); }
  /// The members that destinations and sources number.
  Members const& peers() const { return remote ? *remote : *local; }
  /// For the core's collectives among the local group; valid as long as this is.
  Group group() const {
    return {.members = local->ranks(),
            .me = static_cast<std::size_t>(local->me()),
            .context = context_of(Space::collective, collective_id)};
  }
  /// For sentences: its name, else its handle. Bytes that could disturb a terminal are replaced.
  std::string to_text() const;
  /// The name in reports of a context that it uses.
  ContextName name_of(Context any) const;

 private:
  /// "window" where the handle is a window's.
  char const* noun() const;
};

}  // namespace earl::mpi
