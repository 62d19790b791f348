// SPDX-License-Identifier: BSD-3-Clause
#include "backends/pvm/board.hpp"

#include <cstring>
#include <string>

#include "generic/base/error.hpp"
#include "generic/base/number.hpp"

namespace earl::pvm_machine {

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
    throw Error("the PVM daemon's socket {} has too long a name", socket);
  std::memcpy(head().socket, socket.c_str(), socket.size() + 1);
}

std::string Board::address(Rank rank) {
  auto const tid = row(rank).tid.load();
  return tid == 0 ? std::string{} : std::to_string(tid);
}

void Board::set_address(Rank rank, std::string_view address) {
  auto const tid = number_from<std::int32_t>(address);
  if (!tid || *tid <= 0) throw Error("\"{}\" is no task of PVM's", address);
  for (Rank other{0}; has(other); other = Rank{number(other) + 1})
    if (other != rank && row(other).tid.load() == *tid)
      throw Error(
          "two hosts have the PVM task t{:x}: they are not of one virtual machine; add one "
          "to the other's (`pvm`, add)",
          *tid);
  row(rank).tid.store(*tid);
}

}  // namespace earl::pvm_machine
