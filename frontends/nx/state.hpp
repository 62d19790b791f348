// SPDX-License-Identifier: BSD-3-Clause
/// NX's state of one process beside the core.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "frontends/nx/application.hpp"
#include "frontends/nx/files/open_files.hpp"
#include "frontends/nx/message_ids.hpp"
#include "frontends/nx/message_info.hpp"
#include "frontends/nx/partition_members.hpp"
#include "frontends/nx/translate.hpp"
#include "frontends/nx/traps.hpp"
#include "generic/collectives/collectives.hpp"
#include "generic/process.hpp"
#include "generic/services/partitions.hpp"

namespace earl::nx {

/// Throws NxError (EQCUBENOTATTCH).
[[noreturn]] void refuse_released();

class State final : public Extension {
 public:
  /// Waits, in a job of several programs, until it is known which of them use NX.
  explicit State(Process& process);
  /// Where a Process keeps it.
  [[gnu::visibility("hidden")]] static std::size_t const slot;

  void report_unreleased(Interceptor& debugger) override { ids_.report(debugger); }

  Process& process() { return process_; }
  Cube const& cube() const { return cube_; }
  /// The same for a program that asks: a host that has named none gets the one it was started
  /// beside.
  Cube const& asked_cube() {
    if (!cube_found_) [[unlikely]]
      resolve_cube();
    return cube_;
  }
  /// The same where it must be there. EQCUBENOTATTCH: it was released.
  Cube const& attached_cube() {
    if (detached_) [[unlikely]]
      refuse_released();
    return asked_cube();
  }
  /// All nodes, for collectives: those with the caller's pid. EQPRIV in a host.
  Group group();
  /// The process that is `node`, the host included; it may not have been loaded yet. EQNODE.
  Rank rank_of(std::int32_t node, std::int32_t pid);

  std::int32_t pid() const { return pid_; }
  /// A host has one only when it says which.
  bool has_pid() const { return pid_set_ || !cube_.is_host(); }
  /// EQPID; EQSET when it has one already.
  void set_pid(std::int32_t pid);
  /// Paragon: it may change. EQPID; EQSET in a cube that a host loads, where it says which process
  /// of its node this is.
  void set_ptype(std::int32_t ptype);

  // --- of host programs (state_host.cpp)
  /// The precondition of calls that only make sense beside nodes: a program that was started alone
  /// becomes a host, and has a cube from then on. Names the partition. EQCUBENOTATTCH.
  std::uint32_t need_cube();
  /// The first half of that: EXEC is there, a cube may not be. `session_server`: the one to join;
  /// empty: none.
  void be_host(std::string_view session_server);
  /// Started alone, so that it may become a host; or a member of a partition.
  bool can_host() const { return partition_members_ || alone(); }
  /// EQPRIV: a node.
  void require_host_capability() const;
  /// There is no EXEC yet.
  bool bare() const;
  void attach(PartitionAnswer const& answer);
  /// A new one. EQNOCUBES: there is no room for so many.
  void get_cube(std::uint32_t nodes);
  void detach() { detached_ = true; }

  /// The nodes as a mesh: the application's requested shape, else rows <= columns, as square as
  /// their number allows.
  Shape shape() const;
  void take_shape(Shape shape) { shape_ = shape; }

  MessageIds& ids() { return ids_; }
  Traps& traps() { return traps_; }
  OpenFiles& files() { return files_; }

  /// The message to `node` that a send call describes. EQTYPE, EQNODE, EQPID.
  Envelope envelope(std::int32_t type, std::int32_t node, std::int32_t pid) {
    if (initialized_ && cube_.has_row(node) && pid == pid_ && type >= 0) [[likely]]
      return message_to(cube_.rank_of(node), pid_context_, Tag{type});
    return any_envelope(type, node, pid);
  }
  /// The processes that a send to node -1 goes to; valid until the next call.
  std::span<const Rank> broadcast_ranks(std::int32_t pid);
  /// The match spec of a receive or probe. nodesel and ptypesel are -1 except in the x-calls.
  MatchSpec spec(std::int32_t typesel) {
    if (initialized_ && !partition_members_ && typesel >= 0) [[likely]]
      return receive_of(any_rank, TagMatch::exactly(Tag{typesel}));
    return spec(typesel, any, any);
  }
  MatchSpec spec(std::int32_t typesel, std::int32_t nodesel, std::int32_t ptypesel);
  /// A receive of the spec that `typesel` alone makes.
  Completion receive(std::int32_t typesel, MutableBytes into) {
    if (initialized_ && !partition_members_ && typesel >= 0) [[likely]]
      return process_.receive_narrow(NarrowSpec{any_rank, pid_context_, Tag{typesel}}, into,
                                     TooLong::refuse);
    return process_.receive(spec(typesel, any, any), into);
  }

  /// Writes down which message was received or probed.
  void record(Envelope const& envelope) { info_.set(facts_of(envelope)); }
  void record(Envelope const& envelope, InfoArray const& info) {
    info_.set(facts_of(envelope), info);
  }
  MessageInfo& info() { return info_; }
  /// Lets go of an operation that will not be asked about.
  void ignore(RequestId request);

  /// True once, for advice that is given once.
  bool first_time_odd_size();

 private:
  Envelope message_to(Rank dest, Context context, Tag tag) const {
    return {.dest = dest,
            .context = context,
            .tag = tag,
            .mode = Mode::buffered,
            .word = static_cast<std::uint32_t>(pid_)};
  }
  MatchSpec receive_of(Rank source, TagMatch const& tags) const {
    return {.source = source, .context = pid_context_, .tag = tags, .too_long = TooLong::refuse};
  }
  Envelope any_envelope(std::int32_t type, std::int32_t node, std::int32_t pid);
  Facts facts_of(Envelope const& envelope) const {
    auto const node = cube_.node_of(envelope.source);
    // The word of another front end's message means something else.
    bool const native = node <= cube_.size();
    return {.type = number(envelope.tag),
            .count = static_cast<std::int32_t>(envelope.length),
            .node = node,
            .pid = native ? static_cast<std::int32_t>(envelope.word) : 0};
  }
  bool alone() const;
  /// Before the first message: a host finds its cube and says its pid. EQNOSET, EQCUBENOTATTCH.
  void initialize();
  void resolve_cube();
  /// The cube that was loaded for a host that names none: its shell's, or its run's. False: there
  /// is none.
  bool find_cube();
  void check_initialized() {
    if (!initialized_) [[unlikely]]
      initialize();
  }
  Rank source_of(std::int32_t nodesel, std::int32_t ptypesel);

  Process& process_;
  Cube cube_;
  MessageInfo info_{process_};
  Context pid_context_ = common_context;
  std::int32_t pid_ = 0;
  bool pid_set_ = false;
  bool detached_ = false;
  bool initialized_ = false;                             ///< may send and receive
  bool cube_found_ = false;                              ///< knows its cube, as far as it can
  std::optional<PartitionMembers> partition_members_{};  ///< there when the cube is a partition
  std::vector<Rank> named_{};                            ///< for broadcast_ranks()
  std::vector<Rank> members_{};                          ///< for group()
  std::uint32_t members_at_ = 0;                         ///< rows the table had then
  MessageIds ids_{process_.call()};
  Traps traps_{};
  OpenFiles files_{};
  std::optional<Shape> shape_{};
  std::vector<RequestId> ignored_{};
  bool odd_size_reported_ = false;
};

/// The default number of nodes of a cube: EARL_NX_NODES, else as many as there are CPUs, rounded
/// down to a hypercube.
std::uint32_t default_cube_size(State& me);

inline State& state_of(Process& process) { return process.state<State>(State::slot); }

}  // namespace earl::nx
