// SPDX-License-Identifier: BSD-3-Clause
/// MPI's state of one process beside the core.
#pragma once

#include "frontends/common/peers.hpp"
#include "frontends/mpi/buffered_sends.hpp"
#include "frontends/mpi/communicators.hpp"
#include "frontends/mpi/datatypes.hpp"
#include "frontends/mpi/fortran_code.hpp"
#include "frontends/mpi/info.hpp"
#include "frontends/mpi/operations.hpp"
#include "frontends/mpi/requests.hpp"
#include "frontends/mpi/translate.hpp"
#include "frontends/mpi/type_checks.hpp"
#include "frontends/mpi/windows.hpp"
#include "generic/base/context_names.hpp"
#include "generic/process.hpp"

namespace earl::mpi {

/// Objects that MPI-1 does not have.
struct LaterObjects {
  Infos infos{};
  Table<Ref<Window>, Kind::window> windows{};
};

class State final : public Extension {
 public:
  enum class Stage { before, running, after };
  /// Hidden: each call reads it.
  [[gnu::visibility("hidden")]] static std::size_t const slot;

  explicit State(Process& process);

  Process& process() { return process_; }
  Peers const& peers() const { return peers_; }

  /// From now on it is noted which call makes what.
  void note_sites();
  /// Null: it is not wanted.
  CallSite const* call_site() const { return call_site_ ? &call_site_ : nullptr; }

  /// The library that calls for Fortran programs.
  FortranCode& fortran_code() { return fortran_code_; }

  /// Null: they are not wanted.
  TypeChecks* type_checks() const { return type_checks_.get(); }
  void check_types() { type_checks_ = TypeChecks::wanted(*this); }

  Stage stage() const { return stage_; }
  void set_stage(Stage stage) {
    stage_ = stage;
    required_call = stage == Stage::running ? "MPI_Finalize" : "";
  }
  /// Class OTHER: before MPI_Init or after MPI_Finalize.
  void check_running() const {
    if (stage_ != Stage::running) [[unlikely]]
      refuse_stage();
  }

  // --- what handles name
  Communicator& world() { return *world_; }
  /// Class COMM.
  Communicator& communicator(Handle comm, char const* argument = "comm") {
    if (comm == MPI_COMM_WORLD) [[likely]]
      return *world_;
    if (auto* const found = find_communicator(comm)) return *found;
    handle::refuse(comm, Kind::communicator, argument);
  }
  /// Null: there is none.
  Communicator* find_communicator(Handle comm);
  /// For collectives and topologies; class COMM.
  Communicator& intracommunicator(Handle comm, char const* argument = "comm");
  /// Gives it a handle.
  Communicator& open(Ref<Communicator> comm);
  Table<Ref<Communicator>, Kind::communicator>& communicators() { return communicators_; }
  /// Class GROUP.
  Ref<Members> group(Handle group, char const* argument = "group");
  /// MPI_GROUP_EMPTY when it has no member.
  Handle open_group(Ref<Members> members);
  Handle open_group(Ranks ranks);
  Table<Ref<Members>, Kind::group>& groups() { return groups_; }
  Table<Ref<Keyval>, Kind::keyval>& keyvals() { return keyvals_; }
  /// MPI_TAG_UB and its like, which programs read through a pointer; null: no such key.
  int* predefined_attribute(int keyval);
  Datatypes& datatypes() { return datatypes_; }
  Table<Ref<UserOperation>, Kind::operation>& operations() { return operations_; }
  LaterObjects& later() { return later_; }

  Requests& requests() { return requests_; }
  Orphans& orphans() { return orphans_; }
  BufferedSends& buffered_sends() { return buffered_sends_; }
  /// To be filled for one call, without an allocation.
  Selection& empty_selection();
  /// Class ARG.
  Ref<Errhandler> errhandler(Handle errhandler);
  Table<Ref<Errhandler>, Kind::errhandler>& errhandlers() { return errhandlers_; }
  ContextNames& context_names() { return context_names_; }

  // --- messages
  /// The process that has `number` in `comm`; class RANK. In MPI_COMM_WORLD processes of other
  /// front ends have numbers above its own.
  Rank rank_of(Communicator const& comm, int number, char const* argument) const {
    Members const& peers = comm.peers();
    if (peers.holds(number)) [[likely]]
      return peers.rank_of(number);
    Rank const other = &comm == world_.get() ? peers_.rank_of(number) : no_rank;
    if (other == no_rank || peers_.number_of(other) != number) [[unlikely]]
      refuse_rank(comm, number, argument);
    return other;
  }
  /// Where a message goes that is no MPI_PROC_NULL's. Classes RANK and TAG.
  [[gnu::always_inline]] Envelope envelope(Communicator const& comm, int dest, int tag, Mode mode,
                                           std::uint32_t signature) const {
    Rank const to = rank_of(comm, dest, "dest");
    return {.dest = to,
            .context = comm.context,
            .tag = tag_of(tag),
            .mode = mode,
            .word = word_of(type_checks_ ? type_checks_->sender(comm, to)
                                         : static_cast<std::uint32_t>(comm.local->me()),
                            signature)};
  }
  /// The messages that a receive or a probe accepts. Classes RANK and TAG.
  NarrowSpec narrow_spec(Communicator const& comm, int source, int tag) const {
    Rank const from = source == MPI_ANY_SOURCE ? any_rank : rank_of(comm, source, "source");
    return NarrowSpec{from, comm.context, tag_or_any(tag)};
  }
  MatchSpec spec(Communicator const& comm, int source, int tag) const {
    return narrow_spec(comm, source, tag).spec(TooLong::cut);
  }
  /// For a message that `comm` has brought.
  Outcome outcome(Communicator const& comm, Completion const& got) const {
    return {.source = source_of(comm, got.envelope),
            .tag = number(got.envelope.tag),
            .bytes = got.delivered,
            .cancelled = got.cancelled};
  }
  int source_of(Communicator const& comm, Envelope const& envelope) const {
    if (comm.context == common_context) return peers_.number_of(envelope.source);
    if (type_checks_ && !type_checks_->names_sender()) [[unlikely]]
      return comm.peers().number_of(envelope.source);
    return static_cast<int>(upper_in(envelope.word));
  }

  // --- errors
  /// The communicator whose handler gets the next error, in place of the call's own.
  void use_handler_of(Communicator& comm) { blamed_ = Ref{&comm}; }
  void clear_error_handler() { blamed_ = {}; }
  /// Calls the communicator's error handler; what it returns is the code, or it ends the process.
  int judge(Communicator& comm, char const* name, int code, Error const& error);
  /// The return value of the call `name` on `comm` for an error, if it returns.
  int failed(char const* name, Handle comm, Error const& error);

 private:
  [[noreturn]] void refuse_stage() const;
  [[noreturn]] void end_with(Communicator const& comm, char const* name, Error const& error);

  Process& process_;
  Peers peers_;
  ContextNames context_names_;
  Stage stage_ = Stage::before;
  CallSite call_site_{};  ///< empty: it is not wanted
  FortranCode fortran_code_{};
  std::unique_ptr<TypeChecks> type_checks_{};
  Ref<Errhandler> fatal_, aborts_, returns_;
  Ref<Members> empty_group_;
  Ref<Communicator> world_, self_;
  Ref<Communicator> blamed_{};
  Table<Ref<Communicator>, Kind::communicator> communicators_{};
  Table<Ref<Members>, Kind::group> groups_{};
  Table<Ref<Keyval>, Kind::keyval> keyvals_{};
  // Each process has its own of these. Any may read and write files; clocks are those of hosts.
  PredefinedAttributes attributes_{.tag_ub = highest_tag,
                                   .host = MPI_PROC_NULL,
                                   .io = MPI_ANY_SOURCE,
                                   .wtime_is_global = 0,
                                   .last_used_code = MPI_ERR_LASTCODE};
  Datatypes datatypes_{};
  Table<Ref<Errhandler>, Kind::errhandler> errhandlers_{};
  Requests requests_{};
  Orphans orphans_{};
  Selection selection_{};
  BufferedSends buffered_sends_{};
  Table<Ref<UserOperation>, Kind::operation> operations_{};
  LaterObjects later_{};
};

inline State& state_of(Process& process) { return process.state<State>(State::slot); }

}  // namespace earl::mpi
