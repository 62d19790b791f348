// SPDX-License-Identifier: BSD-3-Clause
/// A network of switch processes, started by the job that uses it or before.
#pragma once

#include <memory>
#include <string>

#include "backends/myrinet/bip_routes.hpp"
#include "backends/myrinet/cables/cable.hpp"

namespace earl::myrinet::cables {

class RunningNetwork {
 public:
  virtual ~RunningNetwork() = default;
  RunningNetwork(RunningNetwork const&) = delete;
  RunningNetwork& operator=(RunningNetwork const&) = delete;

  Memory& memory() { return *memory_; }
  tcp::Board& board() { return *board_; }
  /// Readable when the network has ended.
  virtual int ended_fd() const = 0;
  /// Why; in one line.
  virtual std::string error_summary() const = 0;

 protected:
  RunningNetwork(std::unique_ptr<Memory> memory, std::unique_ptr<tcp::Board> board)
      : memory_(std::move(memory)), board_(std::move(board)) {}

 private:
  std::unique_ptr<Memory> memory_;
  std::unique_ptr<tcp::Board> board_;
};

/// Starts one, which ends with the object. `capacity`: of processes; hosts that the job has no rank
/// for stay dark. `program`: the path of earl-myrisw. Throws Error.
std::unique_ptr<RunningNetwork> start_network(std::uint32_t capacity,
                                              ConfiguredNetwork const& network,
                                              std::string const& program);
/// Takes the one called `name` (earl-myrinet(1)) until the object ends. `configuration`: of BIP, or
/// empty. Throws Error when there is none, when a job uses it, or when it has not those hosts.
std::unique_ptr<RunningNetwork> take_network(std::string const& name,
                                             std::string const& configuration);

/// earl-myrisw for a command: beside it in the tree, or in `libraries`, seen from its own folder.
/// Throws Error.
std::string switch_program(std::string const& libraries);

}  // namespace earl::myrinet::cables
