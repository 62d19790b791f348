// SPDX-License-Identifier: BSD-3-Clause
#include "backends/net/tcp/board.hpp"

#include <cstring>

#include "generic/base/error.hpp"

namespace earl::tcp {

/// On another host than EXEC's a process may look for `rank` before: it must not find the address
/// of the one before.
bool Board::begin(Rank rank) {
  auto& mine = row(rank);
  mine.known.store(0);
  bool const wanted = JobBoard::begin(rank);
  mine.awake_on.store(0);
  std::memset(mine.address, 0, sizeof mine.address);
  return wanted;
}

void Board::set_address(Rank rank, std::string_view address) {
  auto& to = row(rank);
  if (address.size() >= sizeof to.address)
    throw Error("\"{}\" is too long for an address", address);
  if (to.known.load() != 0) return;
  std::memcpy(to.address, address.data(), address.size());
  to.known.store(1);
}

std::string Board::address(Rank rank) {
  auto& from = row(rank);
  if (from.known.load() == 0) return {};
  return {from.address, ::strnlen(from.address, sizeof from.address)};
}

}  // namespace earl::tcp
