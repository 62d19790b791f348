// SPDX-License-Identifier: BSD-3-Clause
/// The half of the back end that lives in EXEC or its agents: a board for each host, and for each
/// process there a bell and a port to listen at.
#include <memory>
#include <vector>

#include "backends/net/tcp/board.hpp"
#include "backends/net/tcp/port.hpp"
#include "generic/base/error.hpp"
#include "generic/seams/backend.hpp"
#include "generic/system/bell.hpp"
#include "generic/system/processors.hpp"
#include "generic/system/sockets.hpp"

namespace earl {

namespace tcp {
namespace {

/// On one host only the system carries frames.
PeerCredentials credentials_of(JobFacts const& facts) {
  auto const between_hosts = facts.secret ? Protection::authenticated : Protection::none;
  return {.secret = facts.secret ? *facts.secret : random_secret(),
          .protection = facts.encrypted ? Protection::encrypted : between_hosts};
}

class TcpJob final : public PreparedJob {
 public:
  explicit TcpJob(JobFacts const& facts)
      : host_(facts.host.empty() ? "127.0.0.1" : facts.host),
        board_(facts.capacity, credentials_of(facts)),
        bells_(board_.rows()),
        listeners_(board_.rows()) {
    board_.head().cpus = usable_processors();
  }

  std::vector<int> descriptors(Rank rank) override {
    auto const& bell = bells_.of(board_.first_rank_of_row(rank));
    auto& listener = listeners_[board_.slot(rank)];
    if (!listener) {
      listener = listen_at(host_);
      board_.head().processes.fetch_add(1);
      add_address(rank, to_text(own_end(listener.get())));
    }
    return {board_.descriptor(), bell.get(), listener.get()};
  }

  std::string address(Rank rank) override { return board_.address(rank); }

  void add_address(Rank rank, std::string_view address) override {
    board_.set_address(rank, address);
    if (board_.row(rank).wanted.load() != 0) bells_.ring_all();
  }

  void notify_control(Rank rank) override {
    board_.row(rank).control_notices.fetch_add(1, std::memory_order_release);
    bells_.ring(board_.first_rank_of_row(rank));
  }

  /// Its port must not stay open.
  void ended(Rank rank) override {
    auto& listener = listeners_[board_.slot(rank)];
    if (listener) board_.head().processes.fetch_sub(1);
    listener.close();
    bells_.drop(board_.first_rank_of_row(rank));
    board_.head().awake.remove(board_.row(rank).awake_on);
    board_.mark_ended(rank);
    bells_.ring_all();
  }

  /// Connections and what comes by them are of a Rank, and no two processes have the same.
  bool reuses() const override { return true; }
  void named(Rank rank) override {
    if (board_.first_rank_of_row(rank) != rank && board_.begin(rank)) bells_.ring_all();
  }
  bool release(Rank) override { return true; }

  std::uint32_t rejected_connections() override {
    return board_.head().rejected_connections.load();
  }

 private:
  std::string host_;
  Board board_;
  Bells bells_;
  std::vector<Descriptor> listeners_;  ///< by slot; none: not started, ended, or elsewhere
};

std::unique_ptr<PreparedJob> prepare(JobFacts const& facts) {
  return std::make_unique<TcpJob>(facts);
}

std::unique_ptr<Port> join(std::span<int const> descriptors, Rank rank) {
  if (descriptors.size() != 3)
    throw Error("TCP needs three descriptors from EXEC, not {}; install Earl again",
                descriptors.size());
  auto board = std::make_unique<Board>(Descriptor(descriptors[0]));
  auto const policy = WaitPolicy::from(WaitSettings::from_environment(), board->head().cpus);
  return std::make_unique<TcpPort>(std::move(board), Bell(Descriptor(descriptors[1])),
                                   Descriptor(descriptors[2]), rank, policy);
}

}  // namespace
}  // namespace tcp

extern Backend const tcp_back_end;
Backend const tcp_back_end{
    .name = "tcp",
    .summary = "processes of one host or several, each pair through TCP",
    .prepare = tcp::prepare,
    .join = tcp::join,
    .connectivity = [] { return Connectivity{.grade = Connectivity::Grade::everywhere}; },
    .encrypts = true,
    .descriptors_each = 2,
};

}  // namespace earl
