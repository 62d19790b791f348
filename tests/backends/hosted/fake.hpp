// SPDX-License-Identifier: BSD-3-Clause
/// An MPI made of lists, for ports in one thread: no library is needed to test the port.
#pragma once

#include <list>
#include <map>
#include <memory>
#include <vector>

#include "backends/hosted/port.hpp"

namespace earl::hosted_backend::test {

struct Sent {
  int from = 0;
  int to = 0;
  int tag = 0;
  std::vector<std::byte> bytes{};
};

struct Posted {
  int me = 0;
  int from = 0;
  int tag = 0;
  MutableBytes room{};
  bool done = false;
  std::size_t size = 0;
};

/// The state that all processes share; MPI is one per process, so the functions use the current
/// process.
struct FakeLibrary {
  std::list<Sent> sent{};
  std::vector<Posted> posted{};  ///< a request's handle is 1 + its place here; 0: a send
  int turn = 0;                  ///< the process whose port is called now
  int processes = 0;
  int left = 0;         ///< how many have called leave()
  bool broken = false;  ///< every call fails
};

/// One fake per test: made first, ended last.
class Network {
 public:
  explicit Network(std::uint32_t processes);
  /// Each one's host.
  explicit Network(std::vector<std::uint32_t> const& hosts);
  ~Network();
  Network(Network const&) = delete;
  Network& operator=(Network const&) = delete;

  /// Each process has its own mapping of the board, as in life.
  LibraryPort& join(int rank);
  LibraryPort& port(int rank);
  Board& board(std::size_t host = 0) { return *boards_[host]; }
  FakeLibrary& mpi() { return mpi_; }

 private:
  FakeLibrary mpi_;
  std::vector<std::uint32_t> const hosts_;
  std::vector<std::unique_ptr<Board>> boards_;
  std::map<int, std::unique_ptr<LibraryPort>> ports_;
};

}  // namespace earl::hosted_backend::test
