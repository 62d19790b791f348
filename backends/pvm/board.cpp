// SPDX-License-Identifier: BSD-3-Clause
#include "backends/pvm/board.hpp"

#include <cstring>
#include <string>

#include "generic/base/error.hpp"
#include "generic/base/number.hpp"

namespace earl::pvm_backend {

namespace {

/// Above PVM's own contexts, which count from 0: they never get that far.
std::int32_t context_from(Secret const& secret) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, seal(secret, {}).data(), sizeof bits);
  return static_cast<std::int32_t>((bits & 0x3fff'ffff) | 0x4000'0000);
}

}  // namespace

Board::Board(std::uint32_t capacity, std::string const& socket, std::optional<Secret> const& secret)
    : JobBoard(capacity) {
  head().context = context_from(secret ? *secret : random_secret());
  head().several_hosts = secret ? 1 : 0;
  if (socket.size() >= sizeof head().socket)
    throw Error(
        "cannot use the PVM daemon's socket {}: its name is too long; set PVM_TMP to a shorter "
        "directory and start the daemon again",
        socket);
  std::memcpy(head().socket, socket.c_str(), socket.size() + 1);
}

/// On a remote host a process may look `rank` up before EXEC assigns the row: the tid is cleared
/// first, so that the previous owner's task is not found.
bool Board::begin(Rank rank) {
  auto& mine = row(rank);
  mine.tid.store(0);
  bool const wanted = JobBoard::begin(rank);
  mine.frames.store(0);
  mine.enrolled.store(0);
  return wanted;
}

std::int32_t Board::task(Rank rank) {
  if (!is_of(rank)) return 0;
  auto const tid = row(rank).tid.load();
  return is_of(rank) ? tid : 0;
}

bool Board::all_drained(std::uint32_t deaths) {
  for (std::int32_t n = 0; n < static_cast<std::int32_t>(capacity()); ++n) {
    auto const& one = row(Rank{n});
    bool const lives = (one.state.load() & 1) == 0 && one.enrolled.load() != 0;
    if (lives && static_cast<std::int32_t>(one.drained.load() - deaths) < 0) return false;
  }
  return true;
}

std::string Board::address(Rank rank) {
  auto const tid = row(rank).tid.load();
  return tid == 0 ? std::string{} : std::to_string(tid);
}

void Board::set_address(Rank rank, std::string_view address) {
  auto const tid = number_from<std::int32_t>(address);
  if (!tid || *tid <= 0) throw Error("\"{}\" is no task of PVM's", address);
  for (std::int32_t n = 0; n < static_cast<std::int32_t>(capacity()); ++n)
    if (auto const& other = row(Rank{n});
        index(Rank{n}) != slot(rank) && (other.state.load() & 1) == 0 && other.tid.load() == *tid)
      throw Error(
          "two hosts have the PVM task t{:x}: they are not of one virtual machine; add one "
          "to the other's (`pvm`, add)",
          *tid);
  row(rank).tid.store(*tid);
}

}  // namespace earl::pvm_backend
