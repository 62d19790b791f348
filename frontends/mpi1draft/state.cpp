// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/mpi1draft/state.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "generic/base/number.hpp"

namespace earl::mpi1draft {

namespace {

std::size_t const slot = new_slot();

bool is_set(char const* variable) {
  char const* value = std::getenv(variable);
  return value && *value && std::string_view{value} != "0";
}

/// Ends the process when it says anything but a number.
std::optional<std::uint64_t> bytes_in(char const* variable, Process& process) {
  char const* value = std::getenv(variable);
  if (!value || !*value) return {};
  auto const bytes = number_from<std::uint64_t>(value);
  if (!bytes)
    process.end(1, fmt::format("mpi1draft: {}={} is no number of bytes: give one from 0 on, or "
                               "unset it for no limit",
                               variable, value));
  return bytes;
}

std::vector<Rank> all_ranks(Peers const& peers) {
  return {peers.ranks().begin(), peers.ranks().end()};
}

}  // namespace

State& state_of(Process& process) { return process.state<State>(slot); }

State::State(Process& process)
    : process_(process),
      peers_(process, "mpi1draft"),
      scopes_(all_ranks(peers_), static_cast<std::size_t>(peers_.me())),
      began_(process.clock()),
      strict_(is_set("EARL_MPI1_STRICT")),
      buffer_(bytes_in("EARL_MPI1_BUFFER", process)) {}

DraftError State::no_process(int number) const {
  bool const top = scopes_.at_top();
  return DraftError{top ? Status::bad_pid : Status::bad_gcpid, "{} {} is none of 0 to {}",
                    top ? "PID" : "GCPID", number, scopes_.current().size() - 1};
}

Rank State::rank_of(int number) {
  auto const& ranks = scopes_.current().ranks;
  if (auto const at = static_cast<std::size_t>(number); number >= 0 && at < ranks.size()) [[likely]]
    return ranks[at];
  // Processes of other front ends have numbers above those of ALL.
  const Rank other = scopes_.at_top() ? peers_.rank_of(number) : no_rank;
  if (other == no_rank) throw no_process(number);
  return other;
}

int State::number_of(Rank rank) {
  if (scopes_.at_top()) return peers_.number_of(rank);
  auto const& ranks = scopes_.current().ranks;
  auto const found = std::find(ranks.begin(), ranks.end(), rank);
  return found == ranks.end() ? -1 : static_cast<int>(found - ranks.begin());
}

Envelope State::envelope(int dest, int type, Mode mode) {
  return {.dest = rank_of(dest), .context = scopes_.context(), .tag = tag_of(type), .mode = mode};
}

MatchSpec State::spec(Manner manner, int source, int type) {
  return {.source = source == any ? any_rank : rank_of(source),
          .context = scopes_.context(),
          .tag = tags_of(type),
          .mode = manner == Manner::synchronized ? Mode::synchronous : Mode::standard};
}

int State::received(char const* routine, Manner manner, Completion const& got) {
  Envelope const& message = got.envelope;
  facts_.reset();
  if (got.lost)
    throw DraftError(Status::machine, "process {} ended before its message could be read",
                     number_of(message.source));
  facts_ = Facts{
      .length = length_of(message.length), .type = number(message.tag), .source = message.source};
  // The sender's mode means nothing to processes of other front ends.
  bool const native = peers_.holds(peers_.number_of(message.source));
  bool const synchronized = message.mode == Mode::synchronous;
  if (native && synchronized != (manner == Manner::synchronized))
    mismatch(
        fmt::format("{}: a {} receive took a message (type {}, from process {}) that was "
                    "{}sent synchronized",
                    routine, name_of(manner), number(message.tag), number_of(message.source),
                    synchronized ? "" : "not "));
  return facts_->length;
}

void State::taken_otherwise(char const* routine, Envelope const& message) {
  if (peers_.holds(peers_.number_of(message.dest)))
    mismatch(
        fmt::format("{}: a synchronized message (type {}, to process {}) was taken by a "
                    "receive that is not synchronized",
                    routine, number(message.tag), number_of(message.dest)));
}

/// Said once on standard error.
void State::mismatch(std::string const& sentence) {
  if (!std::exchange(mismatch_reported_, true))
    process_.print_line(fmt::format("mpi1draft: process {}: {}; both sides must be, or neither",
                                    number_of(process_.rank()), sentence));
  if (strict_) throw DraftError(Status::mode_mismatch, "{}", sentence);
  status_ = Status::mode_mismatch;
}

void State::drop_overflow() {
  const MatchSpec buffered{.any_user_context = true, .buffered_only = true};
  lost_ += process_.flush_beyond(buffered, *buffer_);
}

void State::refuse_after_loss() {
  drop_overflow();
  if (lost_ == 0) return;
  auto const sentence = fmt::format(
      "{} messages are lost: no receive had asked for them, and the buffer of {} bytes "
      "(EARL_MPI1_BUFFER) has no room for them",
      std::exchange(lost_, 0), *buffer_);
  if (!std::exchange(overflow_reported_, true))
    process_.print_line(
        fmt::format("mpi1draft: process {}: {}", number_of(process_.rank()), sentence));
  throw DraftError(Status::overflow, "{}", sentence);
}

void State::flag_loss() {
  auto const before = lost_;
  drop_overflow();
  if (lost_ != before && status_ == Status::none) status_ = Status::overflow;
}

int State::start_send(Envelope const& to, List<Bytes> from) {
  Operation operation{.context = to.context, .depth = scopes_.depth(), .from = std::move(from)};
  const Gather pieces{std::span<const Bytes>{operation.from}};
  operation.length = static_cast<int>(pieces.size());
  operation.request = process_.start_send(to, pieces);
  return operations_.open(std::move(operation));
}

int State::start_receive(MatchSpec const& spec, List<MutableBytes> into) {
  Operation operation{.context = spec.context, .depth = scopes_.depth(), .into = std::move(into)};
  operation.request =
      process_.start_receive(spec, Scatter{std::span<const MutableBytes>{operation.into}});
  return operations_.open(std::move(operation));
}

Operation& State::find(int msgid) {
  if (auto* found = operations_.find(msgid); found && found->depth == scopes_.depth())
    return *found;
  throw DraftError(Status::bad_msgid, "message ID {} was never given here or is released", msgid);
}

void State::none_outstanding(bool everywhere) const {
  bool const some = operations_.any([&](Operation const& one) {
    return one.depth == scopes_.depth() && (everywhere || one.context == scopes_.context());
  });
  if (some) throw DraftError(Status::outstanding, "nonblocking operations are outstanding");
}

int State::next_gid() const { return 2 + peers_.me() + peers_.size() * gids_; }

}  // namespace earl::mpi1draft
