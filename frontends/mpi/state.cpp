// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/mpi/state.hpp"

#include <utility>

#include "frontends/mpi/names.hpp"
#include "generic/contexts.hpp"

namespace earl::mpi {

namespace {

Ref<Communicator> predefined(Handle value, std::string_view name, Ref<Members> members,
                             Ref<Errhandler> errhandler) {
  auto made = make<Communicator>();
  made->handle = value;
  made->name = name;
  made->local = std::move(members);
  made->errhandler = std::move(errhandler);
  return made;
}

}  // namespace

std::size_t const State::slot = new_slot();

State::State(Process& process)
    : process_(process),
      peers_(process, {"mpi", "mpi_abi"}),
      context_names_(process.rank()),
      fatal_(make<Errhandler>(Errhandler::Manner::fatal, MPI_ERRORS_ARE_FATAL)),
      aborts_(make<Errhandler>(Errhandler::Manner::fatal, MPI_ERRORS_ABORT)),
      returns_(make<Errhandler>(Errhandler::Manner::returns, MPI_ERRORS_RETURN)),
      empty_group_(make<Members>(Ranks{}, process.rank())),
      world_(predefined(MPI_COMM_WORLD, "MPI_COMM_WORLD",
                        make<Members>(peers_.ranks(), peers_.me()), fatal_)),
      self_(predefined(MPI_COMM_SELF, "MPI_COMM_SELF",
                       make<Members>(std::vector{process.rank()}, process.rank()), fatal_)) {
  // These names follow from the group alone, and no other context has them.
  world_->collective_id = ContextNames::id_of(peers_.ranks().front(), 0);
  self_->collective_id = ContextNames::id_of(process.rank(), 1);
  self_->context = context_of(Space::user, self_->collective_id);
  process.contexts().find_names_by(
      [this](Context context) { return name_in_reports(*this, context); });
  process.contexts().explain_waits_by(
      [this](Selector const& awaited) { return cause_in_reports(*this, awaited); });
}

void State::note_sites() {
  call_site_ = [this] {
    void const* site = nullptr;
    process_.debugged().stack({&site, 1});
    return site;
  };
  requests_.note_sites(call_site_);
  datatypes_.note_sites(call_site_);
  communicators_.note_sites(call_site_);
  groups_.note_sites(call_site_);
  keyvals_.note_sites(call_site_);
  errhandlers_.note_sites(call_site_);
  operations_.note_sites(call_site_);
  later_.windows.note_sites(call_site_);
  later_.infos.note_sites(call_site_);
}

Communicator* State::find_communicator(Handle comm) {
  if (comm == MPI_COMM_WORLD) return world_.get();
  if (comm == MPI_COMM_SELF) return self_.get();
  auto* const made = communicators_.find(comm);
  return made ? made->get() : nullptr;
}

void State::refuse_stage() const {
  if (stage_ == Stage::before)
    throw MpiError(ErrorClass::other, "called before MPI_Init: call that first");
  throw MpiError(ErrorClass::other, "called after MPI_Finalize: call that last");
}

int State::failed(char const* name, Handle comm, Error const& error) {
  auto* const found = find_communicator(comm);
  Ref<Communicator> const concerned = blamed_ ? std::exchange(blamed_, {})
                                      : found ? Ref{found}
                                              : world_;
  return judge(*concerned, name, code_of(class_of(error)), error);
}

int State::judge(Communicator& comm, char const* name, int code, Error const& error) {
  // It may be replaced while it runs.
  Ref<Errhandler> const handler = comm.errhandler;
  if (stage_ != Stage::running || handler->manner == Errhandler::Manner::fatal)
    end_with(comm, name, error);
  if (handler->manner == Errhandler::Manner::calls) {
    Handle value = comm.handle;
    handler->function(&value, &code);
  }
  return code;
}

Ref<Members> State::group(Handle group, char const* argument) {
  if (group == MPI_GROUP_EMPTY) return empty_group_;
  auto* const made = groups_.find(group);
  if (!made) handle::refuse(group, Kind::group, argument);
  return *made;
}

Handle State::open_group(Ref<Members> members) {
  return members->size() == 0 ? MPI_GROUP_EMPTY : groups_.open(std::move(members));
}

Handle State::open_group(Ranks ranks) {
  return open_group(make<Members>(std::move(ranks), process_.rank()));
}

Communicator& State::intracommunicator(Handle comm, char const* argument) {
  Communicator& found = communicator(comm, argument);
  if (found.inter())
    throw MpiError(ErrorClass::comm, "{} is {}, an intercommunicator: pass one of a single group",
                   argument, found.to_text());
  return found;
}

Communicator& State::open(Ref<Communicator> comm) {
  Communicator& made = *comm;
  made.handle = communicators_.open(std::move(comm));
  return made;
}

int* State::predefined_attribute(int keyval) {
  switch (c_key_of(keyval)) {
    case MPI_TAG_UB:
      return &attributes_.tag_ub;
    case MPI_HOST:
      return &attributes_.host;
    case MPI_IO:
      return &attributes_.io;
    case MPI_WTIME_IS_GLOBAL:
      return &attributes_.wtime_is_global;
    case MPI_LASTUSEDCODE:
      return &attributes_.last_used_code;
    default:
      return nullptr;
  }
}

Selection& State::empty_selection() {
  selection_.ids.clear();
  selection_.waited.clear();
  selection_.ready.clear();
  return selection_;
}

Ref<Errhandler> State::errhandler(Handle errhandler) {
  if (errhandler == MPI_ERRORS_ARE_FATAL) return fatal_;
  if (errhandler == MPI_ERRORS_ABORT) return aborts_;
  if (errhandler == MPI_ERRORS_RETURN) return returns_;
  auto* const made = errhandlers_.find(errhandler);
  if (!made) handle::refuse(errhandler, Kind::errhandler, "errhandler");
  return *made;
}

void State::end_with(Communicator const& comm, char const* name, Error const& error) {
  auto const error_class = class_of(error);
  process_.end(code_of(error_class), fmt::format("mpi: {}: {}: {} ({})", caller_text(*this, comm),
                                                 name, error.what(), name_of(error_class)));
}

}  // namespace earl::mpi
