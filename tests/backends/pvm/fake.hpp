// SPDX-License-Identifier: BSD-3-Clause
/// A PVM made of queues, for ports in one thread: no daemon is needed to test the port.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "backends/pvm/port.hpp"

namespace earl::pvm_backend::test {

struct Sent {
  int from = 0;
  std::vector<std::byte> bytes{};  ///< empty: the exit of `from`
  bool shared = false;
};

/// The state that all tasks share; libpvm3 is one per process, so the functions use the current
/// task.
struct FakePvm {
  std::map<int, std::deque<Sent>> queues{};  ///< by receiving task
  std::vector<int> watched{};
  int turn = 0;      ///< the task whose port is called now
  int next_tid = 0;  ///< next result of enrol()
  bool daemon_lives = true;
};

/// One fake per test: made first, ended last.
class Network {
 public:
  /// `secret`: of a job of several hosts.
  explicit Network(std::uint32_t processes, std::optional<Secret> secret = {});
  ~Network();
  Network(Network const&) = delete;
  Network& operator=(Network const&) = delete;

  /// Enrols it; each process has its own mapping of the board, as in life.
  PvmPort& join(int rank, PortSettings const& settings = {});
  PvmPort& port(int rank);
  Board& board() { return board_; }
  FakePvm& pvm() { return pvm_; }
  static int tid_of(int rank) { return 0x40001 + rank; }

 private:
  FakePvm pvm_;
  Board board_;
  std::map<int, std::unique_ptr<PvmPort>> ports_;
};

}  // namespace earl::pvm_backend::test
