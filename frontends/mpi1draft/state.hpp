// SPDX-License-Identifier: BSD-3-Clause
/// The draft's state of one process beside the core.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "frontends/common/numbered.hpp"
#include "frontends/common/peers.hpp"
#include "frontends/mpi1draft/errors.hpp"
#include "frontends/mpi1draft/scopes.hpp"
#include "frontends/mpi1draft/translate.hpp"
#include "generic/process.hpp"

namespace earl::mpi1draft {

/// A nonblocking operation.
struct Operation {
  RequestId request = no_request;
  Context context = common_context;
  std::size_t depth = 0;  ///< of the group context it was started in
  int length = 0;         ///< of a send
  List<Bytes> from{};     ///< the blocks, which the caller's lists need not outlive
  List<MutableBytes> into{};
};

/// The values of MPI_INFOL, MPI_INFOS and MPI_INFOT.
struct Facts {
  int length = 0, type = 0;
  Rank source = no_rank;
};

/// One line of text for each routine that gives one.
struct Texts {
  std::array<char, 81> date{}, time{}, etext{}, machine{};
};

class State final : public Extension {
 public:
  explicit State(Process& process);

  Process& process() { return process_; }
  Peers const& peers() const { return peers_; }
  Scopes& scopes() { return scopes_; }
  Texts& texts() { return texts_; }

  // --- numbers of processes, as the current group context has them
  /// Status 1 or 5.
  Rank rank_of(int number);
  /// -1: the process is in another group context.
  int number_of(Rank rank);
  DraftError no_process(int number) const;

  // --- messages
  /// Statuses 1, 5 and 15.
  Envelope envelope(int dest, int type, Mode mode);
  MatchSpec spec(Manner manner, int source, int type);
  /// Writes down which message was received, and gives its whole length. Status 14 is left behind
  /// when only one side was synchronized, and is an error where the user wants that.
  int received(char const* routine, Manner manner, Completion const& got);
  /// A synchronized message met another receive: status 14 as in received().
  void taken_otherwise(char const* routine, Envelope const& message);
  /// Before a call that asks for messages. Status 10: some had come, and there was no room to keep
  /// them until now.
  void keep_limit() {
    if (buffer_) [[unlikely]]
      refuse_after_loss();
  }
  /// Called after each call, whose result is unchanged: the status reports such a loss at once.
  void report_loss() {
    if (buffer_) [[unlikely]]
      flag_loss();
  }

  // --- operations under way
  int start_send(Envelope const& to, List<Bytes> from);
  int start_receive(MatchSpec const& spec, List<MutableBytes> into);
  /// Status 3.
  Operation& find(int msgid);
  Operation close(int msgid) { return operations_.close(msgid); }
  /// Status 16: some were started in the current communication context; `everywhere`: in any of the
  /// current group context.
  void none_outstanding(bool everywhere) const;

  /// A GID that no other process gives out: the next that GCPID 0 of a new group would give it.
  int next_gid() const;
  void gid_given() { ++gids_; }

  std::optional<Facts>& facts() { return facts_; }
  Status status() const { return status_; }
  void set_status(Status status) { status_ = status; }
  void failed(Error const& error) { status_ = status_of(error); }
  /// Nanoseconds since this process began to use the draft.
  std::int64_t elapsed() { return process_.clock() - began_; }

 private:
  void mismatch(std::string const& sentence);
  void drop_overflow();
  void refuse_after_loss();
  void flag_loss();

  Process& process_;
  Peers peers_;
  Scopes scopes_;
  Numbered<Operation> operations_{};
  std::optional<Facts> facts_{};
  Texts texts_{};
  Status status_ = Status::none;
  int gids_ = 0;
  std::int64_t began_;
  bool strict_;
  bool mismatch_reported_ = false;
  std::optional<std::uint64_t> buffer_;  ///< EARL_MPI1_BUFFER, bytes
  bool overflow_reported_ = false;
  std::uint64_t lost_ = 0;  ///< messages that no call has been refused for yet
};

State& state_of(Process& process);

}  // namespace earl::mpi1draft
